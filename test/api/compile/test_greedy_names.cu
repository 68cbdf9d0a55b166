// What a user's namespace happens to hold is not called in the library's stead. Argument-dependent lookup would look
// there for each unqualified call with an argument of its types, and a template that takes anything fits best.
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
// clang-format off
#define GREEDY_PUBLIC(function, ...) GREEDY(function)
#define GREEDY_FUNCTIONS \
  MGPU_TEST_FUNCTIONS(GREEDY_PUBLIC) \
  GREEDY(address_of) GREEDY(append) GREEDY(as_items) GREEDY(block_exclusive_scan) GREEDY(blocks_per_cluster) \
  GREEDY(check) GREEDY(check_comparator) GREEDY(check_conversion) GREEDY(check_device_items) \
  GREEDY(check_iterators) GREEDY(check_long_double) GREEDY(check_operator) GREEDY(check_output) \
  GREEDY(check_reduction) GREEDY(check_unary) GREEDY(clear) GREEDY(compare_keys) GREEDY(compiled_arch) \
  GREEDY(copy) GREEDY(copy_striped) GREEDY(counting_sort) GREEDY(device_function) GREEDY(direct_bits) \
  GREEDY(directed_bits) GREEDY(dispatch_merge) GREEDY(dispatch_reduce) GREEDY(dispatch_reduce_into) \
  GREEDY(dispatch_scan) GREEDY(dispatch_sort) GREEDY(enqueue) GREEDY(fail) GREEDY(find_merge_frame) \
  GREEDY(find_run_group) GREEDY(for_each_striped) GREEDY(forget) GREEDY(gather) GREEDY(host_merge) \
  GREEDY(host_reduce) GREEDY(host_scan) GREEDY(host_sort) GREEDY(host_sort_by_bits) GREEDY(larger) GREEDY(launch) \
  GREEDY(load_blocked) GREEDY(max_radix_block_items) GREEDY(merge_by_index) GREEDY(merge_from_shared) \
  GREEDY(merge_on_device) GREEDY(merge_path) GREEDY(merge_sort) GREEDY(multiway_merge_path) GREEDY(num_items_in) \
  GREEDY(odd_even_transposition_sort) GREEDY(onesweep) GREEDY(ordered_bits) GREEDY(policy_of_system) \
  GREEDY(radix_block_sort) GREEDY(raw_pointer) GREEDY(read_items) GREEDY(reduce_in_runs) GREEDY(reduce_items) \
  GREEDY(reduce_source) GREEDY(reduce_to_output) GREEDY(reduce_to_value) GREEDY(run_on_device) GREEDY(scan) \
  GREEDY(scan_of) GREEDY(scan_on_device) GREEDY(scan_total_of_none) GREEDY(serial_merge) GREEDY(share_of_run) \
  GREEDY(shuffle) GREEDY(shuffle_down) GREEDY(shuffle_up) GREEDY(shuffle_xor) GREEDY(smaller) \
  GREEDY(sort_by_comparing) GREEDY(sort_by_digits) GREEDY(sort_by_index) GREEDY(sort_in_place) \
  GREEDY(sort_on_device) GREEDY(sort_to_copy) GREEDY(sort_values_by_index) GREEDY(start_copies) \
  GREEDY(storage_bytes) GREEDY(store_blocked) GREEDY(store_from) GREEDY(store_striped) GREEDY(sum_of_warp) \
  GREEDY(unwrap) GREEDY(unwrap_problem) GREEDY(warp_inclusive_scan) GREEDY(warp_multiway_merge_path) \
  GREEDY(warp_reduce) GREEDY(warp_reduce_each_row) GREEDY(warp_reduce_range) GREEDY(warp_reduce_rows) \
  GREEDY(with_index_type) GREEDY(with_source) GREEDY(write_items) GREEDY(write_result)
// clang-format on

namespace greedy {

GREEDY_FUNCTIONS

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
// The last one of two: associative, and does not commute.
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
