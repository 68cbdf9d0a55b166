// What the tests of the radix sort share: small tunings, and a sort checked against std::stable_sort on the input.
#pragma once
#include <api/items.h>
#include <mgpu/detail/backend/onesweep/radix_sort.cuh>
#include <mgpu/detail/dispatch/items.h>
#include <mgpu/detail/host/policy.h>
#include <mgpu/execution_policy.h>
#include <support/device.h>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <type_traits>
#include <vector>

namespace test {

template <int Threads, int Items, int Patience = 8, int DigitBits = 8, int Window = 2, int Blocks = 2,
          std::int64_t LaunchItems = (1 << 30) - 1, bool PartialFirst = true>
struct onesweep_tuning {
  __host__ __device__ static constexpr mgpu::detail::onesweep_tuning at(int) {
    return {Threads, Items, Blocks, Window, Patience, 64, 2, DigitBits, PartialFirst, LaunchItems};
  }
  static constexpr std::size_t tile_items = Threads * Items;
};
using small_onesweep = onesweep_tuning<64, 3>;
using small_partial_last = onesweep_tuning<64, 3, 8, 8, 2, 2, (1 << 30) - 1, false>;

// Sorts in one block, and beyond what that holds in sweeps.
template <int Threads, int Items, int DigitBits = 8>
struct block_tuning {
  __host__ __device__ static constexpr mgpu::detail::radix_block_tuning at(int) {
    return {Threads, Items, DigitBits};
  }
  static constexpr std::size_t tile_items = Threads * Items;
};
template <class Block>
struct sweeps_beyond : onesweep_tuning<64, 2, 8, Block::at(0).max_digit_bits> {
  using few = Block;
  static constexpr std::int64_t few_items(int) { return static_cast<std::int64_t>(Block::tile_items); }
};

template <class Tuning, bool descending, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut>
void radix_sort(KeysIn keys_in, ValuesIn values_in, KeysOut keys_out, ValuesOut values_out, std::int64_t num_items,
                bool in_place) {
  using namespace mgpu::detail;
  run_on_device("radix_sort", mgpu::par, num_items, [&](device_call& call) {
    scratch_layout layout;
    mgpu::detail::radix_sort<Tuning, descending, KeysIn, ValuesIn, KeysOut, ValuesOut> const sort(call, layout,
                                                                                                  num_items);
    if (call.allocate(layout)) sort.run(call, keys_in, values_in, keys_out, values_out, in_place);
  });
}

// The stable order of the keys by their bits.
template <bool descending, class Key>
std::vector<std::size_t> radix_order(std::vector<Key> const& keys) {
  return stable_order<Key>(keys, [](Key const& a, Key const& b) {
    auto const left = mgpu::detail::ordered_bits(a);
    auto const right = mgpu::detail::ordered_bits(b);
    return descending ? right < left : left < right;
  });
}

// Keys alone and keys with their numbers, in place and not.
template <class Tuning, bool descending, class Key>
void check_radix_sort(std::vector<Key> const& keys) {
  auto const order = radix_order<descending>(keys);
  auto const sorted = permuted(keys, order);
  auto const count = static_cast<std::int64_t>(keys.size());
  std::vector<std::uint32_t> numbers(keys.size());
  std::iota(numbers.begin(), numbers.end(), 0u);
  auto const sorted_numbers = permuted(numbers, order);
  mgpu::detail::no_values const none{};
  BOOST_TEST_CONTEXT(count << " keys of " << sizeof(Key) << " bytes, " << (descending ? "descending" : "ascending")) {
    {
      buffer<Key> in_place(keys);
      radix_sort<Tuning, descending>(in_place.begin(), none, in_place.begin(), none, count, true);
      BOOST_TEST(same_bytes(in_place.get(), sorted), "in place");
    }
    {
      buffer<Key> in_place(keys);
      buffer<std::uint32_t> values(numbers);
      radix_sort<Tuning, descending>(in_place.begin(), values.begin(), in_place.begin(), values.begin(), count, true);
      BOOST_TEST(same_bytes(in_place.get(), sorted), "keys of pairs in place");
      BOOST_TEST(same_bytes(values.get(), sorted_numbers), "values in place");
    }
    buffer<Key> in(keys);
    buffer<Key> out(std::vector<Key>(keys.size()));
    buffer<std::uint32_t> values_out(std::vector<std::uint32_t>(keys.size()));
    Key const* const first = in.begin();
    radix_sort<Tuning, descending>(first, mgpu::detail::counting_iterator<std::uint32_t>{0}, out.begin(),
                                   values_out.begin(), count, false);
    BOOST_TEST(same_bytes(out.get(), sorted), "keys copied");
    BOOST_TEST(same_bytes(values_out.get(), sorted_numbers), "values copied");
    BOOST_TEST(same_bytes(in.get(), keys), "input");
  }
}

// Keys of many shapes, by seed.
template <class Key>
std::vector<Key> radix_keys(std::size_t count, std::uint32_t seed) {
  std::vector<Key> keys(count);
  std::uint64_t state = seed * 0x9E3779B97F4A7C15u + 1;
  std::uint64_t const first_mask = seed % 3 == 0 ? 0x00FF00FF00FF00FFu : seed % 3 == 1 ? ~std::uint64_t{0} : 0x3;
  for (std::size_t i = 0; i < count; ++i) {
    unsigned char bytes[sizeof(Key)];
    for (std::size_t b = 0; b < sizeof(Key); b += 8) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      std::uint64_t const drawn = ((state >> 17) ^ (state << 23)) & first_mask;
      std::memcpy(bytes + b, &drawn, std::min<std::size_t>(8, sizeof(Key) - b));
    }
    std::memcpy(static_cast<void*>(&keys[i]), bytes, sizeof(Key));
  }
  return keys;
}

}  // namespace test
