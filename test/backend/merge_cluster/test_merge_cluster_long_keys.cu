// Keys of more than 8 bytes are sorted by shares of a cluster's blocks.
#include <backend/merge_cluster/merge_cluster_sorts.h>
#include <support/device.h>
#include <support/items.h>
#include <support/memory.h>
#include <mgpu/sort.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(merge_cluster_long_keys, *boost::unit_test::precondition(test::can_run_clusters{}))

namespace {

using test::by_low_digits;
using test::check_merge_cluster;
using test::keys_of;
using test::less;
using test::long_key;
using test::long_keys_of;
template <bool is_quick, int key_bytes>
using tuning = mgpu::detail::merge_cluster_default_tuning<is_quick, key_bytes>;

}  // namespace

using long_keys = std::tuple<long_key<std::uint32_t, 3, 4>, long_key<std::uint64_t, 2, 8>,
                             long_key<std::uint64_t, 2, 16>, long_key<std::uint8_t, 11, 1>>;
BOOST_AUTO_TEST_CASE_TEMPLATE(types, Key, long_keys) {
  for (std::size_t const count : {256, 1000, 1024}) {
    auto const keys = long_keys_of<Key>(keys_of(count), 50);
    check_merge_cluster<test::shares_of_16>(keys, by_low_digits{});
    check_merge_cluster<test::shares_of_16>(keys, less{});
  }
}
BOOST_AUTO_TEST_CASE(sizes_of_the_usual_tuning) {
  for (std::size_t const count : {1534, 2048, 2049, 8191, 16383, 16384})
    check_merge_cluster<tuning<true, 16>>(long_keys_of<long_key<std::uint64_t, 2, 16>>(keys_of(count), 1 << 20),
                                          less{});
}

namespace {

// Which items are sorted so is known without a device, also of GPUs that have no clusters, or no room for them.
static_assert(tuning<true, 8>::at(90).min_items == 33 && tuning<true, 8>::at(90).max_ranked_items == 6144);
static_assert(tuning<true, 9>::at(90).min_items == 1534 && tuning<true, 9>::at(90).max_ranked_items == 0);
static_assert(tuning<false, 8>::at(90).max_items == 8191 && tuning<false, 9>::at(90).max_items == 0);
static_assert(tuning<true, 8>::at(80).max_items == 0 && tuning<true, 9>::at(80).max_items == 0);
static_assert(tuning<true, 8>::at(120).max_items == 0 && tuning<true, 9>::at(120).max_items == 0);

}  // namespace

#if defined(MGPU_EMULATED)

namespace {

// This may follow its pointer.
struct by_table {
  std::uint32_t const* table;
  template <class Key>
  __host__ __device__ bool operator()(Key const& a, Key const& b) const {
    return table[a.of[0] % 4] < table[b.of[0] % 4];
  }
};
// By this, keys with a pointer are followed.
struct number_elsewhere {
  std::uint32_t const* number;
};
struct long_number_elsewhere {
  std::uint32_t const* number;
  std::uint64_t length;
};
struct by_number_elsewhere {
  template <class Key>
  __host__ __device__ bool operator()(Key const& a, Key const& b) const {
    return *a.number < *b.number;
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(which_kernel) {
  using Key = long_key<std::uint32_t, 4, 4>;
  using Short = long_key<std::uint32_t, 3, 4>;
  test::buffer<Key> keys(long_keys_of<Key>(keys_of(16385), 1 << 20));
  test::buffer<Short> with_values(long_keys_of<Short>(keys_of(16385), 1 << 20));
  test::buffer<std::uint32_t> values(test::numbered<std::uint32_t>(16385)), table({3, 1, 0, 2});
  auto const blocks_of_shares = [](auto first, int count, auto comp) {
    return test::blocks_of_kernel("merge_shares_kernel", [&] { mgpu::sort(mgpu::par, first, first + count, comp); });
  };
  for (auto const& [count, blocks] :
       {std::pair(1533, 0u), {1534, 8u}, {2048, 8u}, {2049, 16u}, {16384, 16u}, {16385, 0u}}) {
    int const n = count;
    BOOST_TEST(blocks_of_shares(keys.begin(), n, less{}) == blocks);
    BOOST_TEST(blocks_of_shares(keys.begin(), n, by_table{table.begin()}) == 0u);
    BOOST_TEST(test::blocks_of_kernel("merge_shares_kernel", [&] {
                 mgpu::sort_by_key(mgpu::par, with_values.begin(), with_values.begin() + n, values.begin(), less{});
               }) == blocks);
  }
  test::buffer<number_elsewhere> pointers(std::vector<number_elsewhere>(16384, {table.begin()}));
  test::buffer<long_number_elsewhere> long_pointers(std::vector<long_number_elsewhere>(16384, {table.begin(), 1}));
  for (int const count : {2048, 8192, 16384}) {
    BOOST_TEST(blocks_of_shares(pointers.begin(), count, by_number_elsewhere{}) == 0u);
    BOOST_TEST(blocks_of_shares(long_pointers.begin(), count, by_number_elsewhere{}) == 0u);
  }
}

#endif

BOOST_AUTO_TEST_SUITE_END()
