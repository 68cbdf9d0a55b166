// Runs block_merge_sort on one tile a block, each with another number of valid items, between strangers: keys that no
// input holds.
#pragma once
#include <mgpu/detail/block/merge_sort.cuh>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/simt/simt.cuh>
#include <support/device.h>
#include <support/guarded.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace test {

// In registers and in shared memory, whatever is not valid is a stranger. Item i of a tile has the index `tile - 1 -
// i`, which is not its place.
template <class Key, class Index, int threads, int items, class Comp>
__global__ void sort_tile_kernel(Key* keys, int const* valid_counts, Key stranger, int* indices_out, Comp comp) {
  namespace simt = mgpu::detail::simt;
  using sorter = mgpu::detail::block_merge_sort<Key, Index, threads, items>;
  constexpr int tile = threads * items;
  auto& temp = simt::shared<typename sorter::temp_storage>();
  auto const block = static_cast<std::int64_t>(simt::block_rank());
  auto const first = static_cast<int>(simt::thread_rank()) * items;
  int const valid = valid_counts[block];
  Key* const tile_keys = keys + block * tile;

  Key mine[items];
  Index indices[items];
#pragma unroll
  for (int i = 0; i < items; ++i) {
    mine[i] = first + i < valid ? tile_keys[first + i] : stranger;
    indices[i] = Index(tile - 1 - first - i);
    temp.keys[first + i] = stranger;
    if (first == 0) temp.keys[tile + i] = stranger;
  }
  simt::sync_block();
  sorter::sort(temp, mine, indices, valid, comp);
#pragma unroll
  for (int i = 0; i < items; ++i) {
    if (first + i < valid) {
      tile_keys[first + i] = mine[i];
      indices_out[block * tile + first + i] = static_cast<int>(indices[i]);
    }
  }
}

template <class Key, class Index, int threads, int items, class Order>
void check_sorted_tiles(std::vector<int> const& valid_counts, std::uint32_t num_distinct, Order order) {
  constexpr int tile = threads * items;
  using storage = typename mgpu::detail::block_merge_sort<Key, Index, threads, items>::temp_storage;
  std::size_t const total = valid_counts.size() * tile;
  std::vector<Key> const input =
      random_keys<Key>(total, num_distinct, static_cast<std::uint32_t>(total + num_distinct));
  std::vector<Key> expected = input;
  std::vector<int> expected_indices(total, -1);
  for (std::size_t block = 0; block < valid_counts.size(); ++block) {
    auto const begin = input.begin() + static_cast<std::ptrdiff_t>(block * tile);
    std::vector<Key> const valid(begin, begin + valid_counts[block]);
    auto const sorted =
        stable_order<Key>(valid, [&](Key const& a, Key const& b) { return order(number_of(a), number_of(b)); });
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      expected[block * tile + i] = valid[sorted[i]];
      if (mgpu::detail::has_values<Index>)
        expected_indices[block * tile + i] = tile - 1 - static_cast<int>(sorted[i]);
      if (!mgpu::detail::has_values<Index>) expected_indices[block * tile + i] = 0;
    }
  }

  stranger_flag strangers;
  buffer<Key> keys(input);
  buffer<int> counts(valid_counts);
  buffer<int> indices(std::vector<int>(total, -1));
  run_kernel(sort_tile_kernel<Key, Index, threads, items, guarded<Order>>, static_cast<unsigned>(valid_counts.size()),
             threads, sizeof(storage), keys.begin(), static_cast<int const*>(counts.begin()), stranger<Key>(),
             indices.begin(), strangers.comparator(order));
  BOOST_TEST_CONTEXT(threads << " threads of " << items << " items of " << sizeof(Key) << " B, " << num_distinct
                             << " different") {
    BOOST_TEST(!strangers.raised());
    BOOST_TEST(same_bytes(keys.get(), expected));
    BOOST_TEST(same_bytes(indices.get(), expected_indices));
  }
}

inline std::vector<int> every_count_to(int last) {
  std::vector<int> counts;
  for (int count = 1; count <= last; ++count) counts.push_back(count);
  return counts;
}

}  // namespace test
