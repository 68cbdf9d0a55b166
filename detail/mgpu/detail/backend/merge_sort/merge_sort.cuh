// Merge sort on the device: every tile sorted by one block, then passes that merge neighbouring runs, four at a time,
// until one is left. A stable comparison sort for any strict weak order. Merge path: Green, McColl, Bader, ICS 2012;
// Odeh, Green, Mwassi, Shmueli, Birk, IPDPSW 2012 (the passes).
#pragma once
#include <mgpu/detail/backend/merge_sort/merge_sort_kernel.cuh>
#include <mgpu/detail/backend/merge_sort/tuning.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/host/call.h>
#include <mgpu/detail/host/iterator.h>
#include <mgpu/detail/host/launch.h>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// A column of items in plain device memory; no memory for no values.
template <class T>
using column = std::conditional_t<has_values<T>, T*, no_values>;

// Planned first (which adds its pieces to a scratch layout), then run. The tile sort reads the user's input, the last
// step writes the user's output; whatever lies between goes to and fro between two buffers per column, one of which
// is the output itself where that is plain memory, so no final copy is made. Input and output are the same range or
// do not overlap.
template <class Tuning, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut, class Comp>
class merge_sort {
  using Key = iterator_value_t<KeysIn>;
  using Value = iterator_value_t<ValuesIn>;
  using blocks = merge_sort_blocks<Tuning, Key, Value>;

  // A buffer pair of a column. `home` is where an even number of steps ends.
  template <class T, class Out>
  struct buffers {
    static constexpr bool output_is_home = std::is_same_v<Out, T*> || !has_values<T>;
    std::size_t home = 0, away = 0;  // offsets of what is in scratch memory

    void plan(scratch_layout& layout, std::int64_t num_items, int num_passes) {
      if constexpr (has_values<T>) {
        if (num_passes >= 1) away = layout.add<T>(num_items);
        if (num_passes >= 2 && !output_is_home) home = layout.add<T>(num_items);
      }
    }
    column<T> get(device_call const& call, bool at_home, Out out) const {
      if constexpr (!has_values<T>) {
        return {};
      } else {
        if (!at_home) return call.scratch<T>(away);
        if constexpr (output_is_home) return out;
        return call.scratch<T>(home);
      }
    }
  };

 public:
  merge_sort(device_call const& call, scratch_layout& layout, std::int64_t num_items) : num_items_(num_items) {
    arch_ = detail::compiled_arch(call, tile_kernel<KeysOut, ValuesOut>());
    tuning_ = Tuning::at(arch_);
    num_tiles_ = divide_up<std::int64_t>(num_items, tuning_.sorted_items());
    num_merge_tiles_ = divide_up<std::int64_t>(num_items, tuning_.merge_items());
    for (std::int64_t run = 1; run < num_tiles_; run *= runs_of_pass) ++num_passes_;
    keys_.plan(layout, num_items, num_passes_);
    values_.plan(layout, num_items, num_passes_);
    if (num_passes_ >= 1 && !few_tiles()) partitions_ = layout.add<std::int64_t>(num_merge_tiles_ * runs_of_pass);
  }

  void run(device_call const& call, KeysIn keys_in, ValuesIn values_in, KeysOut keys_out, ValuesOut values_out,
           Comp comp) const {
    if (num_passes_ == 0) return sort_tiles(call, keys_in, values_in, keys_out, values_out, comp);

    auto const keys = [&](int steps_to_go) { return keys_.get(call, steps_to_go % 2 == 0, keys_out); };
    auto const values = [&](int steps_to_go) { return values_.get(call, steps_to_go % 2 == 0, values_out); };
    sort_tiles(call, keys_in, values_in, keys(num_passes_), values(num_passes_), comp);
    std::int64_t width = tuning_.sorted_items() / tuning_.merge_items();
    for (int to_go = num_passes_; to_go > 1; --to_go, width *= runs_of_pass) {
      merge_runs(call, width, keys(to_go), values(to_go), keys(to_go - 1), values(to_go - 1), comp);
    }
    merge_runs(call, width, keys(1), values(1), keys_out, values_out, comp);
  }

 private:
  template <class KeysTo, class ValuesTo>
  static auto tile_kernel() {
    void (*kernel)(KeysIn, ValuesIn, KeysTo, ValuesTo, std::int64_t, Comp) =
        merge_sort_tile_kernel<Tuning, KeysIn, ValuesIn, KeysTo, ValuesTo, Comp>;
    return kernel;
  }

  template <class KeysTo, class ValuesTo>
  void sort_tiles(device_call const& call, KeysIn keys_in, ValuesIn values_in, KeysTo keys_to, ValuesTo values_to,
                  Comp comp) const {
    detail::launch(
        call,
        {num_tiles_, tuning_.tile_sort.threads_per_block, storage_bytes<blocks::template sorter_storage>(arch_)},
        tile_kernel<KeysTo, ValuesTo>(), keys_in, values_in, keys_to, values_to, num_items_, comp);
  }

  template <class KeysTo, class ValuesTo>
  void merge_runs(device_call const& call, std::int64_t width, Key const* keys_from, column<Value> values_from,
                  KeysTo keys_to, ValuesTo values_to, Comp comp) const {
    std::int64_t const* const partitions = few_tiles() ? nullptr : partition(call, width, keys_from, comp);
    void (*const merge)(Key const*, column<Value>, KeysTo, ValuesTo, std::int64_t, std::int64_t, std::int64_t const*,
                        Comp) = merge_sort_merge_kernel<Tuning, Key, column<Value>, KeysTo, ValuesTo, Comp>;
    grid_shape shape{num_merge_tiles_, tuning_.merge.threads_per_block,
                     storage_bytes<blocks::template merger_storage>(arch_)};
    // What waits takes the place of what works, where the grid does not fit on the device at once.
    shape.early = arch_ >= 90 && few_tiles();
    detail::launch(call, shape, merge, keys_from, values_from, keys_to, values_to, num_items_, width, partitions,
                   comp);
  }

  // Where each tile's shares of its runs begin.
  std::int64_t const* partition(device_call const& call, std::int64_t width, Key const* keys, Comp comp) const {
    std::int64_t* const partitions = call.scratch<std::int64_t>(partitions_);
    void (*const kernel)(Key const*, std::int64_t, std::int64_t, std::int64_t, bool, std::int64_t*, Comp) =
        merge_sort_partition_kernel<Tuning, Key, Comp>;
    int const threads = tuning_.partition_threads_per_block;
    std::int64_t const num_threads = num_merge_tiles_ * (many_tiles() ? 1 : threads_per_warp);
    detail::launch(call, {divide_up<std::int64_t>(num_threads, threads), threads}, kernel, keys, num_items_, width,
                   num_merge_tiles_, !many_tiles(), partitions, comp);
    return partitions;
  }

  // What a warp can look for shares in.
  bool small_groups() const { return num_items_ < std::int64_t{1} << 30; }
  bool few_tiles() const { return small_groups() && num_merge_tiles_ <= tuning_.few_tiles; }
  bool many_tiles() const { return !small_groups() || num_merge_tiles_ > tuning_.many_tiles; }

  std::int64_t num_items_;
  std::int64_t num_tiles_ = 0;
  std::int64_t num_merge_tiles_ = 0;
  int num_passes_ = 0;
  int arch_ = 0;
  merge_sort_tuning tuning_{};
  buffers<Key, KeysOut> keys_;
  buffers<Value, ValuesOut> values_;
  std::size_t partitions_ = 0;
};

// A way to sort, for who does not care which: plans, then runs.
template <class Tuning, class Comp>
struct merge_sorter {
  Comp comp;

  template <class KeysIn, class ValuesIn, class KeysOut, class ValuesOut>
  using plan = merge_sort<Tuning, KeysIn, ValuesIn, KeysOut, ValuesOut, Comp>;
  template <class Plan, class... Columns>
  void run(Plan const& plan, device_call const& call, Columns... columns) const {
    plan.run(call, columns..., comp);
  }
};

}  // namespace mgpu::detail
