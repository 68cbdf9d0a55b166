// A block sorts the bits of as many bare keys as it can hold, in place or to another range, and writes nothing where it leaves
// keys that are unevenly spread to another sort.
#include <mgpu/detail/block/bare_key_sort.cuh>
#include <mgpu/detail/core/bare_key.h>
#include <mgpu/detail/core/radix_key.h>
#include <mgpu/detail/simt/simt.cuh>
#include <support/device.h>
#include <support/items.h>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <tuple>
#include <vector>

BOOST_AUTO_TEST_SUITE(bare_key_sort, *boost::unit_test::precondition(test::can_run{}))

namespace {

namespace detail = mgpu::detail;

template <class Storage, bool descending, class Key>
__global__ void __launch_bounds__(Storage::threads_per_block)
    sort_kernel(typename Storage::bits_type const* in, Key* out, int count, int* done,
                detail::number_range<typename Storage::bits_type> range) {
  bool const is_sorted = detail::block_bare_key_sort(mgpu::detail::simt::shared<Storage>(), in, out, count,
                                                     detail::bare_key_maker<descending, Key>{false}, range);
  if (mgpu::detail::simt::thread_rank() == 0) *done = is_sorted;
}

template <class Key>
constexpr Key some_key = static_cast<Key>(77);

// Sorts by one block, checks what is written, and returns whether the block did sort.
template <int threads, int items, int bin_bits, bool descending, class Key>
bool sorts(std::vector<Key> const& keys, detail::number_range<detail::ordered_bits_t<Key>> range = {}) {
  using Bits = detail::ordered_bits_t<Key>;
  using storage = detail::bare_key_storage<Bits, threads, items, bin_bits>;
  auto sorted = keys;
  std::sort(sorted.begin(), sorted.end(), std::conditional_t<descending, std::greater<>, std::less<>>());
  std::vector<Bits> bits;
  for (Key const key : keys) bits.push_back(detail::directed_bits<descending>(key));
  auto const count = static_cast<int>(keys.size());
  test::buffer<Bits> in(bits);
  test::buffer<Key> out(std::vector<Key>(keys.size() + 1, some_key<Key>));
  test::buffer<int> done(std::vector<int>{2});
  test::run_kernel(sort_kernel<storage, descending, Key>, 1, threads, sizeof(storage),
                   static_cast<Bits const*>(in.begin()), out.begin(), count, done.begin(), range);
  bool const is_sorted = done.get()[0] == 1;
  auto expected = is_sorted ? sorted : std::vector<Key>(keys.size(), some_key<Key>);
  expected.push_back(some_key<Key>);
  BOOST_TEST(test::same_bytes(out.get(), expected), count << " keys of " << sizeof(Key) << " bytes");
  BOOST_TEST(test::same_bytes(in.get(), bits), "input");

  test::run_kernel(sort_kernel<storage, descending, Key>, 1, threads, sizeof(storage),
                   static_cast<Bits const*>(in.begin()), reinterpret_cast<Key*>(in.begin()), count, done.begin(),
                   range);
  std::vector<Bits> in_place(keys.size());
  std::memcpy(in_place.data(), sorted.data(), keys.size() * sizeof(Key));
  BOOST_TEST(test::same_bytes(in.get(), is_sorted ? in_place : bits), count << " keys in place");
  return is_sorted;
}

// Keys in [low, low + span].
template <class Key>
std::vector<Key> uniform(int count, std::uint64_t low, std::uint64_t span, std::uint32_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Key> keys(static_cast<std::size_t>(count));
  for (auto& key : keys) key = static_cast<Key>(low + (span == ~std::uint64_t{0} ? random() : random() % (span + 1)));
  return keys;
}

}  // namespace

using key_types = std::tuple<std::uint8_t, std::int16_t, std::uint32_t, std::int32_t, std::uint64_t, std::int64_t>;
BOOST_AUTO_TEST_CASE_TEMPLATE(sizes, Key, key_types) {
  for (int const count : {1, 2, 3, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 383, 384}) {
    auto const keys = uniform<Key>(count, 0, ~std::uint64_t{0}, static_cast<std::uint32_t>(count));
    BOOST_TEST((sorts<64, 6, 8, false>(keys)));
    BOOST_TEST((sorts<64, 6, 8, true>(keys)));
  }
}

BOOST_AUTO_TEST_CASE(shapes) {
  for (int const count : {1, 100, 255, 256}) {
    auto const keys = uniform<std::uint32_t>(count, 0, ~std::uint64_t{0}, static_cast<std::uint32_t>(count));
    BOOST_TEST((sorts<32, 8, 8, false>(keys)));
    BOOST_TEST((sorts<128, 2, 8, false>(keys)));
    BOOST_TEST((sorts<64, 4, 11, false>(keys)));
    BOOST_TEST((sorts<256, 2, 6, true>(keys)));
  }
}

// Bins get more than one key, up to as many as neighbours put in order, and begin in one warp's keys and end in
// another's.
BOOST_AUTO_TEST_CASE(few_bins) {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    auto const keys = uniform<std::uint32_t>(300 + static_cast<int>(seed), std::uint64_t{seed} << 24, 0xffffff, seed);
    BOOST_TEST((sorts<64, 6, 5, false>(keys)));
    BOOST_TEST((sorts<64, 6, 6, true>(keys)));
  }
}

// 48 keys of a bin are sorted, 49 are left to another sort; the others have bins of their own.
BOOST_AUTO_TEST_CASE(many_of_a_bin) {
  for (int const many : {47, 48, 49, 80}) {
    for (std::uint32_t const bin : {0u, 7u, 15u}) {
      std::vector<std::uint32_t> keys;
      for (int i = 0; i < many; ++i) keys.push_back(bin << 28 | static_cast<std::uint32_t>(many - i) * 3);
      for (std::uint32_t other = 0; other < 16 && keys.size() < 384; ++other) {
        for (int i = 0; other != bin && i < 20 && keys.size() < 384; ++i) keys.push_back(other << 28 | 1000u - i);
      }
      BOOST_TEST((sorts<64, 6, 4, false>(keys)) == (many <= 48));
    }
  }
}

// Keys that lie close together on both sides of a power of two are put into small bins where it is known how close.
BOOST_AUTO_TEST_CASE(ranges) {
  for (std::uint32_t seed = 0; seed < 10; ++seed) {
    std::uint32_t const lowest = (1u << 31) - 6000 * seed - 7000;
    auto const keys = uniform<std::uint32_t>(380, lowest, 0xffff, seed);
    BOOST_TEST((!sorts<64, 6, 6, false>(keys)));
    BOOST_TEST((sorts<64, 6, 6, false>(keys, {lowest, 16})));
    auto const wide = uniform<std::uint64_t>(380, (std::uint64_t{1} << 63) - lowest, 0xffffffff, seed);
    BOOST_TEST((sorts<64, 6, 6, false>(wide, {(std::uint64_t{1} << 63) - lowest, 32})));
    // Fewer bits may differ than the range has.
    BOOST_TEST((sorts<64, 6, 6, false>(uniform<std::uint32_t>(380, 0x1200, 0xff, seed), {0x1000, 30})));
  }
}

BOOST_AUTO_TEST_CASE(alike_and_extreme) {
  constexpr auto least = std::numeric_limits<std::int32_t>::min();
  constexpr auto most = std::numeric_limits<std::int32_t>::max();
  BOOST_TEST((sorts<64, 6, 8, false>(std::vector<std::int32_t>{most, least, 0, -1, most, least, 1})));
  BOOST_TEST((sorts<64, 6, 8, true>(std::vector<std::int32_t>{most, least, 0, -1, most, least, 1})));
  BOOST_TEST((sorts<64, 6, 8, false>(std::vector<std::uint32_t>(40, 0xffffffffu))));
  // Any number of keys may be equal if bins are told apart by all bits in which keys differ.
  for (int const distinct : {1, 2, 3, 200, 256}) {
    for (int const lowest_bit : {0, 5, 24, 40, 56}) {
      std::vector<std::uint64_t> keys;
      for (int i = 0; i < 300; ++i) keys.push_back(0x77 ^ std::uint64_t(i * 31 % distinct) << lowest_bit);
      BOOST_TEST((sorts<64, 6, 8, false>(keys)));
      keys.resize(64, keys[0]);
      BOOST_TEST((sorts<64, 6, 8, true>(keys)));
    }
  }
  std::vector<std::uint32_t> uneven(300, 5u);
  uneven[17] = 0xf0000005u;
  BOOST_TEST((sorts<64, 6, 8, false>(uneven)));
  uneven[18] = 6;
  BOOST_TEST((!sorts<64, 6, 8, false>(uneven)));
  // What differs lies in one bit, the highest or the lowest.
  for (std::uint64_t const bit : {std::uint64_t{1}, std::uint64_t{1} << 63}) {
    std::vector<std::uint64_t> keys;
    for (int i = 0; i < 60; ++i) keys.push_back(i * 7 % 5 < 2 ? bit : 0);
    BOOST_TEST((sorts<64, 6, 8, false>(keys)));
  }
}

BOOST_AUTO_TEST_SUITE_END()
