// Tests share small tunings, with which few items already make many tiles, and the sizes at which a tile's edge
// shows.
#pragma once
#include <mgpu/merge.h>
#include <mgpu/sort.h>
#include <support/device.h>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

namespace test {

// The parameters are the threads and items per thread of the tile sort and of the merge; up to how many tiles find
// their shares themselves; up to how many a warp finds them for each; and from how many items on natural runs are
// looked for, by default more than any test has.
template <int SortThreads, int SortItems, int MergeThreads = SortThreads, int MergeItems = SortItems,
          int FewTiles = 0, int ManyTiles = FewTiles, std::int64_t MinNatural = std::int64_t{1} << 62>
struct sort_tuning {
#if MGPU_HAS_DEVICE
  __host__ __device__ static constexpr mgpu::detail::merge_sort_tuning at(int) {
    return {{SortThreads, SortItems, 1}, {MergeThreads, MergeItems, 1}, 32, FewTiles, ManyTiles, MinNatural};
  }
#endif
  // The tile sort sorts so many items: those of one thread of the merge are left out.
  static constexpr std::size_t tile_items =
      (MergeThreads - 1) * MergeItems * (SortThreads * SortItems / (MergeThreads * MergeItems));
  static constexpr std::size_t runs_per_pass = 4;
};
// A pass merges two runs, by whole tiles.
template <int SortThreads, int SortItems, int MergeThreads = SortThreads, int MergeItems = SortItems,
          int FewTiles = 0, int ManyTiles = FewTiles, std::int64_t MinNatural = std::int64_t{1} << 62>
struct pairwise_sort_tuning {
#if MGPU_HAS_DEVICE
  __host__ __device__ static constexpr mgpu::detail::merge_sort_tuning at(int arch) {
    mgpu::detail::merge_sort_tuning tuning =
        sort_tuning<SortThreads, SortItems, MergeThreads, MergeItems, FewTiles, ManyTiles, MinNatural>::at(arch);
    tuning.runs_per_pass = 2;
    return tuning;
  }
#endif
  static constexpr std::size_t tile_items = SortThreads * SortItems;
  static constexpr std::size_t runs_per_pass = 2;
};
using small_sort = sort_tuning<64, 5>;
using tiny_sort = sort_tuning<32, 1, 32, 1, 1 << 20>;
using split_sort = sort_tuning<64, 10, 32, 5, 9, 20>;  // a tile of the sort is several of the merge

template <int Threads, int Items, int FewTiles = 1>
struct merge_tuning {
#if MGPU_HAS_DEVICE
  __host__ __device__ static constexpr mgpu::detail::merge_tuning at(int) {
    return {{Threads, Items, 1}, 32, FewTiles};
  }
#endif
  static constexpr std::size_t tile_items = Threads * Items;
};
using small_merge = merge_tuning<64, 3>;

// Returns the most items for which a call on the device needs no scratch memory, which is a tile, or a merge's few tiles.
// query(policy, n) makes the call.
template <class Query>
std::size_t tile_items([[maybe_unused]] Query query) {
#if defined(MGPU_TEST_HOST)
  return 4096;
#else
  auto const fits = [&](std::size_t count) {
    std::size_t bytes = 1;
    query(policy.query_scratch(bytes), count);
    return bytes == 0;
  };
  std::size_t none = 1;
  std::size_t some = std::size_t{1} << 26;
  BOOST_REQUIRE(fits(none));
  BOOST_REQUIRE(!fits(some));
  while (none + 1 < some) {
    std::size_t const middle = (none + some) / 2;
    (fits(middle) ? none : some) = middle;
  }
  return none;
#endif
}

// Returns the begin of a range that nobody reads.
template <class T>
T* nowhere() {
  return reinterpret_cast<T*>(std::uintptr_t{1} << 20);
}

template <class T>
std::size_t sort_tile_items() {
  return tile_items(
      [](auto const& query, std::size_t count) { mgpu::sort(query, nowhere<T>(), nowhere<T>() + count); });
}

inline std::set<std::size_t> sizes_around(std::size_t tile, std::vector<std::size_t> const& tiles) {
  std::set<std::size_t> sizes{0, 1, 2, 3};
  for (std::size_t const count : tiles) sizes.insert({count * tile - 1, count * tile, count * tile + 1});
  return sizes;
}

}  // namespace test
