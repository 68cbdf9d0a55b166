// query_scratch tells what the headers say of scratch memory. Nothing is launched, so the ranges need no memory.
#include <mgpu/merge.h>
#include <mgpu/reduce.h>
#include <mgpu/sort.h>
#include <mgpu/sort_copy.h>
#include <support/items.h>
#include <support/tunings.h>
#include <support/scans.h>
#include <support/device.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>

namespace {

constexpr std::size_t counts[] = {300003, (1 << 22) + 5, 1 << 30};

using test::nowhere;

template <class Call>
std::size_t queried(Call call) {
  std::size_t bytes = 12345;
  call(mgpu::par.query_scratch(bytes));
  return bytes;
}

// This one may look items up elsewhere.
struct by_number_elsewhere {
  void const* anything;
  __host__ __device__ bool operator()(std::uint64_t a, std::uint64_t b) const { return a < b; }
};
struct by_number {
  __host__ __device__ bool operator()(std::uint64_t a, std::uint64_t b) const { return a < b; }
};

std::size_t divided_up(std::size_t dividend, std::size_t divisor) { return (dividend + divisor - 1) / divisor; }

// Computes the bytes for `count` keys and as many values, which are moved so many times in all as there are copies.
struct sort_bytes {
  std::size_t key, value, copies;
  std::size_t items(std::size_t count) const { return copies * count * (key + value); }
  std::size_t tiles(std::size_t count) const { return divided_up(count * std::max(key, value), 2048) + 1; }
  std::size_t by_digits(std::size_t count) const { return items(count) + tiles(count) * 2048 + key * 8192 + 2048; }
  std::size_t by_merging(std::size_t count) const { return items(count) + tiles(count) * 32 + 2048; }
  // Many items that are moved three times take memory for a sample, and for tables, so many tenths of a byte for each.
  std::size_t by_two_levels(std::size_t count, std::size_t tenths = 6) const {
    std::size_t const tables = (16 << 10) + (1 << 20) + count * tenths / 10;
    return by_merging(count) + tables + key * std::max(std::size_t{131'072}, count / 64);
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(documented_scratch, *boost::unit_test::precondition(test::can_run{}))

template <class Key>
void check_counted(std::size_t expected) {
  auto* const keys = nowhere<Key>();
  for (std::size_t const count : {std::size_t{1} << 22, std::size_t{1} << 30}) {
    BOOST_TEST(queried([&](auto policy) { mgpu::sort(policy, keys, keys + count); }) == expected);
  }
}
BOOST_AUTO_TEST_CASE(counted_keys) {
  check_counted<std::int8_t>((4 << 10) + 511);
  check_counted<std::uint16_t>((1 << 20) + 511);
}

using number_types = std::tuple<std::tuple<std::uint8_t, std::uint8_t>, std::tuple<std::uint32_t, std::uint32_t>,
                                std::tuple<std::uint64_t, std::uint8_t>, std::tuple<std::uint16_t, test::item<16>>>;
BOOST_AUTO_TEST_CASE_TEMPLATE(by_digits, Types, number_types) {
  using Key = std::tuple_element_t<0, Types>;
  using Value = std::tuple_element_t<1, Types>;
  auto* const keys = nowhere<Key>();
  auto* const values = nowhere<Value>();
  for (std::size_t const count : counts) {
    std::size_t const plain = queried([&](auto policy) { mgpu::sort_by_key(policy, keys, keys + count, values); });
    sort_bytes const once{sizeof(Key), sizeof(Value), 1};
    BOOST_TEST(plain >= once.items(count));
    BOOST_TEST(plain <= once.by_digits(count));
    std::size_t const fancy = queried([&](auto policy) {
      mgpu::sort_by_key_copy(policy, keys, keys + count, values, thrust::make_reverse_iterator(keys + count),
                             thrust::make_reverse_iterator(values + count));
    });
    sort_bytes const twice{sizeof(Key), sizeof(Value), 2};
    BOOST_TEST(fancy >= twice.items(count));
    BOOST_TEST(fancy <= twice.by_digits(count));
  }
}

using item_types = std::tuple<std::tuple<test::item<12, 4>, std::uint32_t>, std::tuple<test::item<8>, std::uint64_t>,
                              std::tuple<test::item<32, 4>, test::item<16>>>;
BOOST_AUTO_TEST_CASE_TEMPLATE(by_merging, Types, item_types) {
  using Key = std::tuple_element_t<0, Types>;
  using Value = std::tuple_element_t<1, Types>;
  auto* const keys = nowhere<Key>();
  auto* const values = nowhere<Value>();
  sort_bytes const once{sizeof(Key), sizeof(Value), 1};
  for (std::size_t const count : counts) {
    std::size_t const bytes =
        queried([&](auto policy) { mgpu::sort_by_key(policy, keys, keys + count, values, test::by_key{}); });
    BOOST_TEST(bytes >= once.items(count));
    BOOST_TEST(bytes <= (sizeof(Key) + sizeof(Value) <= 16 ? once.by_two_levels(count) : once.by_merging(count)));
  }
}

// Some of these are sorted in two launches, by comparing or by digits.
BOOST_AUTO_TEST_CASE(in_two_launches) {
  auto* const keys = nowhere<std::uint32_t>();
  int multiprocessors = 0;
  test::require(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  for (std::size_t const count :
       {4096, 8191, 8192, 10241, 20000, 1 << 18, (1 << 18) + 1, 1 << 19, (1 << 19) + 1, 3 << 18}) {
    std::size_t const table =
        512 * std::max<std::size_t>(static_cast<std::size_t>(multiprocessors), count / 4096 + 1);
    sort_bytes const bare{sizeof(std::uint32_t), 0, 1}, pairs{sizeof(std::uint32_t), sizeof(std::uint32_t), 1};
    by_number const by_less{};
    BOOST_TEST(queried([&](auto policy) { mgpu::sort(policy, keys, keys + count, by_less); }) <=
               bare.by_merging(count) + table);
    BOOST_TEST(queried([&](auto policy) { mgpu::sort_by_key(policy, keys, keys + count, keys, by_less); }) <=
               pairs.by_merging(count) + table);
    BOOST_TEST(queried([&](auto policy) { mgpu::sort(policy, keys, keys + count); }) <= bare.by_digits(count));
    BOOST_TEST(queried([&](auto policy) { mgpu::sort_by_key(policy, keys, keys + count, keys); }) <=
               pairs.by_digits(count));
  }
}

// Many items are sorted by comparing with tables of buckets and a sample, from and up to different numbers of items.
template <class Key>
void check_two_levels() {
  auto* const keys = nowhere<Key>();
  for (int bits = 20; bits <= 28; ++bits) {
    for (std::size_t const count : {(std::size_t{1} << bits) + 1, std::size_t{3} << (bits - 1)}) {
      by_number const by_less{};
      sort_bytes const bare{sizeof(Key), 0, 1}, pairs{sizeof(Key), sizeof(Key), 1};
      BOOST_TEST(queried([&](auto policy) { mgpu::sort(policy, keys, keys + count, by_less); }) <=
                 bare.by_two_levels(count));
      BOOST_TEST(queried([&](auto policy) { mgpu::sort_by_key(policy, keys, keys + count, keys, by_less); }) <=
                 pairs.by_two_levels(count));
      by_number_elsewhere const elsewhere{};
      BOOST_TEST(queried([&](auto policy) { mgpu::sort(policy, keys, keys + count, elsewhere); }) <=
                 bare.by_two_levels(count, 11));
      BOOST_TEST(queried([&](auto policy) { mgpu::sort_by_key(policy, keys, keys + count, keys, elsewhere); }) <=
                 pairs.by_two_levels(count, 11));
    }
  }
}
BOOST_AUTO_TEST_CASE(by_two_levels) {
  check_two_levels<std::uint32_t>();
  check_two_levels<std::uint64_t>();
}

// Keys, values, or both are moved once, in place, which takes as many bytes again, and two indices.
BOOST_AUTO_TEST_CASE(large_items) {
  using large = test::item<200, 4>;
  auto* const items = nowhere<large>();
  auto* const numbers = nowhere<std::uint32_t>();
  sort_bytes const indices{sizeof(std::uint32_t), sizeof(std::uint32_t), 1};
  for (std::size_t const count : counts) {
    std::size_t const copy = count * sizeof(large);
    std::size_t const values =
        queried([&](auto policy) { mgpu::sort_by_key(policy, numbers, numbers + count, items); });
    std::size_t const expected = copy + count * sizeof(std::uint32_t);
    BOOST_TEST(values >= expected + indices.items(count));
    BOOST_TEST(values <= expected + indices.by_digits(count));
    std::size_t const keys = queried([&](auto policy) { mgpu::sort(policy, items, items + count, test::by_key{}); });
    BOOST_TEST(keys >= copy + indices.items(count));
    BOOST_TEST(keys <= copy + indices.by_two_levels(count, 11));
  }
}

BOOST_AUTO_TEST_CASE(merges) {
  auto* const keys = nowhere<std::uint32_t>();
  for (std::size_t const count : counts) {
    std::size_t const bytes = queried([&](auto policy) {
      mgpu::merge(policy.with_tuning(test::small_merge{}), keys, keys + count, keys, keys + 7, keys);
    });
    std::size_t const tiles = divided_up(count + 7, test::small_merge::tile_items);
    BOOST_TEST(bytes >= tiles * 8);
    BOOST_TEST(bytes <= tiles * 8 + 511);
  }
  // By the usual tuning there is none up to 2,048 tiles.
  using item = test::item<16, 8>;
  auto const usual = [](auto const& query, std::size_t count) {
    item* const items = nowhere<item>();
    mgpu::merge(query, items, items + count, items, items, items, test::by_key{});
  };
  std::size_t const most = test::tile_items(usual);
  BOOST_TEST(most % 2048 == 0u);
  BOOST_TEST(most / 2048 >= 256u);
  std::size_t const beyond = queried([&](auto policy) { usual(policy, most + 1); });
  BOOST_TEST(beyond >= 2049 * 8u);
  BOOST_TEST(beyond <= 2050 * 8 + 511u);
}

BOOST_AUTO_TEST_CASE(reductions) {
  auto* const items = nowhere<std::uint64_t>();
  for (std::size_t const count : counts) {
    std::size_t const bytes = queried([&](auto policy) { mgpu::reduce(policy, items, items + count); });
    BOOST_TEST(bytes <= 4096 * sizeof(std::uint64_t) + 510);
  }
}

template <std::size_t words>
struct sum_of_words {
  std::uint32_t at[words];
  __host__ __device__ friend sum_of_words operator+(sum_of_words a, sum_of_words const& b) {
    for (std::size_t i = 0; i < words; ++i) a.at[i] += b.at[i];
    return a;
  }
};
#if defined(__CUDACC__)  // nvcc takes minutes for the kernels of the large ones, which this test does not launch
using sum_types = std::tuple<std::uint8_t, std::uint32_t, std::uint64_t, sum_of_words<3>, sum_of_words<16>>;
#else
using sum_types = std::tuple<std::uint8_t, std::uint32_t, std::uint64_t, sum_of_words<3>, sum_of_words<16>,
                             sum_of_words<126>, sum_of_words<127>>;
#endif
BOOST_AUTO_TEST_CASE_TEMPLATE(scans, T, sum_types) {
  auto* const items = nowhere<T>();
  std::size_t const eights = sizeof(T) < 8 ? 0 : divided_up(sizeof(T), 8) * 8;
  std::size_t const tile_bytes = sizeof(T) < 8 ? 8 : eights + divided_up(eights, 504) * 8;
  std::size_t const group = sizeof(T) <= 8 ? 32 : 64;
  for (std::size_t const tiles : {2, 50, 64, 400}) {
    std::size_t const count = tiles * test::plain_scan::tile_items;
    std::size_t const bytes = queried([&](auto policy) {
      mgpu::inclusive_scan(policy.with_tuning(test::plain_scan{}), items, items + count, items);
    });
    BOOST_TEST(bytes == divided_up(tiles, group) * group * tile_bytes + 511);
  }
}

BOOST_AUTO_TEST_SUITE_END()
