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
#include <new>
#include <numeric>
#include <optional>
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
      bool has_thrown = false;
      try {
        mgpu::sort(mgpu::par.over(team), items.begin(), items.end());
      } catch (std::bad_alloc const&) {
        has_thrown = true;
      }
      require(has_thrown != is_enough, "memory is enough, or not");
      require(items.get() == (is_enough ? sorted_part(2, rank) : items_of(rank)), "the items");
      team.close();
      if (is_enough) return;
      has_thrown = false;
      try {
        mgpu::sort(mgpu::par.over(team), items.begin(), items.end());
      } catch (std::bad_alloc const&) {
        has_thrown = true;
      }
      require(has_thrown, "a closed team has memory");
    });
  }
}

// One rank asks for more than there can be: none gets a team.
BOOST_AUTO_TEST_CASE(too_much_memory) {
  for (int const hungry : {0, 1}) {
    test::run_ranks(2, 1, [&](ncclComm_t comm, int rank) {
      for (std::size_t const bytes : {~std::size_t{0}, ~std::size_t{0} - 300, std::size_t{1} << 60}) {
        bool has_thrown = false;
        try {
          mgpu::team const team(comm, rank == hungry ? bytes : 1000);
        } catch (std::bad_alloc const&) {
          has_thrown = true;
        }
        require(has_thrown, "a team without memory");
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

// Where ranks can write to each other, NCCL carries nothing.
BOOST_AUTO_TEST_CASE(nothing_is_sent) {
  for (bool const by_team : {false, true}) {
    for (bool const in_buckets : {false, true}) {
      test::nccl::options chosen;
      chosen.num_ranks = 3;
      auto const report = test::nccl::run_ranks(chosen, [&](ncclComm_t comm, int rank) {
        auto const sort = [&](auto const& local) {
          test::buffer<std::uint32_t> items(items_of(rank));
          mgpu::team team(comm, scratch_for(local, comm, items));
          if (by_team) {
            mgpu::sort(local.over(team), items.begin(), items.end());
          } else {
            mgpu::sort(local.over(comm), items.begin(), items.end());
          }
          require(items.get() == sorted_part(3, rank), "the items are not sorted");
        };
        in_buckets ? sort(by_buckets) : sort(mgpu::par);
      });
      BOOST_TEST(report.is_clean());
      BOOST_TEST((report.num_sends == 0) == by_team);
    }
  }
}

#endif

BOOST_AUTO_TEST_SUITE_END()
