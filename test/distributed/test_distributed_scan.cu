// Scans over ranks: each rank goes on where the ranks before it end, in stream order.
#include <mgpu/distributed.h>
#include <distributed/ranks.h>
#include <support/device.h>
#include <support/items.h>
#include <support/memory.h>
#include <support/self_copying.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

BOOST_AUTO_TEST_SUITE(distributed_scan, *boost::unit_test::precondition(test::can_run_ranks()))

namespace {

// Text of two characters, the first and the last of what was joined: joining is associative, and does not commute.
struct ends {
  std::uint16_t first;
  std::uint16_t last;
  std::uint32_t length;
  friend bool operator==(ends const& a, ends const& b) {
    return a.first == b.first && a.last == b.last && a.length == b.length;
  }
};
struct join {
  __host__ __device__ ends operator()(ends const& a, ends const& b) const {
    return {a.first, b.last, a.length + b.length};
  }
};
struct to_ends {
  __host__ __device__ ends operator()(std::uint16_t x) const { return {x, static_cast<std::uint16_t>(x + 1), 1}; }
};

std::vector<std::uint16_t> characters(std::size_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<std::uint16_t> made(count);
  for (auto& x : made) x = static_cast<std::uint16_t>(random());
  return made;
}

template <class Check>
void for_each_sharing(Check check) {
  test::for_each_sharing({3, 500, 9000, 3000000}, check);
}

// Runs scan(policy, first, last, out) on each rank, under both policies and in place, and compares with what is
// expected of the whole.
template <class Item, class Result, class Scan>
void check(test::rank_counts const& counts, std::uint32_t seed, std::vector<Item> const& whole,
           std::vector<Result> const& expected, Scan scan) {
  std::vector<std::vector<Result>> results(counts.size());
  std::vector<std::vector<Result>> results_nosync(counts.size());
  test::run_ranks(static_cast<int>(counts.size()), seed, [&](ncclComm_t comm, int rank) {
    auto const place = static_cast<std::size_t>(rank);
    test::buffer<Item> items(test::part_of(whole, counts, rank));
    test::buffer<Result> out(items.size());
    test::meet();
    if (scan(mgpu::par.over(comm), items.begin(), items.end(), out.begin()) != out.end()) {
      throw std::runtime_error("a scan returns another end");
    }
    results[place] = out.get();
    test::stream stream;
    scan(mgpu::par_nosync.on(stream).over(comm), items.begin(), items.end(), out.begin());
    test::require(cudaStreamSynchronize(stream));
    results_nosync[place] = out.get();
  });
  BOOST_TEST((test::joined(results) == expected));
  BOOST_TEST((test::joined(results_nosync) == expected));
}

}  // namespace

BOOST_AUTO_TEST_CASE(without_init) {
  for_each_sharing([](test::rank_counts const& counts, std::uint32_t seed) {
    auto const whole = characters(test::sum_of(counts), seed);
    std::vector<ends> expected;
    for (auto const x : whole) {
      expected.push_back(expected.empty() ? to_ends{}(x) : join{}(expected.back(), to_ends{}(x)));
    }
    check(counts, seed, whole, expected, [](auto const& policy, auto first, auto last, auto out) {
      return mgpu::transform_inclusive_scan(policy, first, last, out, to_ends{}, join{});
    });
  });
}

BOOST_AUTO_TEST_CASE(with_init) {
  for_each_sharing([](test::rank_counts const& counts, std::uint32_t seed) {
    auto const whole = characters(test::sum_of(counts), seed);
    ends const init{7, 9, 2};
    std::vector<ends> inclusive;
    std::vector<ends> exclusive;
    ends sum = init;
    for (auto const x : whole) {
      exclusive.push_back(sum);
      sum = join{}(sum, to_ends{}(x));
      inclusive.push_back(sum);
    }
    check(counts, seed, whole, inclusive, [&](auto const& policy, auto first, auto last, auto out) {
      return mgpu::transform_inclusive_scan(policy, first, last, out, to_ends{}, init, join{});
    });
    check(counts, seed, whole, exclusive, [&](auto const& policy, auto first, auto last, auto out) {
      return mgpu::transform_exclusive_scan(policy, first, last, out, to_ends{}, init, join{});
    });
  });
}

BOOST_AUTO_TEST_CASE(sums_in_place) {
  for_each_sharing([](test::rank_counts const& counts, std::uint32_t seed) {
    std::vector<std::uint32_t> whole;
    for (auto const x : characters(test::sum_of(counts), seed)) whole.push_back(x);
    std::vector<std::uint32_t> inclusive;
    std::vector<std::uint32_t> exclusive;
    std::uint32_t sum = 0;
    for (auto const x : whole) {
      exclusive.push_back(sum);
      inclusive.push_back(sum += x);
    }
    std::vector<std::vector<std::uint32_t>> inclusive_results(counts.size());
    std::vector<std::vector<std::uint32_t>> exclusive_results(counts.size());
    test::run_ranks(static_cast<int>(counts.size()), seed, [&](ncclComm_t comm, int rank) {
      auto const place = static_cast<std::size_t>(rank);
      test::buffer<std::uint32_t> items(test::part_of(whole, counts, rank));
      test::meet();
      mgpu::exclusive_scan(mgpu::par.over(comm), items.begin(), items.end(), items.begin());
      exclusive_results[place] = items.get();
      items.set(test::part_of(whole, counts, rank));
      mgpu::inclusive_scan(mgpu::par.over(comm), items.begin(), items.end(), items.begin());
      inclusive_results[place] = items.get();
    });
    BOOST_TEST((test::joined(inclusive_results) == inclusive));
    BOOST_TEST((test::joined(exclusive_results) == exclusive));
  });
}

// Items with copy constructors of their own go from rank to rank by their bytes. A reduction over ranks does alike.
BOOST_AUTO_TEST_CASE(self_copying_items) {
  using item = test::self_copying<24, 8>;
  test::rank_counts const counts{40, 0, 25};
  if (test::most_ranks() < 3) return;
  auto const whole = test::keys<item>(test::pattern::random, test::sum_of(counts));
  std::vector<item> expected;
  for (item const& x : whole) expected.push_back(expected.empty() ? x : expected.back() + x);
  std::vector<std::vector<item>> results(counts.size());
  std::vector<item> sums(counts.size());
  test::run_ranks(3, 1, [&](ncclComm_t comm, int rank) {
    auto const place = static_cast<std::size_t>(rank);
    test::buffer<item> items(test::part_of(whole, counts, rank));
    test::buffer<item> out(test::part_of(whole, counts, rank));
    test::meet();
    mgpu::inclusive_scan(mgpu::par.over(comm), items.begin(), items.end(), out.begin());
    results[place] = out.get();
    sums[place] = mgpu::reduce(mgpu::par.over(comm), items.begin(), items.end(), item::make(1, 0));
  });
  BOOST_TEST(test::same_bytes(test::joined(results), expected));
  for (item const& sum : sums) {
    BOOST_TEST(sum.is_whole());
    BOOST_TEST(sum.key() == (item::make(1, 0) + expected.back()).key());
    BOOST_TEST(sum.id() == (item::make(1, 0) + expected.back()).id());
  }
}

// A scan that does not wait can be captured; a reduction into memory can, too.
BOOST_AUTO_TEST_CASE(captures) {
  std::vector<cudaError_t> ends_of_captures(2, cudaErrorUnknown);
  test::run_ranks(2, 1, [&](ncclComm_t comm, int rank) {
    test::buffer<std::uint32_t> items(std::vector<std::uint32_t>(5000, 1));
    test::buffer<std::uint32_t> sum(1);
    auto const run = [&](cudaStream_t stream) {
      mgpu::inclusive_scan(mgpu::par_nosync.on(stream).over(comm), items.begin(), items.end(), items.begin());
      mgpu::reduce_into(mgpu::par_nosync.on(stream).over(comm), items.begin(), items.end(), sum.begin());
    };
    test::stream warm;
    test::meet();
    run(warm);  // kernels are loaded, and the communicator has its connections
    test::require(cudaStreamSynchronize(warm));
    test::captured_stream captured(cudaStreamCaptureModeThreadLocal);
    run(captured);
    ends_of_captures[static_cast<std::size_t>(rank)] = captured.end();
  });
  for (cudaError_t const status : ends_of_captures) BOOST_TEST(status == cudaSuccess);
}

#if !defined(MGPU_EMULATED)
// What was captured is run again, on other items.
BOOST_AUTO_TEST_CASE(replays) {
  constexpr std::size_t count = 5000;
  constexpr std::uint32_t first_item = 1, most_items = 3;
  using results = std::vector<std::vector<std::uint32_t>>;
  results scans(2 * most_items), sums(2 * most_items);
  test::run_ranks(2, 1, [&](ncclComm_t comm, int rank) {
    test::buffer<std::uint32_t> items(std::vector<std::uint32_t>(count, 0));
    test::buffer<std::uint32_t> out(count);
    test::buffer<std::uint32_t> sum(1);
    auto const run = [&](cudaStream_t stream) {
      auto const ranks = mgpu::par_nosync.on(stream).over(comm);
      mgpu::inclusive_scan(ranks, items.begin(), items.end(), out.begin());
      mgpu::reduce_into(ranks, items.begin(), items.end(), sum.begin());
    };
    test::stream stream;
    test::meet();
    run(stream);  // kernels are loaded, and the communicator has its connections
    test::require(cudaStreamSynchronize(stream));
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t replay = nullptr;
    test::require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    run(stream);
    test::require(cudaStreamEndCapture(stream, &graph));
    test::require(cudaGraphInstantiate(&replay, graph, 0));
    for (std::uint32_t item = first_item; item <= most_items; ++item) {
      test::require(cudaStreamSynchronize(stream));
      items.set(std::vector<std::uint32_t>(count, item));
      test::require(cudaGraphLaunch(replay, stream));
      test::require(cudaStreamSynchronize(stream));
      auto const place = static_cast<std::size_t>(2 * (item - first_item)) + static_cast<std::size_t>(rank);
      scans[place] = out.get();
      sums[place] = sum.get();
    }
    test::require(cudaGraphExecDestroy(replay));
    test::require(cudaGraphDestroy(graph));
  });
  for (std::uint32_t item = first_item; item <= most_items; ++item) {
    for (std::size_t rank = 0; rank < 2; ++rank) {
      std::size_t const place = 2 * (item - first_item) + rank;
      std::vector<std::uint32_t> expected;
      for (std::size_t i = 1; i <= count; ++i) {
        expected.push_back(item * static_cast<std::uint32_t>(rank * count + i));
      }
      BOOST_TEST((scans[place] == expected));
      BOOST_TEST((sums[place] == std::vector<std::uint32_t>{item * static_cast<std::uint32_t>(2 * count)}));
    }
  }
}
#endif

BOOST_AUTO_TEST_SUITE_END()
