// The dynamic shared memory of every kernel that has any, as its launch computes it: for each such kernel a variable
// template of the same name and parameters. resources.py writes a program around this, in which the compiler's names
// of the kernels, once it knows them, become names of these. `resources_arch` is the architecture looked at.
#pragma once
#include <mgpu/mgpu.h>
#include <cstddef>
#include <cstdint>

namespace shared_bytes {

using namespace mgpu::detail;

template <class Tuning, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut, class Comp>
constexpr std::size_t merge_sort_tile_kernel = storage_bytes<
    merge_sort_blocks<Tuning, iterator_value_t<KeysIn>, iterator_value_t<ValuesIn>>::template sorter_storage>(
    resources_arch);

template <class Tuning, class Key, class ValuesIn, class KeysOut, class ValuesOut, class Comp>
constexpr std::size_t merge_sort_merge_kernel =
    storage_bytes<merge_sort_blocks<Tuning, Key, iterator_value_t<ValuesIn>>::template merger_storage>(
        resources_arch);

template <class Tuning, class KeysA, class ValuesA, class KeysB, class ValuesB, class KeysOut, class ValuesOut,
          class Comp>
constexpr std::size_t merge_kernel =
    storage_bytes<merge_blocks<Tuning, iterator_value_t<KeysA>, iterator_value_t<ValuesA>>::template storage>(
        resources_arch);

template <class Tuning, bool descending, class Keys>
constexpr std::size_t onesweep_histogram_kernel =
    storage_bytes<onesweep_histogram<Tuning, iterator_value_t<Keys>>::template storage>(resources_arch);

template <class Tuning, bool descending, class Keys, class Values>
constexpr std::size_t onesweep_pass_kernel =
    storage_bytes<onesweep_pass<Tuning, typename Keys::T, typename Values::T>::template storage>(resources_arch);

template <class Tuning, bool descending, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut>
constexpr std::size_t radix_block_kernel =
    storage_bytes<radix_block<Tuning, iterator_value_t<KeysIn>, iterator_value_t<ValuesIn>>::template storage>(
        resources_arch);

template <class Tuning, bool descending, class Keys>
constexpr std::size_t counting_sort_count_kernel =
    storage_bytes<counting_sort_counters<Tuning, radix_traits<iterator_value_t<Keys>>::bits>::template storage>(
        resources_arch);

template <class Tuning, bool descending, class Key, class Keys>
constexpr std::size_t counting_sort_write_kernel = sizeof(counted_values);

}  // namespace shared_bytes
