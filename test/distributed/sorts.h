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

// Sorts keys by sort(policy, first, last) on each rank, and compares them by their bytes with a stable sort of the
// whole. tune(policy) gives the rank's policy a tuning.
template <class Key, class Comp, class Sort, class Tune = untuned>
void check_keys(rank_counts const& counts, std::vector<Key> const& whole, Comp comp, std::uint32_t seed,
                std::size_t shift, Sort sort, Tune tune = {}) {
  std::vector<std::vector<Key>> results(counts.size());
  run_ranks(static_cast<int>(counts.size()), seed, [&](ncclComm_t comm, int rank) {
    buffer<Key> keys(part_of(whole, counts, rank), shift);
    meet();
    if (seed % 2 == 0) {
      sort(tune(mgpu::par).over(comm), keys.begin(), keys.end());
    } else {
      test::stream stream;
      sort(tune(mgpu::par_nosync.on(stream)).over(comm), keys.begin(), keys.end());
      require(cudaStreamSynchronize(stream));
    }
    results[static_cast<std::size_t>(rank)] = keys.get();
  });
  BOOST_TEST(same_bytes(joined(results), permuted(whole, stable_order<Key>(whole, comp))));
}

}  // namespace test
