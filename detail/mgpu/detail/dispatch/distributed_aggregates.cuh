// The first half of a reduction and of a scan over ranks: each rank reduces its own items, and all get to know each
// other's aggregates, in the order of the stream.
#pragma once
#include <mgpu/detail/backend/distributed/fold_ranks_kernel.cuh>
#include <mgpu/detail/backend/distributed/rank_aggregate.h>
#include <mgpu/detail/backend/reduce/reduce.cuh>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/reduce_problem.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/check.h>
#include <mgpu/detail/runtime/distributed_call.h>
#include <mgpu/detail/runtime/inner_call.h>
#include <mgpu/detail/runtime/launch.h>
#include <mgpu/detail/runtime/result_slot.h>
#include <mgpu/detail/runtime/scratch.h>
#include <cstddef>
#include <cstdint>

namespace mgpu::detail {

template <class Tuning, class In, class T, class Unary, class Op>
class aggregates_of_ranks {
  using aggregate = rank_aggregate<T>;

 public:
  // Adds what it needs to the layout.
  aggregates_of_ranks(distributed_call const& ranks, In in, std::int64_t num_items, Unary unary, Op op,
                      scratch_layout& layout)
      : ranks_(ranks),
        mine_{in, num_items, {}},
        unary_(unary),
        op_(op),
        mine_piece_(layout.add<aggregate>(1)),
        all_piece_(layout.add<aggregate>(ranks.num_ranks())),
        reduction_(ranks.local(), layout, [&](device_call& inner) { reduce(inner); }) {}

  // Gets the scratch memory, and calls take() for other memory. A rank without any says so to the others, if they wait to
  // hear it.
  template <class Take>
  bool allocate(scratch_layout const& layout, bool others_wait, Take take) const {
    return ranks_.allocate(layout, take, [&] {
      if (others_wait) tell_failure();
    });
  }

  // Gathers the aggregates, and folds those of the first num_folded ranks behind the init; fold_ranks_kernel says what is
  // written.
  template <class Init, class Output>
  void fold(int num_folded, Init const& init, Output out, std::uint32_t* is_there, std::uint32_t* has_failed) const {
    device_call& call = ranks_.local();
    auto const fold_ranks = fold_ranks_kernel<T, Init, Op, Output>;
    ranks_.load(fold_ranks);
    aggregate* const mine = call.scratch<aggregate>(mine_piece_);
    aggregate* const all = call.scratch<aggregate>(all_piece_);
    if (mine_.num_items > 0) {
      reduction_.run(call, [&](device_call& inner) { reduce(inner); });
    } else {
      static_assert(aggregate::none == 0);
      detail::check(cudaMemsetAsync(mine, 0, sizeof(aggregate), call.stream()), call.name(), "cudaMemsetAsync");
    }
    ranks_.all_gather(mine, all, sizeof(aggregate));
    detail::launch(call, {1, 1}, fold_ranks, all, num_folded, ranks_.num_ranks(), init, op_, out, is_there,
                   has_failed);
  }

 private:
  void reduce(device_call& inner) const {
    if (mine_.num_items == 0) return;
    detail::reduce_items<Tuning>(inner, mine_, unary_, op_, [&] {
      return aggregate_output<T>{ranks_.local().template scratch<aggregate>(mine_piece_)};
    });
  }

  // Takes the place of fold(), in pinned memory.
  void tell_failure() const {
    std::size_t const bytes = sizeof(aggregate);
    result_slot const slot(ranks_.local(), bytes * static_cast<std::size_t>(1 + ranks_.num_ranks()));
    auto* const mine = static_cast<aggregate*>(slot.memory());
    mine->state = aggregate::failed;
    ranks_.all_gather(mine, mine + 1, bytes);
    ranks_.wait();
  }

  distributed_call const& ranks_;
  reduce_problem<In, T, no_value> mine_;
  Unary unary_;
  Op op_;
  std::size_t mine_piece_;
  std::size_t all_piece_;
  inner_call reduction_;
};

}  // namespace mgpu::detail
