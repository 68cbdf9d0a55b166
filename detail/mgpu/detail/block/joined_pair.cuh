// Two runs that are read by iterators, which may differ in type, are seen as one sequence, as block_merge reads it.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/iterator.h>
#include <type_traits>

namespace mgpu::detail {

// The first a_count items are those of a; b's follow. The members are as those of joined_shares.
template <class A, class B>
struct joined_pair {
  static constexpr bool is_plain_memory = std::is_pointer_v<A> && std::is_same_v<A, B>;
  A a;
  int a_count;
  B b;

  __device__ __forceinline__ decltype(auto) item(int i) const {
    if constexpr (std::is_same_v<A, B>) {
      return *(i < a_count ? a + i : b + (i - a_count));  // one load, with the address chosen
    } else {
      if (i < a_count) return iterator_value_t<A>(*(a + i));
      return iterator_value_t<A>(*(b + (i - a_count)));
    }
  }
  template <class Visit>
  __device__ __forceinline__ void for_each_run(int count, Visit visit) const {
#pragma unroll 1
    for (int r = 0; r < 2; ++r) visit(r == 0 ? a : b, r == 0 ? 0 : a_count, r == 0 ? a_count : count - a_count);
  }
  template <class Visit>
  __device__ __forceinline__ void with_only_run(Visit visit) const {
    if constexpr (std::is_same_v<A, B>) {
      visit(a_count > 0 ? a : b);
    } else if (a_count > 0) {
      visit(a);
    } else {
      visit(b);
    }
  }
};

}  // namespace mgpu::detail
