// One warp puts keys in order that are almost so already, by odd-even transposition: Knuth, The Art of Computer
// Programming 3, 5.3.4, exercise 37.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/warp/shuffle.cuh>

namespace mgpu::detail {

// Lets neighbouring numbers change places where the left one is larger, `rounds` times at least; the numbers of lane 0
// come first, then those of lane 1. Numbers in wrong order are ordered if they all lie within so many places, with
// none before that is larger, and none behind that is smaller. Called by all lanes. No barrier.
template <class T, int num_items>
__device__ __forceinline__ void warp_transposition_sort(T (&items)[num_items], int rounds) {
  auto const order = [](T& a, T& b) {
    T const low = smaller(a, b);
    b = larger(a, b);
    a = low;
  };
  bool const is_first = simt::lane() == 0;
  bool const is_last = simt::lane() == threads_per_warp - 1;
#pragma unroll 1
  for (int round = 0; round < rounds; round += 2) {
#pragma unroll
    for (int i = 0; i + 1 < num_items; i += 2) order(items[i], items[i + 1]);
    static_assert(num_items % 2 == 0, "so that the next lane's first number is odd or even as this one's is");
    T const next = detail::shuffle_down(items[0], 1);
    T const before = detail::shuffle_up(items[num_items - 1], 1);
#pragma unroll
    for (int i = 1; i + 1 < num_items; i += 2) order(items[i], items[i + 1]);
    if (!is_last) items[num_items - 1] = smaller(items[num_items - 1], next);
    if (!is_first) items[0] = larger(items[0], before);
  }
}

}  // namespace mgpu::detail
