// One thread compares items by their indices.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/iterator.h>
#include <cstddef>
#include <cstdint>

namespace mgpu::detail {

// A comparator that orders indices as comp orders the items with these indices.
template <class Items, class Comp>
struct indirect_compare {
  using item = iterator_value_t<Items>;
  Items items;
  Comp comp;

  template <class Index>
  __device__ __forceinline__ bool operator()(Index a, Index b) {
    if constexpr (sizeof(item) <= max_inlined_bytes) {
      return compare(items, comp, a, b);
    } else {
      return call_compare(items, comp, a, b);
    }
  }

 private:
  // A comparator of large items may well loop over their words, and compilers take minutes where it stands unrolled in
  // each of a sort's comparisons. But with -rdc a function that is called gets registers of its own, of which it may
  // take more than its kernel leaves.
#if defined(__CUDACC_RDC__)
  static constexpr std::size_t max_inlined_bytes = static_cast<std::size_t>(-1);
#else
  static constexpr std::size_t max_inlined_bytes = 128;
#endif
  // Comp reads what it needs of items in memory: the lanes of a warp read from as many places, so that each word takes as
  // long as a first one.
  template <class Index>
  static __device__ __forceinline__ bool compare(Items const& items, Comp& comp, Index a, Index b) {
    operand_t<Items> a_item = *(items + static_cast<std::int64_t>(a));
    operand_t<Items> b_item = *(items + static_cast<std::int64_t>(b));
    return comp(a_item, b_item);
  }
  template <class Index>
  static __device__ MGPU_NOINLINE bool call_compare(Items items, Comp& comp, Index a, Index b) {
    return compare(items, comp, a, b);
  }
};

}  // namespace mgpu::detail
