// Tests of sorts over ranks share a sort of keys that is checked.
#pragma once
#include <mgpu/distributed.h>
#include <distributed/ranks.h>
#include <support/device.h>
#include <support/items.h>
#include <support/memory.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace test {

struct untuned {
  template <class Policy>
  Policy const& operator()(Policy const& policy) const {
    return policy;
  }
};

// Calls run(policy) on a rank over the communicator, or by a team that has as much memory as the call asks for.
template <class Local, class Run>
void run_by(bool by_team, Local const& local, ncclComm_t comm, Run run) {
  if (!by_team) return run(local.over(comm));
  std::size_t bytes = 0;
  run(local.query_scratch(bytes).over(comm));
  mgpu::team team(comm, bytes);
  run(local.over(team));
  require(cudaStreamSynchronize(local.stream()));
  team.close();
}

// Sorts keys by sort(policy, first, last) on each rank, and compares them by their bytes with a stable sort of the
// whole. tune(policy) gives the rank's policy a tuning.
template <class Key, class Comp, class Sort, class Tune = untuned>
void check_keys(rank_counts const& counts, std::vector<Key> const& whole, Comp comp, std::uint32_t seed,
                std::size_t shift, Sort sort, Tune tune = {}) {
  std::vector<std::vector<Key>> results(counts.size());
  run_ranks(static_cast<int>(counts.size()), seed, [&](ncclComm_t comm, int rank) {
    buffer<Key> keys(part_of(whole, counts, rank), shift);
    meet();
    auto const run = [&](auto const& policy) { sort(policy, keys.begin(), keys.end()); };
    bool const by_team = seed % 3 == 0;
    if (seed % 2 == 0) {
      run_by(by_team, tune(mgpu::par), comm, run);
    } else {
      test::stream stream;
      run_by(by_team, tune(mgpu::par_nosync.on(stream)), comm, run);
      require(cudaStreamSynchronize(stream));
    }
    results[static_cast<std::size_t>(rank)] = keys.get();
  });
  BOOST_TEST(same_bytes(joined(results), permuted(whole, stable_order<Key>(whole, comp))));
}

}  // namespace test
