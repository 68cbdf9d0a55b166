// A kernel folds what the ranks told each other of their items, in the order of the ranks, so that each rank comes to
// the same bits.
#pragma once
#include <mgpu/detail/backend/distributed/rank_aggregate.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/thread/partial_result.cuh>
#include <cstdint>

namespace mgpu::detail {

// Writes op over the init, if there is one, and the aggregates of the first num_folded of num_ranks ranks to *out,
// and to *is_there whether there were any; nothing to *out if there were none. It tells by *has_failed that a rank has
// failed, and then writes no *out, unless there is an is_there, as a scan goes on with what it has. Either pointer may
// be null. The grid is one thread.
template <class T, class Init, class Op, class Output>
__global__ void __launch_bounds__(1)
    fold_ranks_kernel(rank_aggregate<T> const* of_all, int num_folded, int num_ranks, Init init, Op op, Output out,
                      std::uint32_t* is_there, std::uint32_t* has_failed) {
  partial_result<T> result;
  if constexpr (has_values<Init>) result.append(init, op);
  bool failed = false;
  for (int rank = 0; rank < num_ranks; ++rank) {
    failed = failed || of_all[rank].state == rank_aggregate<T>::failed;
    if (rank < num_folded && of_all[rank].state == rank_aggregate<T>::filled) result.append(of_all[rank].value, op);
  }
  if (result.any && (is_there != nullptr || !failed)) *out = result.value[0];
  if (is_there != nullptr) *is_there = result.any ? 1 : 0;
  if (has_failed != nullptr && failed) *has_failed = 1;
}

}  // namespace mgpu::detail
