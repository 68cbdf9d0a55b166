// Where a diagonal of the merge matrix crosses the merge path, and which diagonal is whose.
// Green, McColl, Bader: GPU Merge Path, ICS 2012.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <cstdint>

namespace mgpu::detail {

// Returns how many of the first `diagonal` items of the stable merge of a and b come from a.
// a and b are sorted by comp; of equal items those of a come first. Any thread, no barrier.
template <class Offset, class IteratorA, class IteratorB, class Comp>
__device__ __forceinline__ Offset merge_path(IteratorA a, Offset a_count, IteratorB b, Offset b_count,
                                             Offset diagonal, Comp& comp) {
  Offset low = larger(diagonal - b_count, Offset{0});
  Offset high = smaller(diagonal, a_count);
  while (low < high) {
    Offset const middle = (low + high) >> 1;
    iterator_value_t<IteratorA> const a_item = *(a + middle);
    iterator_value_t<IteratorB> const b_item = *(b + (diagonal - 1 - middle));
    if (comp(b_item, a_item)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

// How many of `length` outputs come from a, when merge_path gave a_from at their start and a_to at their end. By a
// strict weak order that is the difference; by any other comparator the difference may be any number, and this keeps
// all reads within the two runs.
__host__ __device__ __forceinline__ int share_of_a(std::int64_t a_from, std::int64_t a_to, std::int64_t length) {
  return static_cast<int>(smaller(larger<std::int64_t>(a_to - a_from, 0), length));
}

// Two neighbouring runs, [a_begin, a_end) and [a_end, b_end), and the diagonal at which one worker starts.
template <class Offset>
struct merge_frame {
  Offset a_begin;
  Offset a_end;
  Offset b_end;
  Offset diagonal;
};

// The frame of one worker in a round that merges runs of `width` workers into runs of twice that.
// Workers are the threads of a block or the tiles of the grid; each makes items_per_worker outputs, and
// the last ones may find fewer, or none, of the num_items there are. `width` is a power of two.
template <class Offset>
__host__ __device__ __forceinline__ merge_frame<Offset> find_merge_frame(Offset worker, Offset width,
                                                                         Offset items_per_worker, Offset num_items) {
  Offset const first = worker & ~(2 * width - 1);
  Offset const a_begin = smaller(first * items_per_worker, num_items);
  Offset const a_end = smaller((first + width) * items_per_worker, num_items);
  Offset const b_end = smaller((first + 2 * width) * items_per_worker, num_items);
  Offset const diagonal = smaller((worker - first) * items_per_worker, b_end - a_begin);
  return {a_begin, a_end, b_end, diagonal};
}

}  // namespace mgpu::detail
