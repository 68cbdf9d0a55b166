// mgpu::sort sorts structs of 12 to 1024 bytes by a comparator; equal keys keep their order, whatever the size.
#include <mgpu/sort.h>
#include <support/items.h>
#include <support/tunings.h>
#include <cstddef>
#include <tuple>
#include <vector>

BOOST_AUTO_TEST_SUITE(sort_structs, *boost::unit_test::precondition(test::can_run{}))

namespace {

using struct_types =
    std::tuple<test::item<12, 4>, test::item<33>, test::item<64, 16>, test::item<200, 4>, test::item<1024, 8>>;

template <class T, class Sort>
void check(test::pattern pattern, std::size_t count, Sort sort) {
  BOOST_TEST_CONTEXT(pattern << ", " << count << " items") {
    auto const input = test::keys<T>(pattern, count);
    test::buffer<test::stored_t<T>> keys(input);
    T* const first = reinterpret_cast<T*>(keys.begin());
    sort(first, first + count);
    auto const order = test::stable_order<T>(input, test::by_key{});
    BOOST_TEST(test::same_bytes(keys.get(), test::permuted(input, order)));
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(many_tiles, T, struct_types) {
  auto const policy = test::tuned(test::small_sort{});
  auto const sort = [&](T* first, T* last) { mgpu::sort(policy, first, last, test::by_key{}); };
  for (std::size_t const count : test::sizes_around(test::small_sort::tile_items, {1, 2, 5})) {
    check<T>(test::pattern::few_distinct, count, sort);
  }
  for (test::pattern const pattern : test::all_patterns) {
    check<T>(pattern, 1000, sort);
    check<T>(pattern, 77, [&](T* first, T* last) { mgpu::stable_sort(policy, first, last, test::by_key{}); });
  }
}

BOOST_AUTO_TEST_CASE(no_default_constructor) {
  auto const policy = test::tuned(test::small_sort{});
  using sealed = test::sealed_item;
  for (std::size_t const count : {1, 320, 1700}) {
    check<sealed>(test::pattern::few_distinct, count,
                  [&](sealed* first, sealed* last) { mgpu::sort(policy, first, last); });
    check<sealed>(test::pattern::random, count,
                  [&](sealed* first, sealed* last) { mgpu::stable_sort(policy, first, last, test::by_key{}); });
  }
}

BOOST_AUTO_TEST_SUITE_END()
