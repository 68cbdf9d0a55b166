// A team owns the scratch memory of calls over ranks, in which these write to each other.
#include <mgpu/distributed.h>
#include <distributed/ranks.h>
#include <distributed/small_buckets.h>
#include <support/device.h>
#include <support/items.h>
#include <support/memory.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <numeric>
#include <stdexcept>
#include <vector>

BOOST_AUTO_TEST_SUITE(distributed_team, *boost::unit_test::precondition(test::can_run_ranks()))

namespace {

void require(bool condition, char const* what) {
  if (!condition) throw std::runtime_error(what);
}

std::vector<std::uint32_t> items_of(int rank, std::size_t count = 3000) {
  return test::keys<std::uint32_t>(test::pattern::random, count, static_cast<std::uint32_t>(rank + 1));
}
std::vector<std::uint32_t> sorted_part(int num_ranks, int rank, std::size_t count = 3000) {
  std::vector<std::vector<std::uint32_t>> parts;
  for (int r = 0; r < num_ranks; ++r) parts.push_back(items_of(r, count));
  auto const whole = test::joined(parts);
  return test::part_of(test::permuted(whole, test::stable_order<std::uint32_t>(whole, std::less<>())),
                       test::rank_counts(static_cast<std::size_t>(num_ranks), count), rank);
}

template <class Call>
bool lacks_memory(Call call) {
  try {
    call();
  } catch (std::bad_alloc const&) {
    return true;
  }
  return false;
}

template <class Local>
std::size_t scratch_for(Local const& local, ncclComm_t comm, test::buffer<std::uint32_t>& items) {
  std::size_t bytes = 0;
  mgpu::sort(local.query_scratch(bytes).over(comm), items.begin(), items.end());
  return bytes;
}

auto const by_buckets = mgpu::par.with_tuning(test::small_buckets{});

}  // namespace

BOOST_AUTO_TEST_CASE(members) {
  for (int const num_ranks : test::numbers_of_ranks()) {
    std::vector<std::uint64_t> numbers(static_cast<std::size_t>(num_ranks));
    test::run_ranks(num_ranks, 1, [&](ncclComm_t comm, int rank) {
      std::size_t const bytes = 1000 * static_cast<std::size_t>(rank);  // each rank has another number of bytes
      mgpu::team first(comm, bytes);
      mgpu::team second(comm, 256);
      require(first.comm() == comm && first.bytes() == bytes && first.memory() != nullptr, "of a team");
      require(first.number() != second.number() && first.number() != 0, "numbers of teams");
      require(first.memory_of(rank) == first.memory(), "this rank's memory");
      numbers[static_cast<std::size_t>(rank)] = second.number();
      // Each rank writes to the next one.
      test::buffer<int> written(std::vector<int>{0});
      auto* const next = static_cast<int*>(second.memory_of((rank + 1) % num_ranks));
      test::buffer<int> mine(std::vector<int>{rank});
      test::meet();
      if (next != nullptr) test::require(cudaMemcpy(next, mine.begin(), sizeof(int), cudaMemcpyDefault));
      test::require(cudaDeviceSynchronize());
      mgpu::reduce(mgpu::par.over(comm), written.begin(), written.end());  // all ranks have written then
      if (second.memory_of((rank + num_ranks - 1) % num_ranks) != nullptr) {
        test::require(cudaMemcpy(written.begin(), second.memory(), sizeof(int), cudaMemcpyDefault));
        require(written.get()[0] == (rank + num_ranks - 1) % num_ranks, "what another rank has written");
      }
      test::meet();
      first.close();
      second.close();
      require(first.bytes() == 0 && first.memory() == nullptr && first.memory_of(0) == nullptr, "a closed team");
      first.close();
    });
    for (std::uint64_t const number : numbers) BOOST_TEST(number == numbers[0]);
  }
}

// Sorts, reductions and scans follow each other in a stream, in the same memory.
BOOST_AUTO_TEST_CASE(one_call_after_the_other) {
  for (int const num_ranks : test::numbers_of_ranks()) {
    if (!test::is_tried(num_ranks, 3000)) continue;
    for (std::uint32_t seed = 1; seed < 5; ++seed) {
      test::run_ranks(num_ranks, seed, [&](ncclComm_t comm, int rank) {
        test::buffer<std::uint32_t> items(items_of(rank)), again(items_of(rank)), sums(3000), total(1);
        test::stream stream;
        auto const over = [&](auto const& local, auto const& ranks) { return local.on(stream).over(ranks); };
        std::size_t const bytes = scratch_for(by_buckets, comm, items);
        std::size_t const other_bytes = scratch_for(mgpu::par, comm, items);
        test::meet();
        mgpu::team team(comm, bytes < other_bytes ? other_bytes : bytes);
        auto const nosync = mgpu::par_nosync.with_tuning(test::small_buckets{});
        mgpu::sort(over(nosync, team), items.begin(), items.end());
        mgpu::sort(over(mgpu::par_nosync, team), again.begin(), again.end());
        mgpu::inclusive_scan(over(mgpu::par_nosync, team), items.begin(), items.end(), sums.begin());
        mgpu::reduce_into(over(mgpu::par_nosync, team), items.begin(), items.end(), total.begin());
        mgpu::sort(over(nosync, team), again.begin(), again.end(), std::greater<>());
        mgpu::sort(over(nosync, team), again.begin(), again.end());
        test::require(cudaStreamSynchronize(stream));
        auto const expected = sorted_part(num_ranks, rank);
        require(items.get() == expected && again.get() == expected, "the items are not sorted");
        std::uint32_t sum = 0;
        for (int before = 0; before < num_ranks; ++before) {
          auto const part = sorted_part(num_ranks, before);
          std::uint32_t const of_rank = std::accumulate(part.begin(), part.end(), 0u);
          if (before == rank) require(sums.get().back() == sum + of_rank, "another sum");
          sum += of_rank;
        }
        require(total.get()[0] == sum, "another total");
        test::meet();
      });
    }
  }
}

// Enough memory is enough; if one rank has too little, all throw, and nothing is written.
BOOST_AUTO_TEST_CASE(memory) {
  for (bool const is_enough : {true, false}) {
    test::run_ranks(2, 1, [&](ncclComm_t comm, int rank) {
      test::buffer<std::uint32_t> items(items_of(rank));
      std::size_t const bytes = scratch_for(mgpu::par, comm, items);
      test::meet();
      mgpu::team team(comm, is_enough || rank == 1 ? bytes : bytes - 1);
      auto const sort = [&] { mgpu::sort(mgpu::par.over(team), items.begin(), items.end()); };
      require(lacks_memory(sort) != is_enough, "memory is enough, or not");
      require(items.get() == (is_enough ? sorted_part(2, rank) : items_of(rank)), "the items");
      team.close();
      if (!is_enough) require(lacks_memory(sort), "a closed team has memory");
    });
  }
}

// One rank asks for more than there can be: none gets a team.
BOOST_AUTO_TEST_CASE(too_much_memory) {
  for (int const hungry : {0, 1}) {
    test::run_ranks(2, 1, [&](ncclComm_t comm, int rank) {
      for (std::size_t const bytes : {~std::size_t{0}, ~std::size_t{0} - 300, std::size_t{1} << 60}) {
        require(lacks_memory([&] { mgpu::team const team(comm, rank == hungry ? bytes : 1000); }),
                "a team without memory");
      }
    });
  }
}

// Ranks that take different teams, or of which only some take one, cannot write to each other.
BOOST_AUTO_TEST_CASE(different_teams) {
  test::run_ranks(2, 1, [&](ncclComm_t comm, int rank) {
    test::buffer<std::uint32_t> items(items_of(rank)), others(items_of(rank));
    std::size_t const bytes = scratch_for(mgpu::par, comm, items);
    test::meet();
    mgpu::team first(comm, bytes), second(comm, bytes);
    mgpu::sort(mgpu::par.over(rank == 0 ? first : second), items.begin(), items.end());
    require(items.get() == sorted_part(2, rank), "the items are not sorted by two teams");
    if (rank == 0) {
      mgpu::sort(mgpu::par.over(comm), others.begin(), others.end());
    } else {
      mgpu::sort(mgpu::par.over(first), others.begin(), others.end());
    }
    require(others.get() == sorted_part(2, rank), "the items are not sorted by one");
    test::meet();
  });
}

#if defined(MGPU_EMULATED)

namespace {

// A rank is said to be in this process of this host.
struct whereabouts {
  char host, process;
};
// Makes the team of a rank that is there.
std::unique_ptr<mgpu::team> team_of(whereabouts const& where, ncclComm_t comm, std::size_t bytes) {
  // One rank runs at a time, until it waits for others, as it does once it has said where it is.
  mgpu::program::id_of_host() = {{where.host, 0}};
  mgpu::program::id_of_process() = {{where.process, 0}};
  return std::make_unique<mgpu::team>(comm, bytes);
}

using ranks_places = std::vector<whereabouts>;
// Sorts by a team on ranks that are at these places, and returns how many messages NCCL has carried. If it closes, all
// ranks close the team, and else it is destroyed once they are back.
std::uint64_t num_sends(ranks_places const& places, bool in_buckets, bool closes, std::uint32_t seed = 1) {
  int const num_ranks = static_cast<int>(places.size());
  test::nccl::options chosen;
  chosen.num_ranks = num_ranks;
  chosen.seed = seed;
  std::vector<std::unique_ptr<mgpu::team>> teams(places.size());
  mgpu::emulator::runtime::late_streams(seed);
  auto const report = test::nccl::run_ranks(chosen, [&](ncclComm_t comm, int rank) {
    auto const place = static_cast<std::size_t>(rank);
    auto const sort = [&](auto const& local) {
      test::buffer<std::uint32_t> items(items_of(rank));
      teams[place] = team_of(places[place], comm, scratch_for(local, comm, items));
      for (int other = 0; other < num_ranks; ++other) {
        bool const is_here = places[place].host == places[static_cast<std::size_t>(other)].host;
        require((teams[place]->memory_of(other) != nullptr) == is_here, "which memory a rank can write in");
      }
      mgpu::sort(local.over(*teams[place]), items.begin(), items.end());
      require(items.get() == sorted_part(num_ranks, rank), "the items are not sorted");
      if (closes) teams[place]->close();
    };
    in_buckets ? sort(by_buckets) : sort(mgpu::par);
  });
  mgpu::emulator::runtime::late_streams(0);
  BOOST_TEST(report.is_clean());
  return report.num_sends;
}

}  // namespace

// NCCL carries nothing between ranks that can write to each other, and everything between others.
BOOST_AUTO_TEST_CASE(hosts_and_processes) {
  for (std::uint32_t seed = 1; seed < 3; ++seed) {
    for (bool const in_buckets : {false, true}) {
      BOOST_TEST(num_sends({{'a', 'p'}, {'a', 'p'}, {'a', 'p'}}, in_buckets, true, seed) == 0u);
      BOOST_TEST(num_sends({{'a', 'p'}, {'a', 'q'}, {'a', 'r'}}, in_buckets, true, seed) == 0u);
      // Each rank sends to each rank of the other host, in one round, or in two.
      std::uint64_t const num_rounds = in_buckets ? 2 : 1;
      std::uint64_t const sent = num_sends({{'a', 'p'}, {'b', 'q'}, {'a', 'r'}, {'b', 'q'}}, in_buckets, true, seed);
      BOOST_TEST(sent > 0u);
      BOOST_TEST(sent <= 8 * num_rounds);
    }
  }
}

// Memory that other processes have opened is not freed unless they are told to close it, nor is a team's while an exception
// is on its way.
BOOST_AUTO_TEST_CASE(memory_that_is_not_freed) {
  namespace runtime = mgpu::emulator::runtime;
  auto const before = runtime::live();
  num_sends({{'a', 'p'}, {'a', 'q'}}, false, true);
  num_sends({{'a', 'p'}, {'a', 'p'}}, false, false);
  BOOST_TEST(runtime::live().allocations == before.allocations);
  BOOST_TEST(runtime::live().openings == before.openings);
  num_sends({{'a', 'p'}, {'a', 'q'}}, false, false);
  BOOST_TEST(runtime::live().allocations == before.allocations + 2);
  BOOST_TEST(runtime::live().openings == before.openings);
  auto const report = test::nccl::run_ranks({}, [](ncclComm_t comm, int) {
    auto const team = team_of({'a', 'p'}, comm, 100);
    throw std::runtime_error("planted");
  });
  BOOST_TEST(!report.is_clean());
  BOOST_TEST(runtime::live().allocations == before.allocations + 3);
}

// A rank writes in another device's memory of its process if the device lets it in, now or before. What else the runtime
// says is no error of the team's, and none that a later call is to find.
BOOST_AUTO_TEST_CASE(access_to_other_devices) {
  namespace runtime = mgpu::emulator::runtime;
  struct answer {
    cudaError_t enabled;
    bool writes;
  };
  int memory = 0;
  mgpu::detail::place_of_memory here{{"host"}, {"process"}, 0, nullptr, false, {}};
  mgpu::detail::place_of_memory there{{"host"}, {"process"}, 1, &memory, false, {}};
  for (auto const& [enabled, writes] :
       {answer{cudaSuccess, true}, answer{cudaErrorPeerAccessAlreadyEnabled, true},
        answer{cudaErrorPeerAccessUnsupported, false}, answer{cudaErrorTooManyPeers, false}}) {
    runtime::peer_access(enabled);
    mgpu::detail::memory_of_others others;
    others.open("test", here, there);
    BOOST_TEST(others.memory_of(0) == (writes ? &memory : nullptr));
    BOOST_TEST(cudaGetLastError() == cudaSuccess);
  }
  runtime::reset();
}

// A policy takes the memory that its team has when the call is made.
BOOST_AUTO_TEST_CASE(policy_of_a_closed_team) {
  test::nccl::options chosen;
  chosen.num_ranks = 2;
  auto const report = test::nccl::run_ranks(chosen, [](ncclComm_t comm, int rank) {
    test::buffer<std::uint32_t> items(items_of(rank));
    mgpu::team team(comm, scratch_for(mgpu::par, comm, items));
    auto const policy = mgpu::par.over(team);
    team.close();
    require(lacks_memory([&] { mgpu::sort(policy, items.begin(), items.end()); }), "a closed team has memory");
  });
  BOOST_TEST(report.is_clean());
}

#endif

BOOST_AUTO_TEST_SUITE_END()
