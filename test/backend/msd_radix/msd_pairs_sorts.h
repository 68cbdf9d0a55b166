// The tests of the sort of keys with values by the highest digits share tunings, and a sort that is checked.
#pragma once
#include <backend/msd_radix/msd_radix_sorts.h>
#include <backend/radix_sorts.h>
#include <support/device.h>
#include <support/items.h>
#include <mgpu/detail/backend/msd_radix/pairs.cuh>
#include <mgpu/detail/backend/msd_radix/tuning.h>
#include <mgpu/detail/core/index_iterators.h>
#include <mgpu/radix_key.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace test {

// Keys with more to them than the bits by which they are ordered.
struct colour {
  std::uint32_t bits;
  float other;
};
struct wide_key {
  std::uint64_t bits;
};
// A key that is ordered by more bits than it has, for which buckets would have to be smaller.
struct twofold_key {
  std::uint64_t bits;
};

}  // namespace test

template <>
struct mgpu::radix_key<test::colour> {
  __host__ __device__ static std::int32_t of(test::colour const& key) { return static_cast<std::int32_t>(key.bits); }
};
template <>
struct mgpu::radix_key<test::twofold_key> {
  __host__ __device__ static mgpu::detail::uint128 of(test::twofold_key const& key) {
    return mgpu::detail::uint128{key.bits} << 64 | ~key.bits;
  }
};
template <>
struct mgpu::radix_key<test::wide_key> {
  __host__ __device__ static std::uint64_t of(test::wide_key const& key) { return key.bits >> 8 << 20; }
};

namespace test {

// Buckets are told apart by up to first_bits + second_bits bits, and have at most max_bucket_tiles times threads * items
// pairs; the digits of the passes have second_bits bits.
template <int first_bits, int second_bits, int threads, int items, int bin_bits = 4, int max_bucket_tiles = 1>
struct pairs_tuning {
  using passes = onesweep_tuning<64, 3, 8, second_bits>;
  __host__ __device__ static constexpr mgpu::detail::msd_radix_tuning at(int) {
    constexpr mgpu::detail::tile_shape shape{threads, items, 1};
    return {first_bits, second_bits, shape, shape, shape, bin_bits, 8, threads, max_bucket_tiles};
  }
};
using small_pairs = pairs_tuning<4, 4, 32, 6>;  // at most 256 buckets, of at most 192 pairs

// Sorts, and returns whether the pairs were put into buckets.
template <class Tuning, bool descending, class Problem>
bool pairs_sort(Problem const& problem) {
  namespace detail = mgpu::detail;
  buffer<std::uint64_t> seen(std::vector<std::uint64_t>{2});
  detail::run_on_device("pairs_sort", mgpu::par, problem.num_items, [&](detail::device_call& call) {
    detail::msd_radix_pairs<Tuning, descending>(call, problem, [&](detail::device_call& inner, auto const& start) {
      detail::onesweep<typename Tuning::passes, descending>(inner, problem, start);
      if (start.launches_kernels()) {
        require(cudaMemcpyAsync(seen.begin(), start.planned().is_done, sizeof(std::uint64_t),
                                cudaMemcpyDeviceToDevice, inner.stream()));
      }
    });
  });
  std::uint64_t const is_taken = seen.get()[0];
  BOOST_TEST(is_taken <= 1u);
  return is_taken == 1;
}

// Sorts keys with their numbers, in place and not, and compares with a stable order of the input.
template <class Tuning, bool descending, class Value = std::uint32_t, class Key>
void check_pairs_sort(std::vector<Key> const& keys, msd_way expected) {
  namespace detail = mgpu::detail;
  auto const order = radix_order<descending>(keys);
  auto const sorted = permuted(keys, order);
  auto const count = static_cast<std::int64_t>(keys.size());
  std::vector<Value> numbers(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) numbers[i] = static_cast<Value>(i);
  auto const sorted_numbers = permuted(numbers, order);
  auto const is_as_expected = [&](bool highest_first) {
    return expected == msd_way::any || highest_first == (expected == msd_way::highest_first);
  };
  BOOST_TEST_CONTEXT(count << " keys of " << sizeof(Key) << " bytes with values of " << sizeof(Value) << ", "
                           << (descending ? "descending" : "ascending")) {
    // What lies before a buffer's first item makes its items lie anywhere.
    buffer<Key> in_place(keys, 1);
    buffer<Value> values(numbers, 3);
    BOOST_TEST(is_as_expected(pairs_sort<Tuning, descending>(
        detail::sort_in_place(in_place.begin(), values.begin(), values.begin(), count))));
    BOOST_TEST(same_bytes(in_place.get(), sorted), "keys in place");
    BOOST_TEST(same_bytes(values.get(), sorted_numbers), "values in place");

    buffer<Key> in(keys), out(std::vector<Key>(keys.size()));
    buffer<Value> values_out(std::vector<Value>(keys.size()));
    Key const* const first = in.begin();
    detail::counting_iterator<Value> const indices{0};
    BOOST_TEST(is_as_expected(pairs_sort<Tuning, descending>(
        detail::sort_to_copy(first, indices, out.begin(), values_out.begin(), count))));
    BOOST_TEST(same_bytes(out.get(), sorted), "keys copied");
    BOOST_TEST(same_bytes(values_out.get(), sorted_numbers), "values copied");
    BOOST_TEST(same_bytes(in.get(), keys), "input");
  }
}

}  // namespace test
