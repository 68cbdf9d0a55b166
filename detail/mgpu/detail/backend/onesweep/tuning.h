// Tuning of the radix sort: plain numbers, chosen per compiled architecture and item size. It never changes results.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <cstdint>

namespace mgpu::detail {

// Of the sort by sweeps.
struct onesweep_tuning {
  int threads_per_block;  // of a digit pass; whole warps, at most 32
  int items_per_thread;
  int blocks_per_sm;
  int look_back_window;  // tiles that a thread reads at a time
  int patience;          // polls before the counts of a missing tile are made by who waits for them
  int histogram_threads_per_block;
  int histogram_blocks_per_sm;
  int max_digit_bits;
  // Where a tile that is not full goes. Last: then each item of a tile is tested, which costs a tenth where tiles come
  // one after the other, and little where there are so few that all wait for one. First: then it is put in order slowly,
  // while others go on.
  bool partial_first;
  std::int64_t max_launch_items = (std::int64_t{1} << 30) - 1;  // of a pass: what the counts of tiles can hold

  __host__ __device__ constexpr int tile_items() const { return threads_per_block * items_per_thread; }
  // Of so many items. In whole rows of a warp, as tiles should begin where memory is aligned; the odd items come last.
  __host__ __device__ constexpr int first_tile_items(std::int64_t num_items) const {
    std::int64_t const rows = num_items % tile_items() / threads_per_warp;
    if (partial_first && rows > 0) return static_cast<int>(rows) * threads_per_warp;
    return static_cast<int>(smaller<std::int64_t>(num_items, tile_items()));
  }
};

// Of a sort in one block.
struct radix_block_tuning {
  int threads_per_block;  // whole warps, at most 32
  int items_per_thread;
  int max_digit_bits;

  __host__ __device__ constexpr int tile_items() const { return threads_per_block * items_per_thread; }
};

// Selectors: `at(arch)` gives the tuning for code compiled for that architecture (90 for 9.0). Each may name another,
// `few`, for up to few_items(arch) items; all of them have the same digits. Swept on an H200: perf/notes/onesweep.md.

// As many items as the shared memory of one block has room for, twice, beside counters or buckets; up to 2^14.
template <int key_bytes, int value_bytes>
struct radix_block_default_tuning {
  __host__ __device__ static constexpr radix_block_tuning at(int arch) {
    int const threads = arch < 80 ? 256 : has_large_blocks(arch) ? 1024 : 512;
    int const room = max_shared_bytes(arch) - 1024;
    int const bytes_of_counters = threads / threads_per_warp * 256 * 8;
    int tile = 1 << 14;
    while (tile > threads && tile * 2 * (key_bytes + value_bytes) + larger(bytes_of_counters, tile * 3) > room)
      tile /= 2;
    return {threads, tile / threads, 8};
  }
};

namespace impl {
// About so many bytes of keys, or of values, for each thread.
template <int item_bytes>
__host__ __device__ constexpr onesweep_tuning onesweep_shape(int threads, int bytes, int blocks_per_sm,
                                                             bool partial_first) {
  return {threads, larger(1, bytes / item_bytes), blocks_per_sm, 4, 256, 1024, 1, 8, partial_first};
}
}  // namespace impl

template <int key_bytes, int value_bytes>
struct onesweep_default_tuning;

template <int key_bytes, int value_bytes>
struct onesweep_few_tuning {
  using histogram = onesweep_default_tuning<key_bytes, value_bytes>;  // one kernel for both
  __host__ __device__ static constexpr onesweep_tuning at(int arch) {
    constexpr int item_bytes = larger(4, larger(key_bytes, value_bytes));
    if (!has_large_blocks(arch)) return impl::onesweep_shape<item_bytes>(256, 32, 1, false);
    return impl::onesweep_shape<item_bytes>(256, item_bytes > 4 ? 128 : key_bytes < 4 ? 64 : 96, 2, false);
  }
  using few = radix_block_default_tuning<key_bytes, value_bytes>;
  static constexpr std::int64_t few_items(int arch) { return few::at(arch).tile_items(); }
};

template <int key_bytes, int value_bytes>
struct onesweep_default_tuning {
  __host__ __device__ static constexpr onesweep_tuning at(int arch) {
    constexpr int item_bytes = larger(4, larger(key_bytes, value_bytes));
    if (!has_large_blocks(arch)) return impl::onesweep_shape<item_bytes>(384, 48, 1, true);
    if (item_bytes == 4 && key_bytes < 4) return impl::onesweep_shape<item_bytes>(256, 96, 2, true);
    if (value_bytes == 0) return impl::onesweep_shape<item_bytes>(256, item_bytes > 4 ? 256 : 208, 2, true);
    return item_bytes > 4 ? impl::onesweep_shape<item_bytes>(512, 224, 1, true)
                          : impl::onesweep_shape<item_bytes>(256, 208, 2, true);
  }
  using few = onesweep_few_tuning<key_bytes, value_bytes>;
  static constexpr std::int64_t few_items(int) { return key_bytes > 4 && value_bytes == 0 ? 5 << 18 : 1 << 22; }
};

}  // namespace mgpu::detail
