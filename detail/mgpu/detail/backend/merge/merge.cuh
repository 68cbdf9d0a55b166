// Merging two sorted ranges on the device: one launch merges up to a tile of output; for more, one launch partitions
// and one merges. Merge path: Green, McColl, Bader, ICS 2012.
#pragma once
#include <mgpu/detail/backend/merge/merge_kernel.cuh>
#include <mgpu/detail/backend/merge/tuning.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/index_iterators.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/merge_problem.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/kernel_facts.h>
#include <mgpu/detail/runtime/launch.h>
#include <mgpu/detail/thread/indirect_compare.cuh>
#include <cstddef>
#include <cstdint>

namespace mgpu::detail {

// Merges by the kernels that Tuning selects. There is at least one item.
template <class Tuning, class Problem, class Comp>
void merge(device_call& call, Problem const& problem, Comp const& comp) {
  using KeysA = typename Problem::KeysA;
  using KeysB = typename Problem::KeysB;
  using blocks = merge_blocks<Tuning, typename Problem::Key, typename Problem::Value>;
  void (*const merge)(KeysA, typename Problem::ValuesA, std::int64_t, KeysB, typename Problem::ValuesB, std::int64_t,
                      typename Problem::KeysOut, typename Problem::ValuesOut, std::int64_t const*, Comp) =
      merge_kernel<Tuning, KeysA, typename Problem::ValuesA, KeysB, typename Problem::ValuesB,
                   typename Problem::KeysOut, typename Problem::ValuesOut, Comp>;
  int const arch = detail::compiled_arch(call, merge);
  merge_tuning const tuning = Tuning::at(arch);
  std::int64_t const num_tiles = divide_up<std::int64_t>(problem.num_items(), tuning.merge.tile_items());

  scratch_layout layout;
  std::size_t const partitions_piece = num_tiles > 1 ? layout.add<std::int64_t>(num_tiles + 1) : 0;
  if (!call.allocate(layout)) return;

  std::int64_t* partitions = nullptr;
  if (num_tiles > 1) {
    partitions = call.scratch<std::int64_t>(partitions_piece);
    void (*const partition)(KeysA, std::int64_t, KeysB, std::int64_t, std::int64_t, std::int64_t*, Comp) =
        merge_partition_kernel<Tuning, KeysA, KeysB, Comp>;
    detail::launch(call,
                   {divide_up<std::int64_t>(num_tiles + 1, tuning.partition_threads_per_block),
                    tuning.partition_threads_per_block},
                   partition, problem.keys_a, problem.a_count, problem.keys_b, problem.b_count, num_tiles, partitions,
                   comp);
  }
  detail::launch(call, {num_tiles, tuning.merge.threads_per_block, storage_bytes<blocks::template storage>(arch)},
                 merge, problem.keys_a, problem.values_a, problem.a_count, problem.keys_b, problem.values_b,
                 problem.b_count, problem.keys_out, problem.values_out, static_cast<std::int64_t const*>(partitions),
                 comp);
}

// Iterates over two ranges, one after the other.
template <class A, class B>
struct joined_iterator {
  using value_type = iterator_value_t<A>;
  A a;
  std::int64_t a_count;
  B b;
  std::int64_t place;
  __device__ __forceinline__ friend joined_iterator operator+(joined_iterator it, std::int64_t distance) {
    it.place += distance;
    return it;
  }
  __device__ __forceinline__ value_type operator*() const {
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
    __device__ __forceinline__ void operator=(std::int64_t i) const { *out = *(items + i); }
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
