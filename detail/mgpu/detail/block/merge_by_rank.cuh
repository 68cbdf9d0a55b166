// One block merges two sorted runs of pairs in global memory: each pair looks for its place. That takes few instructions
// to compile, and is for what is seldom done.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/radix_key.h>
#include <mgpu/detail/simt/simt.cuh>

namespace mgpu::detail {

// Merges the first num_first of num_items pairs and the others, stable, by the directed bits of their keys. Input and
// output do not overlap. Called by all threads of a block; no barrier.
template <bool descending, int threads_per_block, class Key, class Value>
__device__ __forceinline__ void block_merge_by_rank(Key const* keys, Value const* values, Key* keys_out,
                                                    Value* values_out, int num_first, int num_items) {
#pragma unroll 1
  for (int i = static_cast<int>(simt::thread_rank()); i < num_items; i += threads_per_block) {
    bool const is_first = i < num_first;
    Key const key = keys[i];
    auto const bits = detail::directed_bits<descending>(key);
    Key const* const others = is_first ? keys + num_first : keys;
    int low = 0, high = is_first ? num_items - num_first : num_first;
#pragma unroll 1
    while (low < high) {  // `low` of the others come before, and those from `high` on do not
      int const middle = (low + high) / 2;
      auto const other = detail::directed_bits<descending>(others[middle]);
      if (other < bits || (!is_first && other == bits)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    int const target = is_first ? i + low : i - num_first + low;
    keys_out[target] = key;
    values_out[target] = values[i];
  }
}

}  // namespace mgpu::detail
