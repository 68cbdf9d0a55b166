// merge_path agrees with a merge done step by step, on every diagonal.
#include <mgpu/detail/thread/merge_path.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <support/device.h>
#include <support/guarded.h>
#include <boost/test/unit_test.hpp>
#include <rapidcheck.h>
#include <algorithm>
#include <cstdint>
#include <vector>

BOOST_AUTO_TEST_SUITE(merge_path, *boost::unit_test::precondition(test::can_run{}))

namespace {

struct problem {
  int a, a_count, b, b_count, diagonal;
};

template <class Offset, class Comp>
__global__ void merge_path_kernel(int const* keys, problem const* problems, int num_problems, Offset* results,
                                  Comp comp) {
  auto const i = static_cast<int>(mgpu::detail::simt::block_rank() * 128 + mgpu::detail::simt::thread_rank());
  if (i >= num_problems) return;
  problem const p = problems[i];
  results[i] = mgpu::detail::merge_path(keys + p.a, static_cast<Offset>(p.a_count), keys + p.b,
                                        static_cast<Offset>(p.b_count), static_cast<Offset>(p.diagonal), comp);
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

  // Returns the first problem that is solved wrongly, or how many there are.
  template <class Offset, class Order>
  std::size_t first_wrong(Order order) {
    test::stranger_flag strangers;
    test::buffer<int> keys(keys_);
    test::buffer<problem> problems(problems_);
    test::buffer<Offset> results(problems_.size());
    auto const count = static_cast<unsigned>(problems_.size());
    test::run_kernel(merge_path_kernel<Offset, test::guarded<Order>>, (count + 127) / 128, 128, 0, keys.begin(),
                     problems.begin(), static_cast<int>(count), results.begin(), strangers.comparator(order));
    BOOST_TEST(!strangers.raised());
    auto const found = results.get();
    return static_cast<std::size_t>(std::mismatch(found.begin(), found.end(), expected_.begin()).first -
                                    found.begin());
  }
  std::size_t size() const { return problems_.size(); }

 private:
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
problems all_small_pairs(Order order) {
  problems made;
  test::for_each_pair_of_runs(0, 5, order, [&](auto const& a, auto const& b) { made.add(a, b, order); });
  return made;
}

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

__global__ void merge_lines_kernel(line a, std::int64_t a_count, line b, std::int64_t b_count,
                                   std::int64_t const* diagonals, std::int64_t* results) {
  less_int64 comp;
  unsigned const i = mgpu::detail::simt::thread_rank();
  results[i] = mgpu::detail::merge_path(a, a_count, b, b_count, diagonals[i], comp);
}

std::vector<std::int64_t> merge_lines(line a, std::int64_t a_count, line b, std::int64_t b_count,
                                      std::vector<std::int64_t> const& diagonals) {
  test::buffer<std::int64_t> in(diagonals);
  test::buffer<std::int64_t> out(diagonals.size());
  test::run_kernel(merge_lines_kernel, 1, static_cast<unsigned>(diagonals.size()), 0, a, a_count, b, b_count,
                   in.begin(), out.begin());
  return out.get();
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_diagonals_of_small_runs) {
  auto made = all_small_pairs(test::ascending{});
  BOOST_TEST(made.first_wrong<int>(test::ascending{}) == made.size());
  BOOST_TEST(made.first_wrong<std::int64_t>(test::ascending{}) == made.size());
}

BOOST_AUTO_TEST_CASE(descending_order) {
  auto made = all_small_pairs(test::descending{});
  BOOST_TEST(made.first_wrong<int>(test::descending{}) == made.size());
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
    RC_ASSERT(made.first_wrong<int>(test::ascending{}) == made.size());
  };
  BOOST_TEST(rc::check("as many come from a as in a merge step by step", property));
}

BOOST_AUTO_TEST_CASE(runs_beyond_32_bits) {
  constexpr std::int64_t count = std::int64_t{1} << 40;
  std::vector<std::int64_t> const diagonals{
      0, 1, 2, 3, count / 2, count, count + 1, (std::int64_t{1} << 32) + 1, 2 * count, 2 * count - 1};
  // Of even numbers and odd ones the merge takes from a and b in turn.
  auto const in_turn = merge_lines({0, 2, 0}, count, {0, 2, 1}, count, diagonals);
  // Where all are equal, a comes first.
  auto const equal = merge_lines({0, 0, 7}, count, {0, 0, 7}, count, diagonals);
  // All of b lies before all of a.
  auto const b_first = merge_lines({0, 1, count}, count, {0, 1, 0}, count, diagonals);
  for (std::size_t i = 0; i < diagonals.size(); ++i) {
    BOOST_TEST_CONTEXT("diagonal " << diagonals[i]) {
      BOOST_TEST(in_turn[i] == (diagonals[i] + 1) / 2);
      BOOST_TEST(equal[i] == std::min(diagonals[i], count));
      BOOST_TEST(b_first[i] == std::max(diagonals[i] - count, std::int64_t{0}));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
