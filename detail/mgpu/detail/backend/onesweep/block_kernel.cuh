// The kernel of a radix sort by one block, of as many items as the block can hold.
#pragma once
#include <mgpu/detail/backend/onesweep/storage.cuh>
#include <mgpu/detail/backend/onesweep/tuning.h>
#include <mgpu/detail/block/radix_sort.cuh>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/simt/simt.cuh>

namespace mgpu::detail {

// Sorts num_items items, at most a tile, from the input to the output. The grid is one block. Input and output may be
// the same range.
template <class Tuning, bool descending, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut>
__global__ void __launch_bounds__(Tuning::at(current_arch()).threads_per_block)
    radix_block_kernel(KeysIn keys_in, ValuesIn values_in, KeysOut keys_out, ValuesOut values_out, int num_items) {
  static_assert(Tuning::at(current_arch()).is_valid(),
                "mgpu: with_tuning: a block has whole warps, at most 32; a tile has 1 to 65,536 items; a digit has 1 "
                "to 12 bits");
  using storage = typename radix_block<Tuning, iterator_value_t<KeysIn>,
                                       iterator_value_t<ValuesIn>>::template storage<current_arch()>;
  block_radix_sort<storage, descending, KeysIn, ValuesIn, KeysOut, ValuesOut>{
      simt::shared<storage>(), keys_in, values_in, keys_out, values_out, num_items}
      .run();
}

}  // namespace mgpu::detail
