// One block merges up to 16 sorted pieces of any lengths, which lie one behind the other in shared memory.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/thread/merge_path.cuh>
#include <mgpu/detail/warp/scan.cuh>
#include <cuda/std/functional>

namespace mgpu::detail {

// Where the pieces lie. No thread makes items of two pairs of pieces, as each pair begins with the first item of a
// thread: so the threads have more places than there are items.
struct merge_pieces_bounds {
  static constexpr int max_pieces = 16;
  static constexpr int max_pairs = max_pieces / 2;

  int begins[max_pieces + 1];  // of the pieces; those that there are not begin at the end
  int places[max_pairs];       // of the threads at which pairs begin

  // Sets the bounds for threads that make so many items each; `length` is that of the lane's piece, of a lane that has
  // none 0. Called by one warp.
  __device__ __forceinline__ void set(int length, int items_per_thread) {
    constexpr int shift = 16;
    auto const lane = static_cast<int>(simt::lane());
    int const of_pair = length + simt::shuffle_xor(simt::full_mask, length, 1);
    int const places_of_pair = lane % 2 == 1 ? divide_up(of_pair, items_per_thread) * items_per_thread : 0;
    cuda::std::plus<> op;
    int const ends = detail::warp_inclusive_scan(places_of_pair << shift | length, threads_per_warp, op);
    if (lane == 0) begins[0] = places[0] = 0;
    if (lane < max_pieces) begins[lane + 1] = ends & ((1 << shift) - 1);
    if (lane % 2 == 1 && lane < max_pieces - 1) places[lane / 2 + 1] = ends >> shift;
  }

  __device__ __forceinline__ int num_items() const { return begins[max_pieces]; }
  // Returns the pair of pieces to which the thread's items belong that begin at a place.
  __device__ __forceinline__ int pair_of_place(int place) const {
    int pair = 0;
#pragma unroll
    for (int next = 1; next < max_pairs; ++next) pair += places[next] <= place ? 1 : 0;
    return pair;
  }
  // Returns the frame of the thread whose items begin at a place, in a pair, in the round that merges runs of 2^round
  // pieces.
  __device__ __forceinline__ merge_frame frame(int round, int place, int pair) const {
    int const width = 1 << round;
    int const first = 2 * pair & ~(2 * width - 1);
    int const a_begin = begins[first];
    int const b_end = begins[first + 2 * width];
    return {a_begin, begins[first + width], b_end, smaller(place - places[first / 2], b_end - a_begin)};
  }
};

}  // namespace mgpu::detail
