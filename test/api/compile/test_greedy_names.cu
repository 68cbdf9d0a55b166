// No function that a user's namespace happens to hold is called in the library's stead. Argument-dependent lookup
// would look there for each unqualified call with an argument of its types, and a template that takes anything fits
// best.

// Some headers of operating systems define such words as macros.
#define small char
#define near
#define far
#define interface struct
#include <mgpu/mgpu.h>
#undef small
#undef near
#undef far
#undef interface
#include <greedy_names.h>  // which the build writes
#include <support/calls.h>
#include <support/tunings.h>
#include <support/device.h>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#define GREEDY(name)       \
  template <class... Args> \
  void name(Args&&...) = delete;
#define GREEDY_PUBLIC(function, ...) GREEDY(function)

namespace greedy {

MGPU_TEST_FUNCTIONS(GREEDY_PUBLIC)
GREEDY_INTERNAL

enum class number : std::uint32_t {};

struct item {
  std::int32_t value;
  std::int32_t place;
  static item make(std::uint32_t, std::uint32_t id) { return {0, static_cast<std::int32_t>(id)}; }
};
struct by_value {
  __host__ __device__ bool operator()(item const& a, item const& b) const { return a.value < b.value; }
};
struct large_item {
  item first;
  std::int32_t more[20];
};
struct by_first {
  __host__ __device__ bool operator()(large_item const& a, large_item const& b) const {
    return a.first.value < b.first.value;
  }
};
// Returns the last one of two, which is associative, and does not commute.
struct last_of {
  __host__ __device__ item operator()(item const& a, item const& b) const {
    return {(a.value + b.value) & 0xFFFF, b.place};
  }
};
struct itself {
  __host__ __device__ item operator()(item const& a) const { return a; }
};

}  // namespace greedy

namespace {

using greedy::item;

std::vector<item> make_items(std::size_t count) {
  std::vector<item> items(count);
  for (std::size_t i = 0; i < count; ++i)
    items[i] = {static_cast<std::int32_t>(i * 7919 % 97), static_cast<std::int32_t>(i)};
  return items;
}
bool same(std::vector<item> const& a, std::vector<item> const& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](item const& x, item const& y) {
           return x.value == y.value && x.place == y.place;
         });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(greedy_names, *boost::unit_test::precondition(test::can_run{}))

struct greedy_items : test::items_of<item, item, test::operators<greedy::by_value, greedy::last_of, greedy::itself>> {
  static std::vector<item> keys(std::size_t count, std::uint32_t) { return make_items(count); }
  static item init() { return {3, -1}; }
};
using every_function = test::tuned_calls_of<test::functions, greedy_items>;

BOOST_AUTO_TEST_CASE_TEMPLATE(functions, Call, every_function) {
  Call call(Call::several_tiles);
  call.run(test::policy);
  BOOST_TEST(call.done());
}

BOOST_AUTO_TEST_CASE(sorts_by_digits) {
  std::vector<greedy::number> input;
  for (std::uint32_t i = 0; i < 300; ++i) input.push_back(static_cast<greedy::number>(i * 7919 % 97));
  auto expected = input;
  std::stable_sort(expected.begin(), expected.end());
  test::buffer<greedy::number> keys(input);
  mgpu::sort(test::policy, keys.begin(), keys.end());
  BOOST_TEST((keys.get() == expected));
}

BOOST_AUTO_TEST_CASE(large_keys) {
  std::vector<greedy::large_item> input;
  for (item const& each : make_items(300)) input.push_back({each, {}});
  auto expected = input;
  std::stable_sort(expected.begin(), expected.end(), greedy::by_first());
  test::buffer<greedy::large_item> keys(input), values(input);
  mgpu::stable_sort_by_key(test::policy, keys.begin(), keys.end(), values.begin(), greedy::by_first());
  std::vector<greedy::large_item> const sorted = keys.get(), moved = values.get();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    BOOST_TEST(sorted[i].first.place == expected[i].first.place);
    BOOST_TEST(moved[i].first.place == expected[i].first.place);
  }
}

BOOST_AUTO_TEST_CASE(scans_and_reductions) {
  auto const input = make_items(9000);
  std::vector<item> expected(input.size());
  std::partial_sum(input.begin(), input.end(), expected.begin(), greedy::last_of());
  test::buffer<item> in(input), out(input.size());
  mgpu::inclusive_scan(test::policy, in.begin(), in.end(), out.begin(), greedy::last_of());
  BOOST_TEST(same(out.get(), expected));
  mgpu::transform_inclusive_scan(test::policy, in.begin(), in.end(), out.begin(), greedy::itself(),
                                 greedy::last_of());
  BOOST_TEST(same(out.get(), expected));
  item const sum = mgpu::reduce(test::policy, in.begin(), in.end(), item{0, 0}, greedy::last_of());
  BOOST_TEST(sum.value == expected.back().value);
  BOOST_TEST(sum.place == expected.back().place);
  item const again =
      mgpu::transform_reduce(test::policy, in.begin(), in.end(), greedy::itself(), item{0, 0}, greedy::last_of());
  BOOST_TEST(again.value == expected.back().value);
}

BOOST_AUTO_TEST_SUITE_END()
