// The kernel that gathers large items by a permutation. Blocks do not wait for one another.
#pragma once
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

constexpr int gather_threads_per_block = 256;

// Writes item order[i] of the source to item i of the target, for all i < num_items. Each item is moved as
// words_per_item values of the iterators' type, by as many threads, so that an item of many words is still read and
// written coalesced. The grid has one thread a word. Source and target do not overlap.
template <int words_per_item, class Source, class Order, class Target>
__global__ void __launch_bounds__(gather_threads_per_block)
    gather_kernel(Source source, Order order, Target target, std::int64_t num_items) {
  std::int64_t const word =
      static_cast<std::int64_t>(simt::block_rank()) * gather_threads_per_block + simt::thread_rank();
  std::int64_t const item = word / words_per_item;
  if (item >= num_items) return;
  std::int64_t const from = static_cast<std::int64_t>(*(order + item));
  // An item is never moved from: its move assignment may be the host's alone.
  operand_t<Source> moved =
      static_cast<operand_t<Source>>(*(source + (from * words_per_item + word % words_per_item)));
  *(target + word) = moved;
}

}  // namespace mgpu::detail
