// The kernel of a digit pass, which sweeps over the items, or copies them where they are in order already.
#pragma once
#include <mgpu/detail/backend/onesweep/careful_sweep.cuh>
#include <mgpu/detail/backend/onesweep/portion.h>
#include <mgpu/detail/backend/onesweep/state.h>
#include <mgpu/detail/backend/onesweep/sweep.cuh>
#include <mgpu/detail/backend/onesweep/tuning.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

// Copies a column of a portion, in a pass over items that are in order already; from_behind reverses it. Called by
// all threads of a block. Each thread has 64 bytes in flight at a time; the items left at the end are copied one by
// one, in a loop that compiles quickly.
template <int threads, class Column>
__device__ __forceinline__ void copy_portion(Column const& column, pass_buffer from, pass_buffer to, bool from_behind,
                                             onesweep_portion portion) {
  using T = typename Column::T;
  constexpr int items_at_once = larger(1, 64 / static_cast<int>(sizeof(T)));
  constexpr int chunk_items = threads * items_at_once;
  std::int64_t const end = portion.begin + portion.num_items;
  std::int64_t const step = from_behind ? -threads : threads;
  column.with_source(from, [&](auto source) {
    column.with_target(to, [&](auto target) {
      for (std::int64_t begin = portion.begin + std::int64_t{simt::block_rank()} * chunk_items; begin < end;
           begin += std::int64_t{simt::block_count()} * chunk_items) {
        std::int64_t to_place = begin + simt::thread_rank();
        std::int64_t from_place = from_behind ? portion.items_of_pass - 1 - to_place : to_place;
        if (end - begin >= chunk_items) {
          uninitialized_array<T, items_at_once> items;
#pragma unroll
          for (int i = 0; i < items_at_once; ++i) items[i] = *(source + (from_place + i * step));
#pragma unroll
          for (int i = 0; i < items_at_once; ++i) *(target + (to_place + i * threads)) = items[i];
        } else {
#pragma unroll 1
          for (; to_place < end; to_place += threads, from_place += step) {
            T const item = *(source + from_place);
            *(target + to_place) = item;
          }
        }
      }
    });
  });
}

// Moves the items of a tile to their targets. A tile that does not come out stable in the quick way goes the careful
// way, and so does one that is not full, where the quick way does not test items. Called by all threads of a block.
template <class Sweep>
__device__ __forceinline__ void sweep_tile(Sweep& sweep, int index) {
  onesweep_tile const tile = {index, sweep.portion.begin_of(index, Sweep::tuning.tile_items()),
                              sweep.portion.items_of(index, Sweep::tuning.tile_items())};
  bool const quickly = Sweep::tests_items || tile.valid == Sweep::tuning.tile_items();
  if (quickly && sweep.sweep_quickly(tile)) return;
  detail::sweep_carefully(sweep, tile, !quickly);
}

// Orders the items of a portion by one digit, stable, if the plan makes that pass and `skip` does not skip it. It reads
// the columns in the plan's source buffer, and writes them to its target buffer. The grid has any number of blocks,
// which take tiles by ticket. A block that waits for another's counts makes them itself after a while, so no forward
// progress between blocks is assumed.
template <class Tuning, bool descending, class Keys, class Values, class Skip>
__global__ void __launch_bounds__(Tuning::at(current_arch()).threads_per_block,
                                  Tuning::at(current_arch()).blocks_per_sm)
    onesweep_pass_kernel(Keys keys, Values values, onesweep_portion portion, void* memory, std::uint32_t* counts,
                         std::uint32_t* other_counts, std::uint64_t* ticket, Skip skip) {
  using sweep_type = onesweep_sweep<Tuning, descending, Keys, Values>;
  if (skip()) return skip.is_finishing() ? simt::wait_for_primary() : simt::skip_launch();
  simt::wait_for_primary();
  simt::launch_dependents();
  auto& state = *static_cast<onesweep_state<typename sweep_type::digits>*>(memory);
  auto const& plan = state.plan;
  if (!plan.is_made[portion.digit]) return;
  if (plan.order != input_order::none) {
    bool const from_behind = plan.order == input_order::reversed && plan.passes_before[portion.digit] == 0;
    auto const copy = [&](auto const& column) {
      copy_portion<Tuning::at(current_arch()).threads_per_block>(column, plan.source[portion.digit],
                                                                 plan.target[portion.digit], from_behind, portion);
    };
    copy(keys);
    copy(values);
    return;
  }
  // The launches that sweep use the two sets of counts in turns, and each clears the other set for the next one.
  bool const second = (plan.passes_before[portion.digit] * portion.portions + portion.number) % 2 != 0;
  auto& shared = simt::shared<typename sweep_type::storage>();
  sweep_type sweep{shared,
                   state,
                   keys,
                   values,
                   portion,
                   {second ? other_counts : counts},
                   {second ? counts : other_counts},
                   *ticket,
                   plan.lowest_bit[portion.digit]};
  bool const leads = simt::thread_rank() == 0;
  if (leads) {
    sweep.take_ticket();
    shared.tile = sweep.next_tile;
  }
  simt::sync_block();
  for (int index = shared.tile; index < portion.num_tiles; index = shared.tile) {
    if (leads) {
      shared.missing = -1;
      shared.misplaced = 0;
      shared.has_one_bin = false;
    }
    detail::sweep_tile(sweep, index);
    if (leads) shared.tile = sweep.next_tile;
    simt::sync_block();  // before shared memory is used again
  }
}

}  // namespace mgpu::detail
