// The kernel of a digit pass.
#pragma once
#include <mgpu/detail/backend/onesweep/plan.h>
#include <mgpu/detail/backend/onesweep/sweep.cuh>
#include <mgpu/detail/backend/onesweep/tuning.h>
#include <mgpu/detail/block/tile.cuh>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

// A pass over items that come in order already.
template <int threads, int items_per_thread, class Column>
__device__ __forceinline__ void copy_portion(Column const& column, place from, place to, bool from_behind,
                                             onesweep_portion portion) {
  using T = typename Column::T;
  constexpr int tile_items = threads * items_per_thread;
  column.with_source(from, [&](auto source) {
    column.with_target(to, [&](auto target) {
      for (std::int64_t tile = simt::block_rank(); tile < portion.num_tiles; tile += simt::block_count()) {
        std::int64_t const begin = portion.begin + tile * tile_items;
        auto const valid = static_cast<int>(smaller<std::int64_t>(tile_items, portion.num_items - tile * tile_items));
        uninitialized_array<T, items_per_thread> items;
        for_each_striped<threads, items_per_thread>(valid, [&](int i, int at) {
          items[i] = *(source + (from_behind ? portion.items_of_pass - 1 - (begin + at) : begin + at));
        });
        for_each_striped<threads, items_per_thread>(valid,
                                                    [&](int i, int at) { *(target + (begin + at)) = items[i]; });
      }
    });
  });
}

// Orders the items of a portion by one digit, stable, if the plan says so. Any number of blocks, which take tiles in
// turns. A block that waits for another's counts makes them itself after a while, so no forward progress between
// blocks is assumed.
template <class Tuning, bool descending, class Keys, class Values>
__global__ void __launch_bounds__(Tuning::at(current_arch()).threads_per_block,
                                  Tuning::at(current_arch()).blocks_per_sm)
    onesweep_pass_kernel(Keys keys, Values values, onesweep_portion portion, void* memory, std::uint32_t* counts,
                         std::uint32_t* other_counts, std::uint64_t* ticket) {
  using sweep = onesweep_sweep<Tuning, descending, Keys, Values>;
  simt::wait_for_primary();
  simt::launch_dependents();
  auto& state = *static_cast<onesweep_state<typename sweep::digits>*>(memory);
  auto const& plan = state.plan;
  if (!plan.is_made[portion.digit]) return;
  if (plan.order != input_order::none) {
    bool const from_behind = plan.order == input_order::reversed && plan.passes_before[portion.digit] == 0;
    constexpr onesweep_tuning tuning = Tuning::at(current_arch());
    auto const copy = [&](auto const& column) {
      copy_portion<tuning.threads_per_block, tuning.items_per_thread>(
          column, plan.source[portion.digit], plan.target[portion.digit], from_behind, portion);
    };
    copy(keys);
    copy(values);
    return;
  }
  // Launches that do something use the two sets of counts in turns, and clear the other one.
  bool const second = (plan.passes_before[portion.digit] * portion.portions + portion.number) % 2 != 0;
  sweep{simt::shared<typename sweep::storage>(), state,  keys, values, portion, {second ? other_counts : counts},
        {second ? counts : other_counts},        *ticket}
      .run();
}

}  // namespace mgpu::detail
