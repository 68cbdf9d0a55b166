// The search for natural runs finds what there is, by loads of 16 bytes or of one key, wherever these begin.
#include <backend/merge_sort/natural_runs.h>
#include <backend/sorts.h>
#include <mgpu/detail/backend/merge_sort/natural_runs_kernel.cuh>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <set>
#include <vector>

BOOST_AUTO_TEST_SUITE(natural_runs_search, *boost::unit_test::precondition(test::can_run{}))

namespace {

template <class Key>
void check_sizes(std::initializer_list<std::size_t> counts) {
  for (std::size_t const count : counts) {
    BOOST_TEST_CONTEXT(sizeof(Key) << " B, " << count << " items") {
      test::sort_case<Key, std::uint32_t, test::ascending> const sort(
          test::made_of_runs<Key>(test::uneven(7, count, 5), 6), {});
      test::check_in_place(test::by_warps{}, sort);
    }
  }
}

}  // namespace

// These sizes are at the edges of what a block of the search looks at in a step, by loads of 16 bytes or of one key, and of
// what it has in all.
BOOST_AUTO_TEST_CASE(sizes) {
  check_sizes<std::uint32_t>({63, 8191, 8192, 8193, 8194, 16383, 16384, 16385, 16386, 32769});
  check_sizes<std::uint64_t>({63, 8191, 8192, 8193, 8194, 16385});
}

namespace {

// Sorts runs that begin at each place of 16 bytes.
template <class Key>
void check_places() {
  constexpr int items_of_load = 16 / sizeof(Key);
  for (int shift = 0; shift <= items_of_load; ++shift) {
    for (std::size_t const count : {64, 500 * items_of_load + 3, 16400}) {
      for (std::size_t const runs : {1, 2, 9}) {
        BOOST_TEST_CONTEXT(sizeof(Key) << " B, " << count << " items, " << runs << " runs, shifted by " << shift) {
          auto numbers = test::made_of_runs<Key>(test::uneven(runs, count, 4), 5);
          for (bool const is_reversed : {false, true}) {
            auto sorted = numbers;
            std::stable_sort(sorted.begin(), sorted.end());
            test::buffer<Key> keys(numbers, shift);
            mgpu::stable_sort(test::tuned(test::by_warps{}), keys.begin(), keys.end(), test::ascending{});
            BOOST_TEST(keys.get() == sorted);
            if (!is_reversed) numbers = test::reversed(numbers);
          }
        }
      }
    }
  }
}

}  // namespace

// A load of 16 bytes begins where memory allows it; what lies before the first and behind the last is looked at one by one.
BOOST_AUTO_TEST_CASE(places) {
  check_places<std::uint8_t>();
  check_places<std::uint16_t>();
  check_places<std::uint32_t>();
  check_places<std::uint64_t>();
}

namespace {

// Checks what the search alone finds where the thing to be found lies at edges of loads, threads, steps and blocks: keys
// that are larger than those around them.
template <class Key>
void check_search(int shift, int blocks) {
  constexpr int per_load = 16 / sizeof(Key);
  constexpr std::int64_t step = 16384;
  constexpr std::int64_t count = 2 * step + 700;
  std::set<std::int64_t> places;
  for (std::int64_t const edge :
       {std::int64_t{0}, std::int64_t{per_load}, std::int64_t{512}, std::int64_t{512 * per_load}, step / 2, step,
        2 * step, count / 3, count / 2, count * 2 / 3, count}) {
    for (std::int64_t place = edge - per_load - 2; place <= edge + per_load + 2; ++place)
      if (place > 1 && place < count) places.insert(place);
  }
  for (int const parity : {0, 1}) {
    std::vector<Key> keys(count, Key{5});
    std::vector<std::int64_t> expected;
    for (std::int64_t const place : places) {
      if (place % 2 != parity) continue;
      keys[static_cast<std::size_t>(place) - 1] = Key{9};
      expected.push_back(place);
    }
    test::buffer<Key> input(keys, static_cast<std::size_t>(shift));
    test::buffer<mgpu::detail::natural_runs> runs(std::vector<mgpu::detail::natural_runs>(1));
    using finder = mgpu::detail::natural_runs_finder<Key*, test::ascending>;
    test::run_kernel(mgpu::detail::merge_sort_find_runs_kernel<Key*, test::ascending>, blocks,
                     finder::threads_per_block, sizeof(typename finder::storage), input.begin(), count, 512, 4, true,
                     runs.begin(), test::ascending{});
    auto const found = runs.get()[0];
    BOOST_TEST(found.found.has_ascent == 1u);
    BOOST_REQUIRE(found.found.num_descents == expected.size());
    std::vector<std::int64_t> descents(found.descents, found.descents + expected.size());
    std::sort(descents.begin(), descents.end());
    BOOST_TEST(descents == expected, boost::test_tools::per_element());
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(search_alone) {
  for (int const blocks : {1, 2, 3}) {
    for (int const shift : {0, 1, 3}) {
      BOOST_TEST_CONTEXT(blocks << " blocks, shifted by " << shift) {
        check_search<std::uint8_t>(shift, blocks);
        check_search<std::uint16_t>(shift, blocks);
        check_search<std::uint32_t>(shift, blocks);
        check_search<std::uint64_t>(shift, blocks);
      }
    }
  }
}

namespace {

// A key whose assignment is its own.
struct own_assignment {
  std::uint32_t number;
  own_assignment() = default;
  own_assignment(own_assignment const&) = default;
  __host__ __device__ own_assignment& operator=(own_assignment const& other) {
    number = other.number;
    return *this;
  }
};

struct by_number {
  __host__ __device__ bool operator()(own_assignment a, own_assignment b) const { return a.number < b.number; }
};

}  // namespace

BOOST_AUTO_TEST_CASE(keys_with_an_assignment) {
  std::vector<own_assignment> keys(1000);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i].number = static_cast<std::uint32_t>(i * 7 % 1000);
  test::buffer<own_assignment> sorted(keys, 1);
  mgpu::sort(test::tuned(test::by_warps{}), sorted.begin(), sorted.end(), by_number{});
  auto const found = sorted.get();
  for (std::size_t i = 0; i < found.size(); ++i) BOOST_TEST(found[i].number == i);
}

namespace {

struct two_halves {
  std::uint16_t high;
  std::uint16_t low;
  __host__ __device__ std::uint32_t number() const { return static_cast<std::uint32_t>(high) << 16 | low; }
};

struct by_both_halves {
  __host__ __device__ bool operator()(two_halves a, two_halves b) const { return a.number() < b.number(); }
};

}  // namespace

// Keys that are not aligned to their size may lie where no load of 16 bytes begins with one.
BOOST_AUTO_TEST_CASE(keys_of_less_alignment) {
  std::vector<std::uint16_t> halves;
  for (std::uint16_t i = 0; i < 1000; ++i) halves.insert(halves.end(), {std::uint16_t{7}, i});
  test::buffer<std::uint16_t> memory(halves, 1);
  auto* const keys = reinterpret_cast<two_halves*>(memory.begin());
  mgpu::sort(test::tuned(test::by_warps{}), keys, keys + 1000, by_both_halves{});
  BOOST_TEST(memory.get() == halves);
}

BOOST_AUTO_TEST_SUITE_END()
