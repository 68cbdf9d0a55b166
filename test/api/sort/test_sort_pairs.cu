// mgpu::sort_by_key and mgpu::stable_sort_by_key move values of 1 to 32 bytes; the comparator may have a state.
#include <mgpu/sort.h>
#include <support/items.h>
#include <support/pairs.h>
#include <support/tunings.h>
#include <cstdint>
#include <functional>
#include <tuple>
#include <vector>

BOOST_AUTO_TEST_SUITE(sort_pairs, *boost::unit_test::precondition(test::can_run{}))

namespace {

using value_types = std::tuple<std::uint8_t, std::uint32_t, std::uint64_t, test::item<12, 4>, test::item<16, 16>,
                               test::item<17>, test::item<32, 8>>;

// Orders by the bits above `shift`.
struct by_high_bits {
  int shift;
  __host__ __device__ bool operator()(std::uint32_t a, std::uint32_t b) const { return a >> shift < b >> shift; }
};

}  // namespace

// There are five distinct keys: where the values went shows whether equal keys kept their order.
BOOST_AUTO_TEST_CASE_TEMPLATE(values, V, value_types) {
  auto const policy = test::tuned(test::small_sort{});
  auto const sort = [&](auto... ranges) { mgpu::sort_by_key(policy, ranges...); };
  auto const stable_sort = [&](auto... ranges) { mgpu::stable_sort_by_key(policy, ranges...); };
  for (std::size_t const count : test::sizes_around(test::small_sort::tile_items, {1, 2, 3, 5})) {
    test::check_pairs<std::uint32_t, V>(test::pattern::few_distinct, count, sort, std::less<>{});
  }
  for (test::pattern const pattern : test::all_patterns) {
    test::check_pairs<std::uint32_t, V>(pattern, 1234, stable_sort, std::less<>{});
  }
}

BOOST_AUTO_TEST_CASE(usual_tuning) {
  std::size_t const tile = test::tile_items([](auto const& query, std::size_t count) {
    auto* const keys = test::nowhere<std::int64_t>();
    mgpu::sort_by_key(query, keys, keys + count, test::nowhere<std::uint32_t>());
  });
  auto const sort = [](auto... ranges) { mgpu::sort_by_key(test::policy, ranges...); };
  for (std::size_t const count : {tile, tile + 1}) {
    test::check_pairs<std::int64_t, std::uint32_t>(test::pattern::few_distinct, count, sort, std::less<>{});
    test::check_pairs<std::int64_t, std::uint32_t>(test::pattern::random, count, sort, std::less<>{});
  }
}

BOOST_AUTO_TEST_CASE(comparator_with_a_state) {
  auto const policy = test::tuned(test::small_sort{});
  for (int const shift : {0, 8, 24, 30, 31}) {
    by_high_bits const comp{shift};
    auto const sort = [&](auto... ranges) { mgpu::sort_by_key(policy, ranges..., comp); };
    auto const stable_sort = [&](auto... ranges) { mgpu::stable_sort_by_key(policy, ranges..., comp); };
    for (std::size_t const count : {5, 321, 2000}) {
      test::check_pairs<std::uint32_t, std::uint32_t>(test::pattern::random, count, sort, comp);
      test::check_pairs<std::uint32_t, std::uint32_t>(test::pattern::sawtooth, count, stable_sort, comp);
    }
  }
}

BOOST_AUTO_TEST_CASE(odd_alignment) {
  auto const policy = test::tuned(test::small_sort{});
  auto const key_input = test::keys<std::uint16_t>(test::pattern::few_distinct, 999);
  auto const value_input = test::numbered<std::uint8_t>(999);
  auto const order = test::stable_order<std::uint16_t>(key_input, std::less<>{});
  for (std::size_t const shift : {1, 2, 3, 7}) {
    test::buffer<std::uint16_t> keys(key_input, shift);
    test::buffer<std::uint8_t> values(value_input, 2 * shift + 1);
    mgpu::sort_by_key(policy, keys.begin(), keys.end(), values.begin());
    BOOST_TEST(test::same_bytes(keys.get(), test::permuted(key_input, order)));
    BOOST_TEST(test::same_bytes(values.get(), test::permuted(value_input, order)));
  }
}

BOOST_AUTO_TEST_SUITE_END()
