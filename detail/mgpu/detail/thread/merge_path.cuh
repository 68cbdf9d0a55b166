// One thread finds where a diagonal of the merge matrix crosses the merge path, and which diagonal it starts at.
// Green, McColl, Bader: GPU Merge Path, ICS 2012.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <cstdint>

namespace mgpu::detail {

// Returns how many of the first `diagonal` items of the stable merge of a and b come from a. Both are sorted by comp;
// of equal items those of a come first. Any thread, no barrier.
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

// Returns how many of `length` outputs come from a run, where before_start of its items come before the first of
// these outputs, and before_end before their end. By a strict weak order that is the difference; by any other
// comparator the difference may be any number, and the bounds keep all reads within the runs.
__host__ __device__ __forceinline__ int share_of_run(std::int64_t before_start, std::int64_t before_end,
                                                     std::int64_t length) {
  return static_cast<int>(smaller(larger<std::int64_t>(before_end - before_start, 0), length));
}

// Two neighbouring runs, [a_begin, a_end) and [a_end, b_end), and the diagonal at which one thread starts.
struct merge_frame {
  int a_begin;
  int a_end;
  int b_end;
  int diagonal;
};

// Returns the frame of a thread in a round that merges runs of `width` threads' items into runs of twice that. Each
// thread makes items_per_thread outputs, but the last ones may find fewer, or none, of the num_items there are.
// `width` is a power of two.
__host__ __device__ __forceinline__ merge_frame find_merge_frame(int thread, int width, int items_per_thread,
                                                                 int num_items) {
  int const first = thread & ~(2 * width - 1);
  int const a_begin = smaller(first * items_per_thread, num_items);
  int const a_end = smaller((first + width) * items_per_thread, num_items);
  int const b_end = smaller((first + 2 * width) * items_per_thread, num_items);
  int const diagonal = smaller((thread - first) * items_per_thread, b_end - a_begin);
  return {a_begin, a_end, b_end, diagonal};
}

}  // namespace mgpu::detail
