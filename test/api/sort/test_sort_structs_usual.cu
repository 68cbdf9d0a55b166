// mgpu::sort sorts structs of 12 to 1024 bytes with the tuning that the library chooses for each size.
#include <mgpu/sort.h>
#include <support/items.h>
#include <cstddef>
#include <tuple>
#include <vector>

BOOST_AUTO_TEST_SUITE(sort_structs_usual, *boost::unit_test::precondition(test::can_run{}))

namespace {

using struct_types = std::tuple<test::item<12, 4>, test::item<33>, test::item<64, 16>, test::item<200, 4>,
                                test::item<1024, 8>, test::sealed_item>;

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(some_tiles, T, struct_types) {
  for (std::size_t const count : {1, 33, 511, 1025, 2047, 2048, 2049, 6145, 12345}) {
    BOOST_TEST_CONTEXT(count << " items of " << sizeof(T) << " bytes") {
      auto const input = test::keys<T>(test::pattern::few_distinct, count);
      test::buffer<test::stored_t<T>> keys(input);
      T* const first = reinterpret_cast<T*>(keys.begin());
      mgpu::sort(test::policy, first, first + count, test::by_key{});
      auto const order = test::stable_order<T>(input, test::by_key{});
      BOOST_TEST(test::same_bytes(keys.get(), test::permuted(input, order)));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
