// A thread and a warp find where a diagonal crosses the merge of two runs, as a merge done step by step tells.
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/thread/merge_path.cuh>
#include <mgpu/detail/warp/merge_path.cuh>
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

constexpr unsigned threads_per_block = 128;

// The two runs lie in one array, at a and at b.
struct problem {
  std::int64_t a, a_count, b, b_count, diagonal;
};

template <class Comp>
__global__ void thread_kernel(int const* keys, problem const* problems, unsigned num_problems, std::int64_t* results,
                              Comp comp) {
  unsigned const i = mgpu::detail::simt::block_rank() * threads_per_block + mgpu::detail::simt::thread_rank();
  if (i >= num_problems) return;
  problem const of = problems[i];
  results[i] = mgpu::detail::merge_path(keys + of.a, of.a_count, keys + of.b, of.b_count, of.diagonal, comp);
}

template <class Comp>
__global__ void warp_kernel(int const* keys, problem const* problems, unsigned num_problems, std::int64_t* results,
                            Comp comp) {
  unsigned const i = mgpu::detail::simt::block_rank() * (threads_per_block / 32) + mgpu::detail::simt::warp();
  if (i >= num_problems) return;
  problem const of = problems[i];
  std::int64_t const found =
      mgpu::detail::warp_merge_path(keys + of.a, of.a_count, keys + of.b, of.b_count, of.diagonal, comp);
  if (mgpu::detail::simt::lane() == 31) results[i] = found;  // all lanes know it
}

// Holds all diagonals of many pairs of runs, with strangers between them.
class problems {
 public:
  // Sorts both runs.
  template <class Order>
  void add(std::vector<int> a, std::vector<int> b, Order order) {
    auto const comp = [&](int x, int y) { return order(test::number_of(x), test::number_of(y)); };
    problem of{};
    of.a = append(a, comp);
    of.a_count = static_cast<std::int64_t>(a.size());
    of.b = append(b, comp);
    of.b_count = static_cast<std::int64_t>(b.size());
    auto const from_a = test::merge_steps(a, b, order);
    for (std::size_t diagonal = 0; diagonal <= from_a.size(); ++diagonal) {
      auto const taken = std::count(from_a.begin(), from_a.begin() + static_cast<std::ptrdiff_t>(diagonal), true);
      of.diagonal = static_cast<std::int64_t>(diagonal);
      problems_.push_back(of);
      expected_.push_back(taken);
    }
  }

  template <class Order>
  void check(Order order) {
    auto const count = static_cast<unsigned>(problems_.size());
    BOOST_TEST((results(thread_kernel<test::guarded<Order>>, count, order) == expected_));
    BOOST_TEST((results(warp_kernel<test::guarded<Order>>, count * 32, order) == expected_));
  }

  // By a comparator that is no order, what a warp finds is within the runs.
  template <class Order>
  void check_bounds(Order order) {
    auto const found =
        results(warp_kernel<test::guarded<Order>>, static_cast<unsigned>(problems_.size()) * 32, order);
    for (std::size_t i = 0; i < found.size(); ++i) {
      problem const& of = problems_[i];
      BOOST_REQUIRE(found[i] >= std::max<std::int64_t>(of.diagonal - of.b_count, 0));
      BOOST_REQUIRE(found[i] <= std::min(of.diagonal, of.a_count));
    }
  }

 private:
  // Returns where the sorted run begins.
  template <class Comp>
  std::int64_t append(std::vector<int>& run, Comp comp) {
    std::sort(run.begin(), run.end(), comp);
    auto const begin = static_cast<std::int64_t>(keys_.size());
    keys_.insert(keys_.end(), run.begin(), run.end());
    keys_.push_back(test::stranger<int>());
    return begin;
  }

  // Checks that no stranger was compared.
  template <class Kernel, class Order>
  std::vector<std::int64_t> results(Kernel kernel, unsigned num_threads, Order order) const {
    test::stranger_flag strangers;
    test::buffer<int> keys(keys_);
    test::buffer<problem> of(problems_);
    test::buffer<std::int64_t> found(problems_.size());
    test::run_kernel(kernel, (num_threads + threads_per_block - 1) / threads_per_block, threads_per_block, 0,
                     keys.begin(), of.begin(), static_cast<unsigned>(problems_.size()), found.begin(),
                     strangers.comparator(order));
    BOOST_TEST(!strangers.raised());
    return found.get();
  }

  std::vector<int> keys_{test::stranger<int>()};
  std::vector<problem> problems_;
  std::vector<std::int64_t> expected_;
};

std::vector<int> numbers(std::size_t count, int num_distinct, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<int> made(count);
  for (int& number : made) number = static_cast<int>(random() % static_cast<unsigned>(num_distinct));
  return made;
}

struct always {
  __host__ __device__ bool operator()(std::uint64_t, std::uint64_t) const { return true; }
};
struct never {
  __host__ __device__ bool operator()(std::uint64_t, std::uint64_t) const { return false; }
};
struct by_parity_of_sum {
  __host__ __device__ bool operator()(std::uint64_t a, std::uint64_t b) const { return (a + b) % 2 != 0; }
};

}  // namespace

BOOST_AUTO_TEST_CASE(all_diagonals_of_small_runs) {
  problems up, down;
  test::for_each_pair_of_runs(0, 4, test::ascending{},
                              [&](auto const& a, auto const& b) { up.add(a, b, test::ascending{}); });
  test::for_each_pair_of_runs(0, 4, test::descending{},
                              [&](auto const& a, auto const& b) { down.add(a, b, test::descending{}); });
  up.check(test::ascending{});
  down.check(test::descending{});
}

// They are as long as a step of a warp's lanes looks at, a little more and less, and take two and three steps.
BOOST_AUTO_TEST_CASE(all_diagonals_of_longer_runs) {
  std::uint32_t seed = 0;
  for (std::size_t const a_count : {0, 1, 31, 32, 33, 63, 64, 65, 1100}) {
    for (std::size_t const b_count : {0, 1, 31, 32, 33, 64, 1023, 1100}) {
      problems made;
      for (int const num_distinct : {1, 3, 149}) {
        seed += 2;
        made.add(numbers(a_count, num_distinct, seed), numbers(b_count, num_distinct, seed + 1), test::ascending{});
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
  auto const property = [](std::vector<std::uint8_t> const& a, std::vector<std::uint8_t> const& b) {
    auto const keys = [](std::vector<std::uint8_t> const& of) {
      std::vector<int> made;
      for (auto const number : of) made.push_back(static_cast<int>(number % test::key_bound));
      return made;
    };
    problems made;
    made.add(keys(a), keys(b), test::ascending{});
    made.check(test::ascending{});
  };
  BOOST_TEST(rc::check("as many come from each run as in a merge step by step", property));
}

BOOST_AUTO_TEST_CASE(comparators_that_are_no_order) {
  problems made;
  for (std::size_t const count : {1, 32, 100, 1100}) {
    made.add(numbers(count, 149, 1), numbers(count / 2 + 5, 149, 2), test::ascending{});
  }
  made.check_bounds(always{});
  made.check_bounds(never{});
  made.check_bounds(by_parity_of_sum{});
}

BOOST_AUTO_TEST_SUITE_END()
