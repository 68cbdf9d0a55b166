// A cluster of blocks sorts by digits what its blocks can hold: each gets a share of the keys' range, or where a share is
// too large, all items are put in order.
#include <backend/radix_sorts.h>
#include <support/device.h>
#include <support/memory.h>
#include <support/schedules.h>
#include <mgpu/detail/core/no_values.h>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

#if defined(MGPU_EMULATED)
#include <emulator/emulator.h>
#include <emulator/runtime.h>
#endif

BOOST_AUTO_TEST_SUITE(radix_cluster, *boost::unit_test::precondition(test::can_run_clusters{}))

namespace {

using test::check_ascending;
using test::check_both_directions;
using four = test::cluster_tuning<64, 6, 4, 4>;        // room for 24 items for each 16
using sixteen = test::cluster_tuning<32, 3, 16, 8>;    // 96 for each 64
using without_spare = test::cluster_tuning<64, 4, 2>;  // a share of one item more than the half is too large

// Returns keys that are spread evenly over all values.
template <class Key>
std::vector<Key> uniform(std::size_t count, std::uint32_t seed) {
  return test::radix_keys<Key>(count, 3 * seed + 1);
}

}  // namespace

BOOST_AUTO_TEST_CASE(sizes) {
  for (std::size_t const count :
       {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{4}, std::size_t{5}, std::size_t{63},
        std::size_t{64}, std::size_t{65}, four::tile_items - 1, four::tile_items, four::tile_items + 1,
        2 * four::tile_items, four::max_items - 1, four::max_items}) {
    for (std::uint32_t seed = 0; seed < 3; ++seed) {
      check_both_directions<four>(test::radix_keys<std::uint32_t>(count, seed));
      check_ascending<sixteen>(test::radix_keys<std::uint16_t>(std::min(count, sixteen::max_items), seed));
    }
  }
}

using key_types =
    std::tuple<std::uint8_t, std::int16_t, std::uint64_t, std::int64_t, float, double, mgpu::detail::uint128>;
BOOST_AUTO_TEST_CASE_TEMPLATE(types, Key, key_types) {
  for (std::uint32_t seed = 0; seed < 3; ++seed)
    test::check_by_sign<four>(test::radix_keys<Key>(four::max_items - 7, seed));
}

// Keys that have little room to differ, or whose highest bits are the same.
BOOST_AUTO_TEST_CASE(distributions) {
  auto const check = [](auto change) {
    for (std::size_t const count : {std::size_t{100}, four::tile_items + 9, four::max_items - 3}) {
      auto keys = uniform<std::uint32_t>(count, 1);
      for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = change(keys[i], static_cast<std::uint32_t>(i));
      check_both_directions<four>(keys);
      test::check_descending<without_spare>(
          std::vector<std::uint32_t>(keys.begin(), keys.begin() + std::min(count, without_spare::max_items)));
    }
  };
  check([](std::uint32_t, std::uint32_t) { return 5u; });                                  // all equal
  check([](std::uint32_t, std::uint32_t i) { return i; });                                 // sorted
  check([](std::uint32_t, std::uint32_t i) { return 100'000u - i; });                      // reversed
  check([](std::uint32_t key, std::uint32_t) { return key % 3; });                         // three values
  check([](std::uint32_t key, std::uint32_t) { return key & 0xf0f000ffu; });               // digits without bits
  check([](std::uint32_t key, std::uint32_t) { return key | 0xffff0000u; });               // shared high bits
  check([](std::uint32_t key, std::uint32_t i) { return i % 50 == 0 ? key : key >> 9; });  // most in the lowest bin
  check([](std::uint32_t key, std::uint32_t) { return key & key << 7 & key << 13; });      // low entropy
  check([](std::uint32_t key, std::uint32_t i) { return i % 2 == 0 ? 0 : key; });          // a bin has half of them
  check([](std::uint32_t key, std::uint32_t i) { return i == 0 ? 0xffffffffu : key % 7; });
}

// Keys that few bits tell apart, and one among them that is not looked at and has others.
BOOST_AUTO_TEST_CASE(one_far_key) {
  for (std::uint32_t const values : {2u, 8u, 32u, 100u, 128u}) {
    for (std::uint32_t const far : {300u, 1000u, 1u << 20, 0xffffffffu}) {
      auto keys = uniform<std::uint32_t>(1000, values);
      for (auto& key : keys) key %= values;
      keys[7] = far;
      check_both_directions<four>(keys);
      check_ascending<test::cluster_tuning<64, 6, 4, 8>>(keys);
    }
  }
}

// The zeros of floats keep their order, and NaNs lie beyond the infinities.
BOOST_AUTO_TEST_CASE(floats) {
  auto keys = uniform<float>(four::max_items, 2);
  for (std::size_t i = 0; i < keys.size(); i += 5) {
    float const some[] = {0.0f, -0.0f, std::numeric_limits<float>::quiet_NaN(),
                          -std::numeric_limits<float>::infinity(), 1.0f};
    keys[i] = some[i / 5 % 5];
  }
  check_both_directions<four>(keys);
}

// A share has exactly as many items as a block has room for, or one more.
BOOST_AUTO_TEST_CASE(shares_of_a_tile) {
  for (std::size_t const in_lowest : {without_spare::tile_items - 1, without_spare::tile_items}) {
    auto keys = uniform<std::uint32_t>(without_spare::max_items, 1);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      keys[i * 7919 % keys.size()] = (keys[i * 7919 % keys.size()] & 0x7fffffffu) | (i < in_lowest ? 0 : 0x80000000u);
    }
    test::check_descending<without_spare>(keys);
  }
}

BOOST_AUTO_TEST_CASE(schedules) {
  test::for_each_schedule(1000, [](std::uint32_t seed) {
    test::check_radix_sort<test::cluster_tuning<32, 3, 4, 3>, false>(
        test::radix_keys<std::uint16_t>(1 + seed * 7919 % 256, seed));
  });
  test::for_each_schedule(100, [](std::uint32_t seed) {
    test::check_radix_sort<test::cluster_tuning<64, 2, 16>, true>(
        test::radix_keys<std::uint32_t>(1 + seed * 7919 % 2048, seed));
  });
}

#if defined(MGPU_EMULATED)

BOOST_AUTO_TEST_CASE(unwritten_memory) {
  for (std::uint32_t seed = 0; seed < 3; ++seed) {
    auto const keys = test::radix_keys<std::uint32_t>(1000, seed);
    BOOST_CHECK_NO_THROW(mgpu::emulator::check_fill_independence([&] {
      test::buffer<std::uint32_t> data(keys);
      mgpu::detail::no_values const none{};
      test::radix_sort<four, false>(mgpu::detail::sort_in_place(data.begin(), none, none, 1000));
      return data.get();
    }));
  }
}

// In a part of the device that has room for smaller clusters, these sort what they can hold, and leave more to others.
BOOST_AUTO_TEST_CASE(smaller_clusters) {
  namespace detail = mgpu::detail;
  for (unsigned const largest : {1u, 2u}) {
    test::stream stream;
    mgpu::emulator::runtime::largest_cluster(stream, largest);
    std::size_t const most = largest == 1 ? four::tile_items : 2 * four::max_items / 4;
    for (std::size_t const count : {most - 1, most, most + 1}) {
      auto const keys = uniform<std::uint32_t>(count, 1);
      test::buffer<std::uint32_t> data(keys);
      detail::no_values const none{};
      bool is_sorted = false;
      detail::run_on_device(
          "radix_sort", mgpu::par.on(stream), static_cast<std::int64_t>(count), [&](detail::device_call& call) {
            is_sorted = detail::radix_cluster_sort<four, false>(
                call, detail::sort_in_place(data.begin(), none, none, static_cast<std::int64_t>(count)));
          });
      BOOST_TEST(is_sorted == (count <= most));
      BOOST_TEST(
          test::same_bytes(data.get(), is_sorted ? test::permuted(keys, test::radix_order<false>(keys)) : keys));
    }
  }
}

#endif

BOOST_AUTO_TEST_SUITE_END()
