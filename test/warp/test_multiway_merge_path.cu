// A thread and a warp find where a diagonal crosses the merge of four runs, as a merge done step by step tells.
#include <mgpu/detail/thread/multiway_merge_path.cuh>
#include <mgpu/detail/warp/multiway_merge_path.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <support/device.h>
#include <support/guarded.h>
#include <boost/test/unit_test.hpp>
#include <rapidcheck.h>
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

BOOST_AUTO_TEST_SUITE(multiway_merge_path, *boost::unit_test::precondition(test::can_run{}))

namespace {

constexpr int num_runs = 4;
constexpr unsigned threads_per_block = 128;
using shares = std::array<std::int64_t, num_runs>;

struct problem {
  mgpu::detail::run_group runs;
  std::int64_t diagonal;
};

template <class Comp>
__global__ void thread_kernel(int const* keys, problem const* problems, unsigned num_problems, std::int64_t* results,
                              Comp comp) {
  unsigned const i = mgpu::detail::simt::block_rank() * threads_per_block + mgpu::detail::simt::thread_rank();
  if (i >= num_problems) return;
  std::int64_t taken[num_runs];
  mgpu::detail::multiway_merge_path(keys, problems[i].runs, problems[i].diagonal, taken, comp);
  for (int r = 0; r < num_runs; ++r) results[i * num_runs + static_cast<unsigned>(r)] = taken[r];
}

template <class Comp>
__global__ void warp_kernel(int const* keys, problem const* problems, unsigned num_problems, std::int64_t* results,
                            Comp comp) {
  unsigned const i = mgpu::detail::simt::block_rank() * (threads_per_block / 32) + mgpu::detail::simt::warp();
  if (i >= num_problems) return;
  mgpu::detail::warp_multiway_merge_path<num_runs>(keys, problems[i].runs, static_cast<int>(problems[i].diagonal),
                                                   results + i * num_runs, comp);
}

// Holds all diagonals of many groups of runs, with strangers between the groups.
class problems {
 public:
  // Sorts the runs of run_items that the numbers are.
  template <class Order>
  void add(std::vector<int> numbers, std::size_t run_items, Order order) {
    auto const comp = [&](int a, int b) { return order(test::number_of(a), test::number_of(b)); };
    auto const begin = static_cast<std::int64_t>(keys_.size());
    std::array<std::size_t, num_runs + 1> ends{};
    for (std::size_t r = 0; r < num_runs; ++r) {
      ends[r + 1] = std::min((r + 1) * run_items, numbers.size());
      std::sort(numbers.begin() + static_cast<std::ptrdiff_t>(ends[r]),
                numbers.begin() + static_cast<std::ptrdiff_t>(ends[r + 1]), comp);
    }
    keys_.insert(keys_.end(), numbers.begin(), numbers.end());
    keys_.push_back(test::stranger<int>());
    mgpu::detail::run_group const runs{begin, static_cast<std::int64_t>(run_items),
                                       begin + static_cast<std::int64_t>(numbers.size())};

    shares taken{};
    for (std::size_t diagonal = 0; diagonal <= numbers.size(); ++diagonal) {
      problems_.push_back({runs, static_cast<std::int64_t>(diagonal)});
      expected_.insert(expected_.end(), taken.begin(), taken.end());
      std::size_t first = num_runs;
      auto const head = [&](std::size_t r) { return ends[r] + static_cast<std::size_t>(taken[r]); };
      for (std::size_t r = 0; r < num_runs; ++r) {
        if (head(r) == ends[r + 1]) continue;
        if (first == num_runs || comp(numbers[head(r)], numbers[head(first)])) first = r;
      }
      if (first < num_runs) ++taken[first];
    }
  }

  template <class Order>
  void check(Order order) {
    for_each_kernel<Order>([&](auto kernel, unsigned num_blocks) {
      auto const found = results_of(kernel, num_blocks, order);
      auto const wrong = std::mismatch(found.begin(), found.end(), expected_.begin()).first - found.begin();
      BOOST_TEST(wrong == static_cast<std::ptrdiff_t>(expected_.size()));
    });
  }
  // Checks what holds by any comparator: no run gives more than it has, and together they give as many as are asked for.
  template <class Order>
  void check_sums(Order order) {
    for_each_kernel<Order>([&](auto kernel, unsigned num_blocks) {
      auto const found = results_of(kernel, num_blocks, order);
      std::size_t num_wrong = 0;
      for (std::size_t i = 0; i < problems_.size(); ++i) {
        std::int64_t sum = 0;
        for (int run = 0; run < num_runs; ++run) {
          std::int64_t const taken = found[i * num_runs + static_cast<std::size_t>(run)];
          auto const& runs = problems_[i].runs;
          if (taken < 0 || taken > runs.run_end(run) - runs.run_begin(run)) ++num_wrong;
          sum += taken;
        }
        if (sum != problems_[i].diagonal) ++num_wrong;
      }
      BOOST_TEST(num_wrong == 0u);
    });
  }

 private:
  template <class Order, class Visit>
  void for_each_kernel(Visit visit) {
    auto const count = static_cast<unsigned>(problems_.size());
    visit(thread_kernel<test::guarded<Order>>, (count + threads_per_block - 1) / threads_per_block);
    unsigned const num_blocks = (count * 32 + threads_per_block - 1) / threads_per_block;
    visit(warp_kernel<test::guarded<Order>>, num_blocks);
  }
  template <class Kernel, class Order>
  std::vector<std::int64_t> results_of(Kernel kernel, unsigned num_blocks, Order order) {
    test::stranger_flag strangers;
    test::buffer<int> keys(keys_);
    test::buffer<problem> problems(problems_);
    test::buffer<std::int64_t> results(expected_.size());
    test::run_kernel(kernel, num_blocks, threads_per_block, 0, keys.begin(), problems.begin(),
                     static_cast<unsigned>(problems_.size()), results.begin(), strangers.comparator(order));
    BOOST_TEST(!strangers.raised());
    return results.get();
  }

  std::vector<int> keys_{test::stranger<int>()};
  std::vector<problem> problems_;
  std::vector<std::int64_t> expected_;
};

// Visits every way to fill so many items from so few numbers.
template <class Visit>
void for_each_filling(std::size_t num_items, int num_distinct, Visit visit) {
  std::vector<int> numbers(num_items, 0);
  for (;;) {
    visit(numbers);
    std::size_t i = 0;
    while (i < num_items && ++numbers[i] == num_distinct) numbers[i++] = 0;
    if (i == num_items) return;
  }
}

// Item i of the merge is i: run r holds the numbers that are r modulo num_runs.
struct in_turn {
  using value_type = std::int64_t;
  std::int64_t run_items;
  std::int64_t place;
  __host__ __device__ friend in_turn operator+(in_turn it, std::int64_t distance) {
    it.place += distance;
    return it;
  }
  __host__ __device__ std::int64_t operator*() const { return place % run_items * num_runs + place / run_items; }
};

// These are no orders.
struct always {
  __host__ __device__ bool operator()(std::uint64_t, std::uint64_t) const { return true; }
};
struct not_after {
  __host__ __device__ bool operator()(std::uint64_t a, std::uint64_t b) const { return a <= b; }
};
struct circular {
  __host__ __device__ bool operator()(std::uint64_t a, std::uint64_t b) const { return (b + 15 - a) % 3 == 1; }
};

struct less_int64 {
  __host__ __device__ bool operator()(std::int64_t a, std::int64_t b) const { return a < b; }
};

__global__ void in_turn_kernel(std::int64_t run_items, std::int64_t const* diagonals, std::int64_t* results) {
  less_int64 comp;
  unsigned const i = mgpu::detail::simt::thread_rank();
  std::int64_t taken[num_runs];
  mgpu::detail::multiway_merge_path(in_turn{run_items, 0}, {0, run_items, num_runs * run_items}, diagonals[i], taken,
                                    comp);
  for (int r = 0; r < num_runs; ++r) results[i * num_runs + static_cast<unsigned>(r)] = taken[r];
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_diagonals_of_small_runs) {
  for (std::size_t const run_items : {1, 2}) {
    problems up, down;
    for (std::size_t count = 0; count <= num_runs * run_items; ++count) {
      for_each_filling(count, 2, [&](std::vector<int> const& numbers) {
        up.add(numbers, run_items, test::ascending{});
        down.add(numbers, run_items, test::descending{});
      });
    }
    up.check(test::ascending{});
    down.check(test::descending{});
  }
}

// The runs are longer than one step takes, and than a step of a warp's lanes looks at; all runs are there, or some.
BOOST_AUTO_TEST_CASE(all_diagonals_of_longer_runs) {
  using filling = int (*)(std::size_t i, std::size_t count);
  std::vector<filling> const fillings{
      [](std::size_t i, std::size_t) { return static_cast<int>(i * 7919 % 149); },
      [](std::size_t i, std::size_t) { return static_cast<int>(i * 7919 % 3); },
      [](std::size_t, std::size_t) { return 5; },
      [](std::size_t i, std::size_t count) { return static_cast<int>(i * 149 / count); },
      [](std::size_t i, std::size_t count) { return static_cast<int>((count - i) * 149 / (count + 1)); },
      [](std::size_t i, std::size_t count) { return i < count / 3 ? 140 : static_cast<int>(i % 140); }};
  for (std::size_t const run_items : {7, 8, 9, 64}) {
    for (std::size_t const missing : {std::size_t{0}, std::size_t{1}, run_items + 3, 2 * run_items, 3 * run_items}) {
      std::size_t const count = num_runs * run_items - missing;
      problems made;
      for (filling const fill : fillings) {
        std::vector<int> numbers(count);
        for (std::size_t i = 0; i < count; ++i) numbers[i] = fill(i, count);
        made.add(numbers, run_items, test::ascending{});
      }
      BOOST_TEST_CONTEXT(count << " items in runs of " << run_items) { made.check(test::ascending{}); }
    }
  }
}

// By a comparator that is no order the search ends, too.
BOOST_AUTO_TEST_CASE(no_order) {
  for (std::size_t const count : {5, 32, 111, 256}) {
    problems made;
    std::vector<int> numbers(count);
    for (std::size_t i = 0; i < count; ++i) numbers[i] = static_cast<int>(i * 7919 % 13);
    made.add(numbers, (count + num_runs - 1) / num_runs, test::ascending{});
    BOOST_TEST_CONTEXT(count << " items") {
      made.check_sums(always{});
      made.check_sums(not_after{});
      made.check_sums(circular{});
    }
  }
}

BOOST_AUTO_TEST_CASE(random_runs) {
  auto const property = [](std::vector<std::uint8_t> const& some) {
    std::vector<int> numbers;
    for (auto const number : some) numbers.push_back(static_cast<int>(number % test::key_bound));
    problems made;
    made.add(numbers, some.size() / 4 + 1, test::ascending{});
    made.check(test::ascending{});
  };
  BOOST_TEST(rc::check("as many come from each run as in a merge step by step", property));
}

// The tiles have as many items as no real tile has, so that places are beyond 32 bits.
BOOST_AUTO_TEST_CASE(groups_of_tiles) {
  constexpr std::int64_t tile_items = (std::int64_t{1} << 40) + 1;
  for (std::int64_t const width : {1, 2, 8}) {
    std::int64_t const group = num_runs * width;
    for (std::int64_t const num_tiles : {group, group + 1, 3 * group - 1}) {
      std::int64_t const num_items = num_tiles * tile_items - 5;
      for (std::int64_t tile = 0; tile < num_tiles; ++tile) {
        BOOST_TEST_CONTEXT("tile " << tile << " of " << num_tiles << ", runs of " << width) {
          auto const runs = mgpu::detail::find_run_group(tile, width, num_runs, tile_items, num_items);
          std::int64_t const first = tile / group * group;
          for (int r = 0; r <= num_runs; ++r) {
            BOOST_TEST(runs.run_begin(r) == std::min((first + r * width) * tile_items, num_items));
          }
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(runs_beyond_32_bits) {
  constexpr std::int64_t run_items = std::int64_t{1} << 40;
  std::vector<std::int64_t> const diagonals{
      0, 1, 2, 5, run_items, (std::int64_t{1} << 32) + 3, num_runs * run_items - 1, num_runs * run_items};
  test::buffer<std::int64_t> in(diagonals);
  test::buffer<std::int64_t> out(diagonals.size() * num_runs);
  test::run_kernel(in_turn_kernel, 1, static_cast<unsigned>(diagonals.size()), 0, run_items, in.begin(), out.begin());
  auto const found = out.get();
  for (std::size_t i = 0; i < diagonals.size(); ++i) {
    for (std::size_t r = 0; r < num_runs; ++r) {
      BOOST_TEST(found[i * num_runs + r] == (diagonals[i] + num_runs - 1 - static_cast<std::int64_t>(r)) / num_runs);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
