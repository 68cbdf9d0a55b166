// Merging two sorted ranges on the device: one launch for up to a tile of output, else one to partition and one to
// merge. Merge path: Green, McColl, Bader, ICS 2012.
#pragma once
#include <mgpu/detail/backend/merge/merge_kernel.cuh>
#include <mgpu/detail/backend/merge/tuning.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/host/call.h>
#include <mgpu/detail/host/launch.h>
#include <mgpu/detail/thread/indirect_compare.cuh>
#include <cstddef>
#include <cstdint>

namespace mgpu::detail {

// The output does not overlap the inputs. Equal items of a come first.
template <class Tuning, class KeysA, class ValuesA, class KeysB, class ValuesB, class KeysOut, class ValuesOut,
          class Comp>
void merge(device_call& call, KeysA keys_a, ValuesA values_a, std::int64_t a_count, KeysB keys_b, ValuesB values_b,
           std::int64_t b_count, KeysOut keys_out, ValuesOut values_out, Comp comp) {
  using blocks = merge_blocks<Tuning, iterator_value_t<KeysA>, iterator_value_t<ValuesA>>;
  void (*const merge)(KeysA, ValuesA, std::int64_t, KeysB, ValuesB, std::int64_t, KeysOut, ValuesOut,
                      std::int64_t const*, Comp) =
      merge_kernel<Tuning, KeysA, ValuesA, KeysB, ValuesB, KeysOut, ValuesOut, Comp>;
  int const arch = detail::compiled_arch(call, merge);
  merge_tuning const tuning = Tuning::at(arch);
  std::int64_t const num_tiles = divide_up<std::int64_t>(a_count + b_count, tuning.merge.tile_items());

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
                   partition, keys_a, a_count, keys_b, b_count, num_tiles, partitions, comp);
  }
  detail::launch(call, {num_tiles, tuning.merge.threads_per_block, storage_bytes<blocks::template storage>(arch)},
                 merge, keys_a, values_a, a_count, keys_b, values_b, b_count, keys_out, values_out,
                 static_cast<std::int64_t const*>(partitions), comp);
}

// Two ranges put one behind the other.
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

// Writing index i writes item i of `items`.
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

// The same for large keys: the merge sees 8-byte indices, looks at the keys only to compare them, and moves each
// once.
template <class Tuning, class KeysA, class ValuesA, class KeysB, class ValuesB, class KeysOut, class ValuesOut,
          class Comp>
void merge_by_index(device_call& call, KeysA keys_a, ValuesA values_a, std::int64_t a_count, KeysB keys_b,
                    ValuesB values_b, std::int64_t b_count, KeysOut keys_out, ValuesOut values_out, Comp comp) {
  using joined = joined_iterator<KeysA, KeysB>;
  joined const keys{keys_a, a_count, keys_b, 0};
  detail::merge<Tuning>(
      call, counting_iterator<std::int64_t>{0}, values_a, a_count, counting_iterator<std::int64_t>{a_count}, values_b,
      b_count, item_writer<joined, KeysOut>{keys, keys_out}, values_out, indirect_compare<joined, Comp>{keys, comp});
}

}  // namespace mgpu::detail
