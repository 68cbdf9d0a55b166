// One block, or one cluster of blocks, merge sorts an item a thread.
#include <backend/merge_cluster/merge_cluster_sorts.h>
#include <backend/radix_sorts.h>
#include <support/device.h>
#include <support/items.h>
#include <support/memory.h>
#include <support/schedules.h>
#include <mgpu/sort.h>
#include <mgpu/sort_copy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
#if defined(MGPU_EMULATED)
#include <emulator/emulator.h>
#include <emulator/runtime.h>
#endif

BOOST_AUTO_TEST_SUITE(merge_cluster, *boost::unit_test::precondition(test::can_run_clusters{}))

namespace {

using test::by_low_digits;
using test::check_merge_cluster;
using test::keys_of;
using test::less;
using test::of_16;
using test::of_8;
using test::one_block;
using test::shares_of_16;
using test::shares_of_8;
using test::usual;
using test::wide;
using test::wide_shares;

}  // namespace

BOOST_AUTO_TEST_CASE(sizes_of_a_block) {
  for (std::size_t const count : {1,   2,   3,   31,  32,  33,  63,  64,  65,  96,  97,   127, 128,
                                  129, 255, 256, 257, 384, 511, 512, 513, 640, 767, 1023, 1024}) {
    check_merge_cluster<one_block>(keys_of(count), by_low_digits{});
  }
}
BOOST_AUTO_TEST_CASE(sizes_of_a_cluster) {
  for (std::size_t const count : {256, 257, 300, 511, 512})
    check_merge_cluster<of_8>(keys_of(count), by_low_digits{});
  for (std::size_t const count : {513, 520, 700, 999, 1008, 1009, 1023, 1024}) {
    check_merge_cluster<of_8>(keys_of(count), by_low_digits{});
    check_merge_cluster<of_16>(keys_of(count), less{});
  }
}
BOOST_AUTO_TEST_CASE(sizes_of_shares) {
  for (std::size_t const count : {256, 257, 272, 300, 511, 512, 513, 520, 700, 999, 1008, 1009, 1023, 1024}) {
    if (count <= 512) check_merge_cluster<shares_of_8>(keys_of(count), by_low_digits{});
    check_merge_cluster<shares_of_16>(keys_of(count), less{});
  }
  for (std::size_t const count : {257, 2049, 2100, 3000, 4080, 4081, 4095, 4096}) {
    check_merge_cluster<wide_shares>(keys_of(count), by_low_digits{});
  }
}

BOOST_AUTO_TEST_CASE(sizes_of_a_wide_cluster) {
  for (std::size_t const count : {2049, 2100, 3000, 4080, 4081, 4095, 4096}) {
    check_merge_cluster<wide>(keys_of(count), by_low_digits{});
  }
}
BOOST_AUTO_TEST_CASE(sizes_of_the_usual_tuning) {
  for (std::size_t const count :
       {33, 512, 513, 2048, 2049, 4096, 4097, 6144, 6145, 8192, 8193, 12345, 16383, 16384}) {
    check_merge_cluster<usual>(keys_of(count), less{});
  }
}

struct three_bytes {
  unsigned char bytes[3];
  __host__ __device__ explicit operator unsigned() const { return bytes[0] * 256u + bytes[1]; }
};

BOOST_AUTO_TEST_CASE(distributions) {
  auto const check_changed = [](auto change) {
    for (std::size_t const count : {std::size_t{900}, std::size_t{1024}}) {
      auto keys = keys_of(count);
      for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = change(keys[i], static_cast<std::uint32_t>(i));
      check_merge_cluster<one_block>(keys, less{});
      check_merge_cluster<of_16>(keys, less{});
      check_merge_cluster<shares_of_16>(keys, less{});
    }
    auto keys = keys_of(4000);
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = change(keys[i], static_cast<std::uint32_t>(i));
    check_merge_cluster<wide>(keys, less{});
    check_merge_cluster<wide_shares>(keys, less{});
  };
  check_changed([](std::uint32_t, std::uint32_t) { return 5u; });                       // all equal
  check_changed([](std::uint32_t, std::uint32_t i) { return i; });                      // sorted
  check_changed([](std::uint32_t, std::uint32_t i) { return 100'000u - i; });           // reversed
  check_changed([](std::uint32_t key, std::uint32_t) { return key % 3; });              // three values
  check_changed([](std::uint32_t, std::uint32_t i) { return i % 2 == 0 ? 0u : ~0u; });  // two
  check_changed([](std::uint32_t, std::uint32_t i) { return i % 64; });
  check_changed([](std::uint32_t key, std::uint32_t i) { return i % 9 == 0 ? key : 7u; });
  check_changed([](std::uint32_t key, std::uint32_t i) { return i < 512 ? key : 7u; });  // runs of one value
  check_changed([](std::uint32_t, std::uint32_t i) { return i * 64 % 1024; });           // samples are alike
}

// Each 16th item of a run is a sample. In all runs but the first, what is before a sample with an even number and
// what is behind it belong to one share, which so has nearly as many items as two runs.
BOOST_AUTO_TEST_CASE(largest_shares) {
  std::vector<std::uint32_t> keys;
  for (std::uint32_t i = 0; i < 4096; ++i) {
    std::uint32_t const run = i / 256, sample = i % 256 / 16;
    bool const is_sample = i % 16 == 0, is_even = sample % 2 == 0;
    if (is_even) keys.push_back(sample * 32 + (is_sample ? run : 15));
    if (!is_even) keys.push_back(is_sample ? (sample - 1) * 32 + 16 + run : (sample + 1) * 32 + run);
  }
  check_merge_cluster<wide_shares>(keys, less{});
}

using key_types = std::tuple<std::uint8_t, std::int16_t, std::uint64_t, std::int64_t>;
BOOST_AUTO_TEST_CASE_TEMPLATE(types, Key, key_types) {
  check_merge_cluster<one_block>(test::radix_keys<Key>(1000, 2), by_low_digits{});
  check_merge_cluster<of_8>(test::radix_keys<Key>(500, 2), by_low_digits{});
  check_merge_cluster<of_16>(test::radix_keys<Key>(1000, 3), less{});
  check_merge_cluster<shares_of_16>(test::radix_keys<Key>(1000, 3), less{});
}
BOOST_AUTO_TEST_CASE(keys_of_three_bytes) {
  std::vector<three_bytes> keys;
  for (auto const key : keys_of(1000)) {
    keys.push_back({{static_cast<unsigned char>(key), static_cast<unsigned char>(key >> 8), 9}});
  }
  check_merge_cluster<one_block>(keys, by_low_digits{});
  check_merge_cluster<of_16>(keys, by_low_digits{});
  check_merge_cluster<shares_of_16>(keys, by_low_digits{});
}

// An assignment of this key returns nothing.
struct assigned_alone {
  std::uint32_t bits;
  assigned_alone() = default;
  assigned_alone(assigned_alone const&) = default;
  __host__ __device__ explicit assigned_alone(std::uint32_t number) : bits(number) {}
  __host__ __device__ void operator=(assigned_alone const& other) { bits = other.bits; }
  __host__ __device__ explicit operator unsigned() const { return bits; }
};
BOOST_AUTO_TEST_CASE(keys_whose_assignment_returns_nothing) {
  std::vector<assigned_alone> keys;
  for (auto const key : keys_of(1000)) keys.emplace_back(key);
  check_merge_cluster<of_16>(keys, by_low_digits{});
  check_merge_cluster<shares_of_16>(keys, by_low_digits{});
}

// This comparator returns a number, of which any but 0 is true.
struct says_how_much {
  __host__ __device__ int operator()(std::uint32_t a, std::uint32_t b) const { return a % 101 < b % 101 ? 2 : 0; }
};
BOOST_AUTO_TEST_CASE(comparator_that_returns_a_number) {
  check_merge_cluster<one_block>(keys_of(1000), says_how_much{});
  check_merge_cluster<of_16>(keys_of(1000), says_how_much{});
  check_merge_cluster<shares_of_16>(keys_of(1000), says_how_much{});
}

// The input is no memory, and the output is another range.
struct scrambled {
  __host__ __device__ std::uint32_t operator()(std::uint32_t i) const { return i * 2654435761u; }
};
BOOST_AUTO_TEST_CASE(copies) {
  for (std::size_t const count : {100, 1000, 3000, 9000}) {
    std::vector<std::uint32_t> keys;
    for (std::uint32_t i = 0; i < count; ++i) keys.push_back(scrambled{}(i));
    auto const order = test::stable_order<std::uint32_t>(keys, by_low_digits{});
    auto const first = thrust::make_transform_iterator(thrust::make_counting_iterator(0u), scrambled{});
    test::buffer<std::uint32_t> sorted(std::vector<std::uint32_t>(count, 1));
    mgpu::sort_copy(mgpu::par, first, first + static_cast<std::ptrdiff_t>(count), sorted.begin(), by_low_digits{});
    BOOST_TEST(test::same_bytes(sorted.get(), test::permuted(keys, order)));
    // An output that is no memory cannot be read back: then a block sorts by itself, or a cluster by shares.
    test::buffer<std::uint32_t> changed(std::vector<std::uint32_t>(count, 1));
    mgpu::sort_copy(mgpu::par, first, first + static_cast<std::ptrdiff_t>(count),
                    thrust::make_transform_output_iterator(changed.begin(), scrambled{}), by_low_digits{});
    auto expected = test::permuted(keys, order);
    std::transform(expected.begin(), expected.end(), expected.begin(), scrambled{});
    BOOST_TEST(test::same_bytes(changed.get(), expected));
  }
}

BOOST_AUTO_TEST_CASE(schedules) {
  test::for_each_schedule(200, [](std::uint32_t seed) {
    std::size_t const count = seed % 4 == 0 ? 1 + seed % 32 : 256 + seed * 7919 % 257;
    check_merge_cluster<test::merge_cluster_of<32, 32>>(keys_of(count, seed), by_low_digits{});
    if (count >= 256)
      check_merge_cluster<test::merge_cluster_of<32, 32, 0, 0>>(keys_of(count, seed), by_low_digits{});
  });
}

#if defined(MGPU_EMULATED)

template <class Tuning>
void check_unwritten_memory(std::size_t count) {
  auto const keys = keys_of(count);
  BOOST_CHECK_NO_THROW(mgpu::emulator::check_fill_independence([&] {
    test::buffer<std::uint32_t> data(keys);
    mgpu::detail::no_values const none{};
    test::merge_cluster_sort<Tuning>(
        mgpu::par, mgpu::detail::sort_in_place(data.begin(), none, none, static_cast<std::int64_t>(count)), less{});
    return data.get();
  }));
}
BOOST_AUTO_TEST_CASE(unwritten_memory) {
  for (std::size_t const count : {100, 1000}) check_unwritten_memory<test::merge_cluster_of<128, 100>>(count);
  for (std::size_t const count : {300, 1000}) check_unwritten_memory<test::merge_cluster_of<128, 100, 0, 0>>(count);
}

// In a part of the device that has room for smaller clusters, these sort what they can hold, and leave more to others.
BOOST_AUTO_TEST_CASE(smaller_clusters) {
  namespace detail = mgpu::detail;
  for (unsigned const largest : {1u, 4u, 8u}) {
    test::stream stream;
    mgpu::emulator::runtime::largest_cluster(stream, largest);
    std::size_t const most = 64 * largest;
    for (std::size_t const count : {most, most + 1}) {
      auto const keys = keys_of(count);
      test::buffer<std::uint32_t> data(keys);
      detail::no_values const none{};
      auto const problem = detail::sort_in_place(data.begin(), none, none, static_cast<std::int64_t>(count));
      // One block alone has no shares.
      bool const is_sorted =
          largest > 1 && count % 2 == 0
              ? test::merge_cluster_sort<shares_of_16>(mgpu::par.on(stream), problem, by_low_digits{})
              : test::merge_cluster_sort<of_16>(mgpu::par.on(stream), problem, by_low_digits{});
      BOOST_TEST(is_sorted == (count <= most));
      auto const order = test::stable_order<std::uint32_t>(keys, by_low_digits{});
      BOOST_TEST(test::same_bytes(data.get(), is_sorted ? test::permuted(keys, order) : keys));
    }
  }
}

// Two blocks are no cluster to sort by, and few items would leave some of sixteen without any.
BOOST_AUTO_TEST_CASE(no_cluster) {
  namespace detail = mgpu::detail;
  test::stream stream;
  mgpu::emulator::runtime::largest_cluster(stream, 2);
  auto const is_sorted = [&](auto tuning, auto const& policy, std::size_t count) {
    test::buffer<std::uint32_t> data(keys_of(count));
    detail::no_values const none{};
    auto const problem = detail::sort_in_place(data.begin(), none, none, static_cast<std::int64_t>(count));
    return test::merge_cluster_sort<decltype(tuning)>(policy, problem, less{});
  };
  BOOST_TEST(!is_sorted(wide{}, mgpu::par.on(stream), 400));
  BOOST_TEST(is_sorted(wide{}, mgpu::par, 400));
  for (std::size_t const count : {65, 100, 200, 255}) BOOST_TEST(!is_sorted(of_16{}, mgpu::par, count));
  BOOST_TEST(is_sorted(of_16{}, mgpu::par, 256));
  for (std::size_t const count : {32, 16385}) BOOST_TEST(!is_sorted(usual{}, mgpu::par, count));
  // One block has no shares, even if it could hold all items.
  BOOST_TEST(!is_sorted(wide_shares{}, mgpu::par.on(stream), 256));
  BOOST_TEST(!is_sorted(shares_of_16{}, mgpu::par, 64));
}

struct by_low_bits_in {
  std::uint32_t const* table;
  __host__ __device__ bool operator()(std::uint32_t a, std::uint32_t b) const { return table[a % 4] < table[b % 4]; }
};

// The number of items says which kernel sorts them in one launch, and how many blocks it has. It is the kernel of shares
// from 6,145 items on, and from 1,025 on where keys go to no plain memory.
BOOST_AUTO_TEST_CASE(which_kernel) {
  auto const first = thrust::make_transform_iterator(thrust::make_counting_iterator(0u), scrambled{});
  test::buffer<std::uint32_t> out(16385), values(16385);
  auto const blocks_of = [&](char const* kernel, int count, auto sort) {
    return test::blocks_of_kernel(kernel, [&] { sort(first + count); });
  };
  auto const changed = thrust::make_transform_output_iterator(out.begin(), scrambled{});
  auto const to_memory = [&](auto last) { mgpu::sort_copy(mgpu::par, first, last, out.begin(), by_low_digits{}); };
  auto const to_none = [&](auto last) { mgpu::sort_copy(mgpu::par, first, last, changed, by_low_digits{}); };
  auto const with_values = [&](auto last) {
    mgpu::sort_by_key_copy(mgpu::par, first, last, first, changed, values.begin(), by_low_digits{});
  };
  for (auto const& [count, blocks] :
       {std::pair(512, 1u), {513, 8u}, {2048, 8u}, {2049, 16u}, {6144, 16u}, {6145, 0u}}) {
    BOOST_TEST(blocks_of("merge_cluster_kernel", count, to_memory) == blocks);
  }
  for (auto const& [count, blocks] : {std::pair(6144, 0u), {6145, 16u}, {16384, 16u}, {16385, 0u}}) {
    BOOST_TEST(blocks_of("merge_shares_kernel", count, to_memory) == blocks);
  }
  BOOST_TEST(blocks_of("merge_cluster_kernel", 1024, to_none) == 1u);
  for (auto const& [count, blocks] : {std::pair(1024, 0u), {1025, 8u}, {2049, 16u}, {16384, 16u}, {16385, 0u}}) {
    BOOST_TEST(blocks_of("merge_shares_kernel", count, to_none) == blocks);
    BOOST_TEST(blocks_of("merge_shares_kernel", count, with_values) == blocks);
  }
  // By a comparator that may wait for memory nothing is merged by shares.
  test::buffer<std::uint32_t> table({3, 1, 0, 2});
  by_low_bits_in const low_bits{table.begin()};
  auto const by_table = [&](auto last) { mgpu::sort_copy(mgpu::par, first, last, changed, low_bits); };
  BOOST_TEST(blocks_of("merge_cluster_kernel", 1024, by_table) == 1u);
  BOOST_TEST(blocks_of("merge_shares_kernel", 1025, by_table) == 0u);
}

// To ask for the scratch memory that it takes, which is none, sorts nothing.
BOOST_AUTO_TEST_CASE(query) {
  auto const keys = keys_of(1000);
  test::buffer<std::uint32_t> data(keys);
  std::size_t bytes = 1;
  mgpu::sort(mgpu::par.query_scratch(bytes), data.begin(), data.end(), by_low_digits{});
  BOOST_TEST(bytes == 0u);
  BOOST_TEST(test::same_bytes(data.get(), keys));
}

#endif

BOOST_AUTO_TEST_SUITE_END()
