// Merging large keys without moving them in shared memory: their indices are merged, and each key is moved once.
#pragma once
#include <mgpu/detail/backend/merge/merge.cuh>
#include <mgpu/detail/core/index_iterators.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/merge_problem.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/thread/indirect_compare.cuh>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

template <class A, class B>
struct joined_iterator;
template <class T>
inline constexpr bool refers_to_memory<joined_iterator<T*, T*>> = true;

// Iterates over two ranges, one after the other.
template <class A, class B>
struct joined_iterator {
  using value_type = iterator_value_t<A>;
  using reference = std::conditional_t<refers_to_memory<joined_iterator>, value_type const&, value_type>;
  A a;
  std::int64_t a_count;
  B b;
  std::int64_t place;
  __device__ __forceinline__ friend joined_iterator operator+(joined_iterator it, std::int64_t distance) {
    it.place += distance;
    return it;
  }
  __device__ __forceinline__ reference operator*() const {
    if (place < a_count) return *(a + place);
    return *(b + (place - a_count));
  }
};

// An output iterator for indices: writing index i to it writes item i of `items` to `out`.
template <class Items, class Out>
struct item_writer {
  using value_type = std::int64_t;
  Items items;
  Out out;
  struct target {
    Items items;
    Out out;
    __device__ __forceinline__ void operator=(std::int64_t i) const {
      Out to = out;                      // its operator* may not be const
      auto const& moved = *(items + i);  // an item's move assignment may be the host's alone
      *to = moved;
    }
  };
  __device__ __forceinline__ friend item_writer operator+(item_writer it, std::int64_t distance) {
    it.out = it.out + distance;
    return it;
  }
  __device__ __forceinline__ target operator*() const { return {items, out}; }
};

template <class Items, class Out>
inline constexpr bool writes_large_items<item_writer<Items, Out>> = true;

// Merges large keys: the kernels merge 8-byte indices, read the keys only to compare them, and move each key once.
template <class Tuning, class Problem, class Comp>
void merge_by_index(device_call& call, Problem const& problem, Comp const& comp) {
  using keys = joined_iterator<typename Problem::KeysA, typename Problem::KeysB>;
  keys const joined{problem.keys_a, problem.a_count, problem.keys_b, 0};
  counting_iterator<std::int64_t> const indices_a{0};
  counting_iterator<std::int64_t> const indices_b{problem.a_count};
  item_writer<keys, typename Problem::KeysOut> const keys_out{joined, problem.keys_out};
  detail::merge<Tuning>(call,
                        merge_problem{indices_a, problem.values_a, problem.a_count, indices_b, problem.values_b,
                                      problem.b_count, keys_out, problem.values_out},
                        indirect_compare<keys, Comp>{joined, comp});
}

}  // namespace mgpu::detail
