// Sample sort on the device for many items: two levels put items into buckets, between splitters that are some of a
// sorted sample, and a block sorts each group of neighbouring small buckets. So items go through memory three times.
// It is stable. Tiles keep their memory, and a table says where each tile's buckets begin in it: so no item has to be
// counted before it is moved, and no block waits for another. Samplesort: Frazer, McKellar, JACM 17(3), 1970; on
// GPUs: Leischner, Osipov, Sanders, IPDPS 2010.
#pragma once
#include <mgpu/detail/backend/two_level_sample_sort/distribute_kernel.cuh>
#include <mgpu/detail/backend/two_level_sample_sort/group_kernel.cuh>
#include <mgpu/detail/backend/two_level_sample_sort/plan_kernel.cuh>
#include <mgpu/detail/backend/two_level_sample_sort/state.h>
#include <mgpu/detail/backend/two_level_sample_sort/tuning.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/skip.h>
#include <mgpu/detail/core/sort_problem.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/inner_call.h>
#include <mgpu/detail/runtime/kernel_facts.h>
#include <mgpu/detail/runtime/launch.h>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

namespace mgpu::detail {

// Tells whether a problem can be sorted so: the output is plain memory, where tiles lie in buckets.
template <class Problem>
constexpr bool can_be_sampled_twice = std::is_same_v<typename Problem::KeysOut, typename Problem::Key*> &&
                                      (!has_values<typename Problem::Value> ||
                                       std::is_same_v<typename Problem::ValuesOut, typename Problem::Value*>);

// Returns the tuning that the kernels were compiled with.
template <class Tuning, class Problem, class Comp>
two_level_sample_sort_tuning compiled_two_level_tuning(device_call const& call) {
  return Tuning::at(detail::compiled_arch(
      call, two_level_sort_groups_kernel<Tuning, typename Problem::Key, typename Problem::Value, Comp>));
}

// This sorts for a merge sort that looks for natural runs, where there are none. sort_sample(inner, problem, runs)
// sorts the sample as a step of the call, unless there is a plan for the runs.
template <class Tuning, class Problem, class Comp, class SortSample>
class two_level_sample_sort {
  using Key = typename Problem::Key;
  using Value = typename Problem::Value;
  using KeysIn = typename Problem::KeysIn;
  using ValuesIn = typename Problem::ValuesIn;
  using Values = column<Value>;
  using distributor = two_level_distributor<Tuning, Key, Value>;
  static constexpr int small_threads = 512;

 public:
  static constexpr bool sorts_tiles = false;
  static constexpr int max_natural_passes = 3;  // more than 64 runs are sorted as soon as they are merged

  // There are as many items as the tuning is for.
  two_level_sample_sort(device_call& call, Problem const& problem, Comp const& comp, SortSample const& sort_sample)
      : call_(call),
        problem_(problem),
        comp_(comp),
        sort_sample_(sort_sample),
        arch_(detail::compiled_arch(call, two_level_sort_groups_kernel<Tuning, Key, Value, Comp>)),
        tuning_(Tuning::at(arch_)),
        state_(tuning_, problem.num_items) {}

  // Adds what it needs to the layout.
  template <class Runs>
  void plan(scratch_layout& layout, Runs const* no_runs) {
    std::int64_t const rows = state_.num_buckets;
    sample_ = layout.add<Key>(state_.num_samples());
    sample_sort_.emplace(call_, layout,
                         [&](device_call& inner) { sort_sample_(inner, sample_problem(nullptr), no_runs); });
    counted_ = layout.add<two_level_sample_sort_state::counters>(1);
    buckets_ = layout.add<typename two_level_sample_sort_state::totals>(1);
    starts_ = layout.add<std::uint16_t>(rows * state_.num_tiles);
    offsets_ = layout.add<std::uint32_t>(rows * state_.num_tiles);
    tiles_ = layout.add<bucket_tile_place>(state_.max_second_tiles());
    groups_ = layout.add<part_group>(state_.max_groups());
    large_parts_ = layout.add<large_part>(state_.max_large_parts());
    // A row too many of this would be behind all of the memory, where checkers see it.
    part_starts_ = layout.add<std::uint16_t>(rows * state_.max_second_tiles());
  }

  // Sorts, unless there is a plan for the runs, through other memory for as many items.
  template <class Runs>
  void sort(Runs const* runs, Key* keys, Values values) {
    skip_if const skip{runs->plan_flag()};
    Key* const sample = call_.scratch<Key>(sample_);
    state_.counted = call_.scratch<two_level_sample_sort_state::counters>(counted_);
    state_.buckets = call_.scratch<two_level_sample_sort_state::totals>(buckets_);
    state_.starts = call_.scratch<std::uint16_t>(starts_);
    state_.offsets = call_.scratch<std::uint32_t>(offsets_);
    state_.tiles = call_.scratch<bucket_tile_place>(tiles_);
    state_.part_starts = call_.scratch<std::uint16_t>(part_starts_);
    state_.groups = call_.scratch<part_group>(groups_);
    state_.large_parts = call_.scratch<large_part>(large_parts_);

    auto const num_samples = static_cast<std::uint32_t>(state_.num_samples());
    detail::launch(call_, shape(divide_up(num_samples, 256u), 256, 0), two_level_draw_sample_kernel<KeysIn>,
                   problem_.keys_in, sample, num_samples, state_, skip);
    sample_sort_->run(call_, [&](device_call& inner) { sort_sample_(inner, sample_problem(sample), runs); });

    distribute(state_.num_tiles, problem_.keys_in, problem_.values_in, problem_.keys_out, problem_.values_out, sample,
               false, skip);
    constexpr int plan_threads = two_level_max_buckets;
    detail::launch(call_, shape(state_.num_buckets, small_threads, sizeof(two_level_offsets_storage<small_threads>)),
                   two_level_offsets_kernel<small_threads>, state_, skip);
    detail::launch(call_,
                   shape(divide_up<std::int64_t>(state_.max_second_tiles(), plan_threads), plan_threads,
                         sizeof(two_level_tiles_storage<plan_threads>)),
                   two_level_plan_tiles_kernel<plan_threads>, state_, skip);
    distribute(state_.max_second_tiles(), problem_.keys_out, problem_.values_out, keys, values, sample, true, skip);
    constexpr int group_threads = 1024;
    detail::launch(call_, shape(state_.num_buckets, group_threads, sizeof(two_level_groups_storage)),
                   two_level_plan_groups_kernel<group_threads, Key, Comp>, static_cast<Key const*>(sample), state_,
                   skip, comp_);

    // Blocks take one group after the other, so that few end at once where there is nothing to do.
    std::int64_t const most_blocks = std::int64_t{tuning_.group.min_blocks_per_sm} * num_multiprocessors(call_);
    detail::launch(call_,
                   shape(smaller(most_blocks, state_.max_groups()), tuning_.group.threads_per_block,
                         storage_bytes<two_level_group<Tuning, Key, Value>::template storage>(arch_)),
                   two_level_sort_groups_kernel<Tuning, Key, Value, Comp>, static_cast<Key const*>(keys), values,
                   problem_.keys_out, problem_.values_out, state_, skip, comp_);
    merge_large(keys, values, skip);
  }

 private:
  // Each launch starts early, and waits for the one before: of two of them, one at least is small. Where there is a plan
  // none but the first waits: that one has waited for the kernel that planned.
  grid_shape shape(std::int64_t blocks, int threads, std::size_t bytes) const {
    grid_shape shape{blocks, threads, bytes};
    shape.early = arch_ >= 90;
    return shape;
  }

  auto sample_problem(Key* sample) const {
    return detail::sort_in_place(sample, no_values{}, no_values{}, state_.num_samples());
  }

  template <class KeysFrom, class ValuesFrom>
  void distribute(std::int64_t blocks, KeysFrom keys_from, ValuesFrom values_from, Key* keys_to, Values values_to,
                  Key const* sample, bool is_second, skip_if skip) const {
    detail::launch(call_,
                   shape(blocks, tuning_.tile.threads_per_block, storage_bytes<distributor::template storage>(arch_)),
                   two_level_distribute_kernel<Tuning, KeysFrom, ValuesFrom, Comp>, keys_from, values_from, keys_to,
                   values_to, sample, state_, is_second, skip, comp_);
  }

  // Merges what blocks have sorted of large parts, by an even number of passes, so that it ends where it began.
  void merge_large(Key* keys, Values values, skip_if skip) const {
    Key* const buffers[2] = {problem_.keys_out, keys};
    Values const value_buffers[2] = {problem_.values_out, values};
    std::uint64_t run_items = state_.group_items;
    for (int pass = 0; pass % 2 != 0 || run_items < state_.num_items; ++pass) {
      detail::launch(call_, shape(num_multiprocessors(call_), small_threads, 0),
                     two_level_merge_large_kernel<small_threads, Key, Value, Comp>,
                     static_cast<Key const*>(buffers[pass % 2]), value_buffers[pass % 2], buffers[(pass + 1) % 2],
                     value_buffers[(pass + 1) % 2], state_, static_cast<std::uint32_t>(run_items), skip, comp_);
      run_items = smaller<std::uint64_t>(run_items * two_level_runs_per_pass, state_.num_items);
    }
  }

  device_call& call_;
  Problem const& problem_;
  Comp const& comp_;
  SortSample const& sort_sample_;
  int arch_;
  two_level_sample_sort_tuning tuning_;
  two_level_sample_sort_state state_;
  std::size_t sample_ = 0, counted_ = 0, buckets_ = 0, starts_ = 0, offsets_ = 0, tiles_ = 0, part_starts_ = 0,
              groups_ = 0, large_parts_ = 0;
  std::optional<inner_call> sample_sort_;
};

}  // namespace mgpu::detail
