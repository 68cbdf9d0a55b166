// merge_tile's store_from stores what is valid of a thread's registers, and source indices come back as they were
// stored.
#include <mgpu/detail/block/merge_tile.cuh>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/simt/simt.cuh>
#include <support/device.h>
#include <support/guarded.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <type_traits>
#include <vector>

BOOST_AUTO_TEST_SUITE(merge_tile, *boost::unit_test::precondition(test::can_run{}))

namespace {

namespace simt = mgpu::detail::simt;

constexpr int threads = 64;
constexpr int items = 5;
constexpr int tile_items = threads * items;

// Block b stores b keys of the tile, blocked, among strangers. The tile then goes to its slice of the output.
__global__ void store_kernel(std::uint32_t stranger, std::uint32_t* out) {
  auto& tile = simt::shared<mgpu::detail::merge_tile<std::uint32_t, mgpu::detail::no_value, threads, items>>();
  auto const thread = static_cast<int>(simt::thread_rank());
  auto const valid = static_cast<int>(simt::block_rank());
  for (int i = thread; i < tile_items; i += threads) tile.keys[i] = stranger;
  simt::sync_block();
  std::uint32_t mine[items];
#pragma unroll
  for (int i = 0; i < items; ++i) mine[i] = static_cast<std::uint32_t>(thread * items + i);
  mgpu::detail::store_from(thread * items, mine, tile.keys + 0, valid);
  simt::sync_block();
  for (int i = thread; i < tile_items; i += threads) out[valid * tile_items + i] = tile.keys[i];
}

// Stores a source index for each item of the tile, highest first so that 16 bits are needed, and returns all of them;
// then it stores and returns those of the items in backward order, but for the last 7, which stay 1.
template <class Index>
__global__ void sources_kernel(int* out) {
  auto& tile = simt::shared<mgpu::detail::merge_tile<std::uint8_t, Index, threads, items>>();
  int const first = static_cast<int>(simt::thread_rank()) * items;
  Index mine[items];
#pragma unroll
  for (int i = 0; i < items; ++i) mine[i] = Index(65535 - first - i);
  mgpu::detail::store_from(first, mine, tile.sources + 0);
  simt::sync_block();
  for (int i = first; i < first + items; ++i) out[i] = static_cast<int>(tile.source(i));
  Index places[items];
  Index found[items];
#pragma unroll
  for (int i = 0; i < items; ++i) {
    places[i] = Index(tile_items - 1 - first - i);
    found[i] = Index(1);
  }
  tile.find_sources(first, places, found, tile_items - 7);
#pragma unroll
  for (int i = 0; i < items; ++i) out[tile_items + first + i] = static_cast<int>(found[i]);
}

template <class Index>
std::vector<int> sources() {
  test::buffer<int> out(2 * tile_items);
  test::run_kernel(sources_kernel<Index>, 1, threads,
                   sizeof(mgpu::detail::merge_tile<std::uint8_t, Index, threads, items>), out.begin());
  return out.get();
}

}  // namespace

BOOST_AUTO_TEST_CASE(stores_what_is_valid) {
  std::vector<std::uint32_t> expected;
  for (int block = 0; block <= tile_items; ++block) {
    for (int i = 0; i < tile_items; ++i) expected.push_back(i < block ? static_cast<std::uint32_t>(i) : 0xEEEEEEEEu);
  }
  test::buffer<std::uint32_t> out(expected.size());
  test::run_kernel(store_kernel, tile_items + 1, threads,
                   sizeof(mgpu::detail::merge_tile<std::uint32_t, mgpu::detail::no_value, threads, items>),
                   0xEEEEEEEEu, out.begin());
  BOOST_TEST(test::same_bytes(out.get(), expected));
}

BOOST_AUTO_TEST_CASE(keeps_sources) {
  std::vector<int> expected;
  for (int i = 0; i < tile_items; ++i) expected.push_back(65535 - i);
  for (int i = 0; i < tile_items; ++i) expected.push_back(i < tile_items - 7 ? 65535 - (tile_items - 1 - i) : 1);
  BOOST_TEST(sources<int>() == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(keeps_no_sources) {
  std::vector<int> const nothing(2 * tile_items, 0);
  BOOST_TEST(sources<mgpu::detail::no_value>() == nothing, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

// These cases need no device.
BOOST_AUTO_TEST_SUITE(merge_tile_size)

BOOST_AUTO_TEST_CASE(two_bytes_a_source) {
  using mgpu::detail::merge_tile;
  BOOST_TEST(sizeof(merge_tile<std::uint16_t, int, 64, 5>) == 2u * (320 + 5) + 2u * 320);
  BOOST_TEST((std::is_empty_v<decltype(merge_tile<std::uint16_t, mgpu::detail::no_value, 64, 5>::sources)>));
}

BOOST_AUTO_TEST_SUITE_END()
