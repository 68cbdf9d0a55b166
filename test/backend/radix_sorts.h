// The tests of the radix sort share small tunings, and a sort that is checked against std::stable_sort on the input.
#pragma once
#include <support/items.h>
#include <mgpu/detail/core/index_iterators.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/sort_problem.h>
#include <mgpu/detail/dispatch/sort.h>
#include <mgpu/detail/runtime/policy_traits.h>
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

template <int Threads, int Items, int MaxPolls = 8, int DigitBits = 8, int Window = 2, int Blocks = 2,
          std::int64_t LaunchItems = mgpu::detail::onesweep_tuning::most_counted, bool PartialFirst = true>
struct onesweep_tuning {
  __host__ __device__ static constexpr mgpu::detail::onesweep_tuning at(int) {
    return {Threads, Items, Blocks, PartialFirst, DigitBits, Window, MaxPolls, 64, 2, LaunchItems};
  }
  static constexpr std::size_t tile_items = Threads * Items;
};
using small_onesweep = onesweep_tuning<64, 3>;
using small_partial_last = onesweep_tuning<64, 3, 8, 8, 2, 2, mgpu::detail::onesweep_tuning::most_counted, false>;

// With this tuning one block sorts all, and with the next one a cluster of blocks does.
template <int Threads, int Items, int DigitBits = 8>
struct block_tuning {
  __host__ __device__ static constexpr mgpu::detail::radix_cluster_tuning at(int) {
    return {Threads, Items, DigitBits};
  }
  static constexpr std::size_t tile_items = Threads * Items;
};
template <int Threads, int Items, int Blocks, int DigitBits = 8>
struct cluster_tuning {
  __host__ __device__ static constexpr mgpu::detail::radix_cluster_tuning at(int) {
    return {Threads, Items, DigitBits, Blocks, 1};
  }
  static constexpr std::size_t tile_items = Threads * Items;
  static constexpr auto max_items = static_cast<std::size_t>(at(0).max_items(Blocks));
};

// Buckets of about Mean items are sorted by blocks that hold BucketThreads * BucketItems.
template <int Threads, int Items, int Samples, int BucketBits, int BucketThreads, int BucketItems, int Mean,
          int LeastMean = Mean>
struct sample_tuning {
  __host__ __device__ static constexpr mgpu::detail::sample_sort_tuning at(int) {
    return {{Threads, Items, 1}, Samples, BucketBits, {BucketThreads, BucketItems, 1}, Mean, LeastMean};
  }
  static constexpr std::size_t tile_items = Threads * Items;
  static constexpr auto max_items = static_cast<std::size_t>(std::min<std::int64_t>(
      std::int64_t{at(0).max_buckets()} * Mean, std::int64_t{BucketThreads} * Threads * Items));
};

template <class Tuning, bool descending, class Problem>
void radix_sort(Problem const& problem) {
  namespace detail = mgpu::detail;
  detail::run_on_device("radix_sort", mgpu::par, problem.num_items, [&](detail::device_call& call) {
    if constexpr (detail::is_tuning_of<Tuning, detail::radix_cluster_tuning>) {
      bool const is_sorted = detail::radix_cluster_sort<Tuning, descending>(call, problem);
      BOOST_TEST(is_sorted);
    } else if constexpr (detail::is_tuning_of<Tuning, detail::sample_sort_tuning>) {
      bool const is_sorted = detail::sample_sort<Tuning, detail::sample_sort_by_bits<descending>>(
          call, problem, detail::compare_bits<descending>{});
      BOOST_TEST(is_sorted);
    } else {
      detail::onesweep<Tuning, descending>(call, problem);
    }
  });
}

// Returns the stable order of the keys by their bits.
template <bool descending, class Key>
std::vector<std::size_t> radix_order(std::vector<Key> const& keys) {
  return stable_order<Key>(keys, [](Key const& a, Key const& b) {
    auto const left = mgpu::detail::ordered_bits(a);
    auto const right = mgpu::detail::ordered_bits(b);
    return descending ? right < left : left < right;
  });
}

// Sorts keys alone and keys with their numbers, in place and not.
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
      radix_sort<Tuning, descending>(mgpu::detail::sort_in_place(in_place.begin(), none, none, count));
      BOOST_TEST(same_bytes(in_place.get(), sorted), "in place");
    }
    {
      buffer<Key> in_place(keys);
      buffer<std::uint32_t> values(numbers);
      radix_sort<Tuning, descending>(
          mgpu::detail::sort_in_place(in_place.begin(), values.begin(), values.begin(), count));
      BOOST_TEST(same_bytes(in_place.get(), sorted), "keys of pairs in place");
      BOOST_TEST(same_bytes(values.get(), sorted_numbers), "values in place");
    }
    buffer<Key> in(keys);
    buffer<Key> out(std::vector<Key>(keys.size()));
    buffer<std::uint32_t> values_out(std::vector<std::uint32_t>(keys.size()));
    Key const* const first = in.begin();
    mgpu::detail::counting_iterator<std::uint32_t> const indices{0};
    radix_sort<Tuning, descending>(
        mgpu::detail::sort_to_copy(first, indices, out.begin(), values_out.begin(), count));
    BOOST_TEST(same_bytes(out.get(), sorted), "keys copied");
    BOOST_TEST(same_bytes(values_out.get(), sorted_numbers), "values copied");
    BOOST_TEST(same_bytes(in.get(), keys), "input");
  }
}

// The direction is in how bits are made of a key alone, so each tuning and kind of key need not be sorted both ways.
template <class Tuning, class Key>
void check_ascending(std::vector<Key> const& keys) {
  check_radix_sort<Tuning, false>(keys);
}
template <class Tuning, class Key>
void check_descending(std::vector<Key> const& keys) {
  check_radix_sort<Tuning, true>(keys);
}
template <class Tuning, class Key>
void check_by_sign(std::vector<Key> const& keys) {
  check_radix_sort<Tuning, std::is_signed_v<Key>>(keys);
}
template <class Tuning, class Key>
void check_both_directions(std::vector<Key> const& keys) {
  check_radix_sort<Tuning, false>(keys);
  check_radix_sort<Tuning, true>(keys);
}

// Returns keys, whose distribution the seed decides.
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
