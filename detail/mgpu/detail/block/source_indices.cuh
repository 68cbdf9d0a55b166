// The source indices of a tile's items, once these are ordered, tell whether the order is stable.
#pragma once
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

// Holds the index that each item of a tile had in the input, in 16 bits, four of which are read at a time.
template <int num_items>
class source_indices {
  struct alignas(8) four {
    std::uint16_t sources[4];
  };
  union {
    std::uint16_t items_[num_items];
    four fours_[divide_up(num_items, 4)];
  };

 public:
  __device__ __forceinline__ std::uint16_t& operator[](int i) { return items_[i]; }
  __device__ __forceinline__ std::uint16_t operator[](int i) const { return items_[i]; }

  // Counts the items whose source index is lower than that of the item before; each thread returns the count of its
  // share. Called by all threads, no barrier; one is owed after the indices are written.
  template <int threads>
  __device__ __forceinline__ int count_descents() const {
    static_assert(num_items % 4 == 0);
    int count = 0;
#pragma unroll
    for (int j = 0; j < divide_up(num_items, 4 * threads); ++j) {
      int const i = j * threads + static_cast<int>(simt::thread_rank());
      if (num_items % (4 * threads) != 0 && i >= num_items / 4) break;
      four const item = fours_[i];
      std::uint16_t const before = i > 0 ? items_[4 * i - 1] : std::uint16_t{0};
      count += before > item.sources[0] ? 1 : 0;
#pragma unroll
      for (int k = 1; k < 4; ++k) count += item.sources[k - 1] > item.sources[k] ? 1 : 0;
    }
    return count;
  }
};

}  // namespace mgpu::detail
