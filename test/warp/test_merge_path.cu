// A thread and a warp find where a diagonal crosses the merge of two runs, as a merge done step by step tells.
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/thread/merge_path.cuh>
#include <mgpu/detail/thread/merge_path_from_edges.cuh>
#include <mgpu/detail/warp/merge_path.cuh>
#include <support/always.h>
#include <support/device.h>
#include <support/guarded.h>
#include <boost/test/unit_test.hpp>
#include <rapidcheck.h>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

BOOST_AUTO_TEST_SUITE(merge_path, *boost::unit_test::precondition(test::can_run{}))

namespace {

struct problem {
  int a, a_count, b, b_count, diagonal;
};

constexpr unsigned threads_per_block = 128;

enum class way { by_thread, by_thread_from_edges, by_warp };

template <way how, class A, class B, class Offset, class Comp>
__device__ Offset find(A a, Offset a_count, B b, Offset b_count, Offset diagonal, Comp& comp) {
  if constexpr (how == way::by_thread) return mgpu::detail::merge_path(a, a_count, b, b_count, diagonal, comp);
  return mgpu::detail::merge_path_from_edges(a, a_count, b, b_count, diagonal, comp);
}

template <way how, class Offset, class Comp>
__global__ void thread_kernel(int const* keys, problem const* problems, unsigned num_problems, Offset* results,
                              Comp comp) {
  unsigned const i = mgpu::detail::simt::block_rank() * threads_per_block + mgpu::detail::simt::thread_rank();
  if (i >= num_problems) return;
  problem const p = problems[i];
  results[i] = find<how>(keys + p.a, static_cast<Offset>(p.a_count), keys + p.b, static_cast<Offset>(p.b_count),
                         static_cast<Offset>(p.diagonal), comp);
}

// Any lane knows the result.
template <class Comp>
__global__ void warp_kernel(int const* keys, problem const* problems, unsigned num_problems, std::int64_t* results,
                            Comp comp) {
  unsigned const i = mgpu::detail::simt::block_rank() * (threads_per_block / 32) + mgpu::detail::simt::warp();
  if (i >= num_problems) return;
  problem const p = problems[i];
  std::int64_t const found =
      mgpu::detail::warp_merge_path(keys + p.a, p.a_count, keys + p.b, p.b_count, p.diagonal, comp);
  if (mgpu::detail::simt::lane() == i % 32) results[i] = found;
}

// Holds all diagonals of many pairs of runs, with strangers between the runs.
class problems {
 public:
  template <class Order>
  void add(std::vector<int> const& a, std::vector<int> const& b, Order order) {
    int const a_begin = append(a);
    int const b_begin = append(b);
    std::vector<bool> const from_a = test::merge_steps(a, b, order);
    int expected = 0;
    for (std::size_t diagonal = 0; diagonal <= from_a.size(); ++diagonal) {
      problems_.push_back(
          {a_begin, static_cast<int>(a.size()), b_begin, static_cast<int>(b.size()), static_cast<int>(diagonal)});
      expected_.push_back(expected);
      if (diagonal < from_a.size()) expected += from_a[diagonal];
    }
  }

  template <class Order>
  void check(Order order) const {
    using comp = test::guarded<Order>;
    auto const count = static_cast<unsigned>(problems_.size());
    check_found(found<int>(thread_kernel<way::by_thread, int, comp>, count, order));
    check_found(found<std::int64_t>(thread_kernel<way::by_thread, std::int64_t, comp>, count, order));
    check_found(found<std::int64_t>(thread_kernel<way::by_thread_from_edges, std::int64_t, comp>, count, order));
    check_found(found<std::int64_t>(warp_kernel<comp>, 32 * count, order));
  }

  // By a comparator that is no order, what is found lies within the runs.
  template <class Order>
  void check_bounds(Order order) const {
    using comp = test::guarded<Order>;
    auto const count = static_cast<unsigned>(problems_.size());
    for (auto const& of_way :
         {found<std::int64_t>(warp_kernel<comp>, 32 * count, order),
          found<std::int64_t>(thread_kernel<way::by_thread_from_edges, std::int64_t, comp>, count, order)}) {
      for (std::size_t i = 0; i < problems_.size(); ++i) {
        problem const& p = problems_[i];
        BOOST_REQUIRE(of_way[i] >= std::max(p.diagonal - p.b_count, 0));
        BOOST_REQUIRE(of_way[i] <= std::min(p.diagonal, p.a_count));
      }
    }
  }

 private:
  // Checks that only items of the runs were compared.
  template <class Offset, class Kernel, class Order>
  std::vector<Offset> found(Kernel kernel, unsigned num_threads, Order order) const {
    test::stranger_flag strangers;
    test::buffer<int> keys(keys_);
    test::buffer<problem> problems(problems_);
    test::buffer<Offset> results(problems_.size());
    test::run_kernel(kernel, (num_threads + threads_per_block - 1) / threads_per_block, threads_per_block, 0,
                     keys.begin(), problems.begin(), static_cast<unsigned>(problems_.size()), results.begin(),
                     strangers.comparator(order));
    BOOST_TEST(!strangers.raised());
    return results.get();
  }
  template <class Offset>
  void check_found(std::vector<Offset> const& found) const {
    auto const first_wrong = std::mismatch(found.begin(), found.end(), expected_.begin()).first - found.begin();
    BOOST_TEST(static_cast<std::size_t>(first_wrong) == problems_.size());
  }

  int append(std::vector<int> const& run) {
    auto const begin = static_cast<int>(keys_.size());
    keys_.insert(keys_.end(), run.begin(), run.end());
    keys_.push_back(test::stranger<int>());
    return begin;
  }
  std::vector<int> keys_{test::stranger<int>()};
  std::vector<problem> problems_;
  std::vector<int> expected_;
};

template <class Order>
void check_small_pairs(Order order) {
  problems made;
  test::for_each_pair_of_runs(0, 5, order, [&](auto const& a, auto const& b) { made.add(a, b, order); });
  made.check(order);
}

std::vector<int> sorted_numbers(std::size_t count, unsigned num_distinct, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<int> run(count);
  for (int& number : run) number = static_cast<int>(random() % num_distinct);
  std::sort(run.begin(), run.end());
  return run;
}

struct never {
  __host__ __device__ bool operator()(std::uint64_t, std::uint64_t) const { return false; }
};
struct if_sum_is_odd {
  __host__ __device__ bool operator()(std::uint64_t a, std::uint64_t b) const { return (a + b) % 2 != 0; }
};

// Item i is i * step + first.
struct line {
  using value_type = std::int64_t;
  std::int64_t place, step, first;
  __host__ __device__ friend line operator+(line it, std::int64_t distance) {
    it.place += distance;
    return it;
  }
  __host__ __device__ std::int64_t operator*() const { return place * step + first; }
};

struct less_int64 {
  __host__ __device__ bool operator()(std::int64_t a, std::int64_t b) const { return a < b; }
};

// The threads of a block have a diagonal each, or its warps.
template <way how>
__global__ void merge_lines_kernel(line a, std::int64_t a_count, line b, std::int64_t b_count,
                                   std::int64_t const* diagonals, std::int64_t* results) {
  less_int64 comp;
  if constexpr (how == way::by_warp) {
    unsigned const i = mgpu::detail::simt::warp();
    std::int64_t const found = mgpu::detail::warp_merge_path(a, a_count, b, b_count, diagonals[i], comp);
    if (mgpu::detail::simt::lane() == 0) results[i] = found;
  } else {
    unsigned const i = mgpu::detail::simt::thread_rank();
    results[i] = find<how>(a, a_count, b, b_count, diagonals[i], comp);
  }
}

template <way how>
std::vector<std::int64_t> merge_lines(line a, std::int64_t a_count, line b, std::int64_t b_count,
                                      std::vector<std::int64_t> const& diagonals) {
  test::buffer<std::int64_t> in(diagonals);
  test::buffer<std::int64_t> out(diagonals.size());
  auto const count = static_cast<unsigned>(diagonals.size());
  test::run_kernel(merge_lines_kernel<how>, 1, how == way::by_warp ? 32 * count : count, 0, a, a_count, b, b_count,
                   in.begin(), out.begin());
  return out.get();
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_diagonals_of_small_runs) { check_small_pairs(test::ascending{}); }

BOOST_AUTO_TEST_CASE(descending_order) { check_small_pairs(test::descending{}); }

// The runs are as long as a step of a warp's lanes looks at, a little more and less, and take two steps and three.
BOOST_AUTO_TEST_CASE(all_diagonals_of_longer_runs) {
  std::uint32_t seed = 0;
  for (std::size_t const a_count : {0, 1, 31, 32, 33, 64, 1100}) {
    for (std::size_t const b_count : {0, 1, 32, 33, 65, 1023, 1100}) {
      problems made;
      for (unsigned const num_distinct : {1u, 3u, test::key_bound}) {
        seed += 2;
        made.add(sorted_numbers(a_count, num_distinct, seed), sorted_numbers(b_count, num_distinct, seed + 1),
                 test::ascending{});
      }
      BOOST_TEST_CONTEXT(a_count << " and " << b_count << " items") { made.check(test::ascending{}); }
    }
  }
}

BOOST_AUTO_TEST_CASE(one_run_before_the_other) {
  problems made;
  made.add(std::vector<int>(500, 1), std::vector<int>(700, 2), test::ascending{});
  made.add(std::vector<int>(500, 2), std::vector<int>(700, 1), test::ascending{});
  made.check(test::ascending{});
}

BOOST_AUTO_TEST_CASE(random_runs) {
  auto const property = [](std::vector<std::uint8_t> const& some, std::vector<std::uint8_t> const& others) {
    auto const sorted = [](std::vector<std::uint8_t> const& numbers) {
      std::vector<int> run;
      for (auto const number : numbers) run.push_back(number % test::key_bound);
      std::sort(run.begin(), run.end());
      return run;
    };
    problems made;
    made.add(sorted(some), sorted(others), test::ascending{});
    made.check(test::ascending{});
  };
  BOOST_TEST(rc::check("as many come from a as in a merge step by step", property));
}

BOOST_AUTO_TEST_CASE(comparators_that_are_no_order) {
  problems made;
  for (std::size_t const count : {1, 32, 100, 1100}) {
    made.add(sorted_numbers(count, test::key_bound, 1), sorted_numbers(count / 2 + 5, test::key_bound, 2),
             test::ascending{});
  }
  made.check_bounds(test::always{});
  made.check_bounds(never{});
  made.check_bounds(if_sum_is_odd{});
}

template <way how>
void check_runs_beyond_32_bits() {
  constexpr std::int64_t count = std::int64_t{1} << 40;
  std::vector<std::int64_t> const diagonals{
      0, 1, 2, 3, count / 2, count, count + 1, (std::int64_t{1} << 32) + 1, 2 * count, 2 * count - 1};
  auto const merged = [&](line a, line b) { return merge_lines<how>(a, count, b, count, diagonals); };
  // The merge takes from a and b in turn, which have the even and the odd numbers.
  auto const in_turn = merged({0, 2, 0}, {0, 2, 1});
  // All items are equal here, so a comes first.
  auto const equal = merged({0, 0, 7}, {0, 0, 7});
  // All of b lies before all of a.
  auto const b_first = merged({0, 1, count}, {0, 1, 0});
  for (std::size_t i = 0; i < diagonals.size(); ++i) {
    BOOST_TEST_CONTEXT("diagonal " << diagonals[i]) {
      BOOST_TEST(in_turn[i] == (diagonals[i] + 1) / 2);
      BOOST_TEST(equal[i] == std::min(diagonals[i], count));
      BOOST_TEST(b_first[i] == std::max(diagonals[i] - count, std::int64_t{0}));
    }
  }
}
BOOST_AUTO_TEST_CASE(runs_beyond_32_bits) {
  check_runs_beyond_32_bits<way::by_thread>();
  check_runs_beyond_32_bits<way::by_thread_from_edges>();
  check_runs_beyond_32_bits<way::by_warp>();
}

BOOST_AUTO_TEST_SUITE_END()
