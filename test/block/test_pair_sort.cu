// A block sorts as many pairs as it can hold by the low bits of their keys, stable and in place, however these are spread.
#include <mgpu/detail/block/pair_sort.cuh>
#include <mgpu/detail/core/radix_key.h>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/radix_key.h>
#include <support/device.h>
#include <support/items.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <random>
#include <tuple>
#include <vector>

namespace test {
// A key with more to it than the bits by which it is ordered.
struct marked {
  std::uint32_t bits;
  float mark;
};
}  // namespace test

template <>
struct mgpu::radix_key<test::marked> {
  __host__ __device__ static std::uint32_t of(test::marked const& key) { return key.bits; }
};

BOOST_AUTO_TEST_SUITE(pair_sort, *boost::unit_test::precondition(test::can_run{}))

namespace {

namespace detail = mgpu::detail;

// Sorts the pairs from place 1 on. Unless `any` keys are sorted, `done` tells whether they were.
template <class Storage, bool any, bool descending, class Key, class Value>
__global__ void __launch_bounds__(Storage::threads_per_block)
    sort_kernel(Key* keys, Value* values, int count, int index_bits, int* done) {
  detail::pair_range<Key, Value> const pairs{keys, values};
  detail::block_pair_sort<descending, Storage, Key, Value> sort{
      mgpu::detail::simt::shared<Storage>(), pairs, pairs, 1, count, index_bits};
  bool is_done = true;
  if constexpr (any) {
    sort.run();
  } else {
    is_done = sort.order_if_even();
    if (is_done) sort.write();
  }
  if (mgpu::detail::simt::thread_rank() == 0) *done = is_done;
}

// Sorts keys that agree in their highest bits, with their numbers, and returns whether they were sorted.
template <class Storage, bool any, bool descending, class Value, class Key>
bool sorts(std::vector<Key> const& keys, int index_bits) {
  auto const order = test::stable_order<Key>(keys, [](Key const& a, Key const& b) {
    return detail::directed_bits<descending>(a) < detail::directed_bits<descending>(b);
  });
  std::vector<Value> numbers(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) numbers[i] = static_cast<Value>(i);
  test::buffer<Key> in_place(keys, 1);
  test::buffer<Value> values(numbers, 1);
  test::buffer<int> done(std::vector<int>{2});
  auto const count = static_cast<int>(keys.size());
  test::run_kernel(sort_kernel<Storage, any, descending, Key, Value>, 1, Storage::threads_per_block, sizeof(Storage),
                   in_place.begin() - 1, values.begin() - 1, count, index_bits, done.begin());
  bool const is_sorted = done.get()[0] == 1;
  BOOST_TEST(test::same_bytes(in_place.get(), is_sorted ? test::permuted(keys, order) : keys), count << " keys");
  BOOST_TEST(test::same_bytes(values.get(), is_sorted ? test::permuted(numbers, order) : numbers),
             count << " values");
  return is_sorted;
}
template <int threads, int items, int bin_bits, bool descending, class Value = std::uint32_t, class Key>
void check(std::vector<Key> const& keys, int index_bits, bool even = true) {
  using even_storage = detail::even_pairs_storage<Key, Value, threads, items, bin_bits>;
  using any_storage = detail::any_pairs_storage<Key, Value, threads, items>;
  BOOST_TEST((sorts<even_storage, false, descending, Value>(keys, index_bits)) == even);
  BOOST_TEST((sorts<any_storage, true, descending, Value>(keys, index_bits)));
}

// Integers whose highest bits are those of `high`, and of whose other bits some are set.
template <class Key>
std::vector<Key> random_keys(int count, Key high, Key mask, std::uint32_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Key> keys(static_cast<std::size_t>(count));
  for (auto& key : keys) key = static_cast<Key>(high | (static_cast<Key>(random()) & mask));
  return keys;
}

}  // namespace

using key_types = std::tuple<std::uint32_t, std::int32_t, std::uint64_t, std::int64_t>;
BOOST_AUTO_TEST_CASE_TEMPLATE(sizes, Key, key_types) {
  constexpr int free_bits = 8 * static_cast<int>(sizeof(Key)) - 10;
  for (int const count : {1, 2, 31, 32, 33, 64, 65, 127, 255, 383, 384}) {
    auto const low = static_cast<Key>((Key{1} << free_bits) - 1);
    auto const keys = random_keys<Key>(count, static_cast<Key>(Key{0x2b} << free_bits), low, 7);
    check<64, 6, 8, false>(keys, 10);
    check<64, 6, 8, true, std::uint64_t>(keys, 10);
    check<32, 12, 6, true>(keys, 9);
  }
}

// Of all keys, or of many, only few values come, so that what orders them is their index.
BOOST_AUTO_TEST_CASE(few_values) {
  for (int const count : {40, 300, 384}) {
    auto const few = [&](std::uint32_t mask) { return random_keys<std::uint32_t>(count, 0xab800000u, mask, 3); };
    check<64, 6, 8, false>(few(0), 9);
    check<64, 6, 8, true>(few(1), 9);
    check<64, 6, 8, true, std::uint64_t>(few(0xf), 9);
    check<64, 6, 4, false>(few(0), 9);
    check<64, 6, 8, false>(few(0x400000), 9, count < 96);
    check<64, 6, 8, true, std::uint64_t>(few(0x400001), 9, count < 96);
    check<64, 6, 8, false>(few(0x1ff), 9);
    auto keys = few(0);
    keys[7] |= 0x700000u;
    check<64, 6, 8, false>(keys, 9, count < 49);
  }
}

// Zeros keep their signs, and keys all that they hold.
BOOST_AUTO_TEST_CASE(keys_of_more_than_bits) {
  for (int const zeros : {2, 30, 200}) {
    std::vector<float> floats;
    std::vector<test::marked> marked;
    for (int i = 0; i < 300; ++i) {
      float const tiny = static_cast<float>(i * 37 % 101) * 1e-42f;
      floats.push_back(i * 7 % 300 < zeros ? (i % 3 == 0 ? 0.f : -0.f) : tiny);
      marked.push_back({0x77000000u + static_cast<std::uint32_t>(i * 31 % 50), i % 2 == 0 ? 0.f : -0.f});
    }
    bool const is_even = zeros < 48;
    check<64, 6, 8, false>(floats, 9, is_even);
    check<64, 6, 8, true>(floats, 9, is_even);
    check<64, 6, 8, false, double>(marked, 9);
    check<64, 6, 8, true>(marked, 9);
  }
}

BOOST_AUTO_TEST_SUITE_END()
