// The counting sort sorts keys of few values in both directions, in place and not.
#include <backend/radix_sorts.h>
#include <mgpu/detail/backend/counting_sort/counting_sort.cuh>
#include <mgpu/detail/core/no_values.h>
#include <support/device.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

BOOST_AUTO_TEST_SUITE(counting_sort, *boost::unit_test::precondition(test::can_run{}))

namespace {

// A block has so many counters. Where there are more values than that, several blocks share them.
template <int counters>
struct tuning {
  __host__ __device__ static constexpr mgpu::detail::counting_sort_tuning at(int) {
    return {64, 2, counters, 64, 3, 2};
  }
};

template <int counters, bool descending, class Key>
void check(std::vector<Key> const& keys) {
  using mgpu::detail::device_call;
  mgpu::detail::no_values const none{};
  auto const sorted = test::permuted(keys, test::radix_order<descending>(keys));
  auto const count = static_cast<std::int64_t>(keys.size());
  BOOST_TEST_CONTEXT(count << " keys of " << sizeof(Key) << " bytes, " << counters << " counters") {
    test::buffer<Key> in_place(keys);
    mgpu::detail::run_on_device("counting_sort", mgpu::par, count, [&](device_call& call) {
      mgpu::detail::counting_sort<tuning<counters>, descending>(
          call, mgpu::detail::sort_in_place(in_place.begin(), none, none, count));
    });
    BOOST_TEST(test::same_bytes(in_place.get(), sorted), "in place");
    test::buffer<Key> in(keys), out(std::vector<Key>(keys.size()));
    Key const* const first = in.begin();
    mgpu::detail::run_on_device("counting_sort", mgpu::par, count, [&](device_call& call) {
      mgpu::detail::counting_sort<tuning<counters>, descending>(
          call, mgpu::detail::sort_to_copy(first, none, out.begin(), none, count));
    });
    BOOST_TEST(test::same_bytes(out.get(), sorted), "copied");
    BOOST_TEST(test::same_bytes(in.get(), keys), "input");
  }
}

enum class color : std::uint8_t {};
using key_types = std::tuple<char, std::int8_t, std::uint8_t, color>;
using wide_key_types = std::tuple<std::int16_t, std::uint16_t, char16_t>;

template <class Key>
std::vector<Key> keys_of(std::size_t count, std::uint32_t seed) {
  auto const bits = test::radix_keys<std::uint16_t>(count, seed);
  std::vector<Key> keys(count);
  for (std::size_t i = 0; i < count; ++i) keys[i] = static_cast<Key>(bits[i]);
  return keys;
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(types, Key, key_types) {
  for (std::size_t const count : {1, 2, 31, 191, 192, 193, 1023, 1024, 1025, 5000}) {
    for (std::uint32_t seed = 0; seed < 3; ++seed) {
      check<1 << 13, false>(keys_of<Key>(count, seed));
      check<1 << 8, true>(keys_of<Key>(count, seed));
      check<1 << 6, false>(keys_of<Key>(count, seed));
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(wide_types, Key, wide_key_types) {
  for (std::size_t const count : {1, 1025, 5000}) {
    check<1 << 14, false>(keys_of<Key>(count, 1));
    check<1 << 15, true>(keys_of<Key>(count, 2));
  }
}

// All keys but some have one value, which lies at either end or between.
BOOST_AUTO_TEST_CASE(crowds) {
  for (std::uint8_t const crowd : {0, 100, 255}) {
    std::vector<std::uint8_t> keys(3000, crowd);
    check<1 << 6, false>(keys);
    for (std::size_t i = 0; i < keys.size(); i += 7) keys[i] = static_cast<std::uint8_t>(i);
    check<1 << 6, false>(keys);
    check<1 << 13, true>(keys);
  }
}

BOOST_AUTO_TEST_SUITE_END()
