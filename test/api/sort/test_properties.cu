// Sorting and merging have these properties on random inputs, with random tunings and, over the emulator, schedules.
#include <mgpu/merge.h>
#include <mgpu/sort.h>
#include <mgpu/sort_copy.h>
#include <support/items.h>
#include <support/tunings.h>
#if defined(MGPU_EMULATED)
#include <emulator/emulator.h>
#endif
#include <rapidcheck.h>
#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

BOOST_AUTO_TEST_SUITE(properties, *boost::unit_test::precondition(test::can_run{}))

namespace {

// Runs the kernels of a scope under a drawn schedule.
class any_schedule {
#if defined(MGPU_EMULATED)
 public:
  any_schedule() : scope_(mgpu::emulator::schedule(*rc::gen::arbitrary<std::uint64_t>())) {}

 private:
  mgpu::emulator::with_options scope_;
#else
 public:
  any_schedule() {}
#endif
};

// Draws few or many distinct keys, from none to some tiles of the small tunings.
template <class T>
std::vector<T> any_keys() {
  auto const draws = *rc::gen::scale(12.0, rc::gen::arbitrary<std::vector<std::uint16_t>>());
  auto const distinct = *rc::gen::element(1, 2, 7, 300, 65536);
  std::vector<T> made;
  for (std::uint16_t const draw : draws) made.push_back(static_cast<T>(draw % distinct - 3));
  return made;
}

// Calls run(policy) with a tuning from a fixed set.
template <class Run>
void with_any_tuning(Run run) {
  switch (*rc::gen::inRange(0, 3)) {
    case 0:
      return run(test::tuned(test::tiny_sort{}));
    case 1:
      return run(test::tuned(test::small_sort{}));
    default:
      return run(test::tuned(test::split_sort{}));
  }
}

template <class T>
void stable_sort_by_key_is_stable() {
  any_schedule const schedule;
  auto const input = any_keys<T>();
  std::vector<std::uint32_t> places(input.size());
  std::iota(places.begin(), places.end(), 0u);
  test::buffer<T> keys(input);
  test::buffer<std::uint32_t> values(places);
  with_any_tuning(
      [&](auto const& policy) { mgpu::stable_sort_by_key(policy, keys.begin(), keys.end(), values.begin()); });
  auto const order = test::stable_order<T>(input, std::less<>{});
  RC_ASSERT(keys.get() == test::permuted(input, order));
  RC_ASSERT(values.get() == test::permuted(places, order));
}

void sort_is_a_sorted_permutation() {
  any_schedule const schedule;
  auto const input = any_keys<std::int32_t>();
  test::buffer<std::int32_t> keys(input, *rc::gen::inRange<std::size_t>(0, 4));
  with_any_tuning([&](auto const& policy) { mgpu::sort(policy, keys.begin(), keys.end()); });
  auto const result = keys.get();
  RC_ASSERT(std::is_sorted(result.begin(), result.end()));
  RC_ASSERT(std::is_permutation(result.begin(), result.end(), input.begin(), input.end()));

  with_any_tuning([&](auto const& policy) { mgpu::sort(policy, keys.begin(), keys.end()); });
  RC_ASSERT(keys.get() == result);
}

void argsort_gathers_what_sort_gives() {
  any_schedule const schedule;
  auto const input = any_keys<std::int32_t>();
  test::buffer<std::int32_t> keys(input);
  test::buffer<std::uint32_t> indices(input.size());
  with_any_tuning([&](auto const& policy) { mgpu::argsort(policy, keys.begin(), keys.end(), indices.begin()); });
  auto const order = indices.get();
  std::vector<bool> seen(input.size(), false);
  for (std::uint32_t const place : order) {
    RC_ASSERT(place < input.size());
    RC_ASSERT(!seen[place]);
    seen[place] = true;
  }
  for (std::size_t i = 1; i < order.size(); ++i) {
    RC_ASSERT(input[order[i - 1]] < input[order[i]] ||
              (input[order[i - 1]] == input[order[i]] && order[i - 1] < order[i]));
  }
}

void merge_is_a_stable_sort_of_both_ranges() {
  any_schedule const schedule;
  auto input = any_keys<std::int32_t>();
  auto const count1 = static_cast<std::ptrdiff_t>(*rc::gen::inRange<std::size_t>(0, input.size() + 1));
  std::sort(input.begin(), input.begin() + count1);
  std::sort(input.begin() + count1, input.end());
  std::vector<std::uint32_t> places(input.size());
  std::iota(places.begin(), places.end(), 0u);
  test::buffer<std::int32_t> keys(input);
  test::buffer<std::uint32_t> values(places);
  test::buffer<std::int32_t> keys_out(input.size());
  test::buffer<std::uint32_t> values_out(input.size());
  auto const middle = keys.begin() + count1;
  mgpu::merge_by_key(test::tuned(test::small_merge{}), keys.begin(), middle, middle, keys.end(), values.begin(),
                     values.begin() + count1, keys_out.begin(), values_out.begin());
  auto const order = test::stable_order<std::int32_t>(input, std::less<>{});
  RC_ASSERT(keys_out.get() == test::permuted(input, order));
  RC_ASSERT(values_out.get() == test::permuted(places, order));
}

}  // namespace

BOOST_AUTO_TEST_CASE(stability) {
  BOOST_TEST(rc::check("stable_sort_by_key is stable for int", stable_sort_by_key_is_stable<std::int32_t>));
  BOOST_TEST(rc::check("stable_sort_by_key is stable for bytes", stable_sort_by_key_is_stable<std::uint8_t>));
  BOOST_TEST(rc::check("stable_sort_by_key is stable for double", stable_sort_by_key_is_stable<double>));
}
BOOST_AUTO_TEST_CASE(sorted_permutation) {
  BOOST_TEST(rc::check("sort gives a sorted permutation, and again the same", sort_is_a_sorted_permutation));
}
BOOST_AUTO_TEST_CASE(argsort) {
  BOOST_TEST(rc::check("argsort gives a permutation that sorts", argsort_gathers_what_sort_gives));
}
BOOST_AUTO_TEST_CASE(merge) {
  BOOST_TEST(rc::check("merge_by_key is a stable sort of both ranges", merge_is_a_stable_sort_of_both_ranges));
}

BOOST_AUTO_TEST_SUITE_END()
