// Merge sort on the device: each tile is sorted by one block, then passes merge neighbouring runs, four at a time,
// until one is left. It is a stable comparison sort for any strict weak order. Merge path: Green, McColl, Bader, ICS
// 2012; Odeh, Green, Mwassi, Shmueli, Birk, IPDPSW 2012 (the passes).
#pragma once
#include <mgpu/detail/backend/merge_sort/merge_sort_kernel.cuh>
#include <mgpu/detail/backend/merge_sort/tuning.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/double_buffer.h>
#include <mgpu/detail/runtime/kernel_facts.h>
#include <mgpu/detail/runtime/launch.h>
#include <cstddef>
#include <cstdint>

namespace mgpu::detail {

// The host driver. The tile sort reads the user's input, and the last step writes the user's output; the steps
// between read and write the double buffer of each column in turns. There is at least one item.
template <class Tuning, class Problem, class Comp>
class merge_sort_passes {
  using KeysIn = typename Problem::KeysIn;
  using ValuesIn = typename Problem::ValuesIn;
  using KeysOut = typename Problem::KeysOut;
  using ValuesOut = typename Problem::ValuesOut;
  using Key = typename Problem::Key;
  using Value = typename Problem::Value;
  using blocks = merge_sort_blocks<Tuning, Key, Value>;

 public:
  // Adds the scratch memory that the sort needs to the layout.
  merge_sort_passes(device_call const& call, scratch_layout& layout, Problem const& problem, Comp const& comp)
      : call_(call), problem_(problem), comp_(comp) {
    arch_ = detail::compiled_arch(call, tile_kernel<KeysOut, ValuesOut>());
    tuning_ = Tuning::at(arch_);
    num_tiles_ = divide_up<std::int64_t>(problem.num_items, tuning_.sorted_items());
    num_merge_tiles_ = divide_up<std::int64_t>(problem.num_items, tuning_.merge_items());
    for (std::int64_t run = 1; run < num_tiles_; run *= runs_of_pass) ++num_passes_;
    keys_.plan(layout, problem.num_items, num_passes_);
    values_.plan(layout, problem.num_items, num_passes_);
    if (num_passes_ >= 1 && !few_tiles()) partitions_ = layout.add<std::int64_t>(num_merge_tiles_ * runs_of_pass);
  }

  // Launches the tile sort and the merge passes.
  void run() const {
    if (num_passes_ == 0) {
      return sort_tiles(problem_.keys_in, problem_.values_in, problem_.keys_out, problem_.values_out);
    }
    auto const keys = [&](int passes_to_go) { return buffer_of(keys_, passes_to_go, problem_.keys_out); };
    auto const values = [&](int passes_to_go) { return buffer_of(values_, passes_to_go, problem_.values_out); };
    sort_tiles(problem_.keys_in, problem_.values_in, keys(num_passes_), values(num_passes_));
    std::int64_t width = tuning_.sorted_items() / tuning_.merge_items();
    for (int to_go = num_passes_; to_go > 1; --to_go, width *= runs_of_pass) {
      merge_runs(width, keys(to_go), values(to_go), keys(to_go - 1), values(to_go - 1));
    }
    merge_runs(width, keys(1), values(1), problem_.keys_out, problem_.values_out);
  }

 private:
  template <class KeysTo, class ValuesTo>
  static auto tile_kernel() {
    void (*kernel)(KeysIn, ValuesIn, KeysTo, ValuesTo, std::int64_t, Comp) =
        merge_sort_tile_kernel<Tuning, KeysIn, ValuesIn, KeysTo, ValuesTo, Comp>;
    return kernel;
  }

  template <class KeysTo, class ValuesTo>
  void sort_tiles(KeysIn keys_in, ValuesIn values_in, KeysTo keys_to, ValuesTo values_to) const {
    detail::launch(
        call_,
        {num_tiles_, tuning_.tile_sort.threads_per_block, storage_bytes<blocks::template sorter_storage>(arch_)},
        tile_kernel<KeysTo, ValuesTo>(), keys_in, values_in, keys_to, values_to, problem_.num_items, comp_);
  }

  // Launches one merge pass, over runs of `width` merge tiles.
  template <class KeysTo, class ValuesTo>
  void merge_runs(std::int64_t width, Key const* keys_from, column<Value> values_from, KeysTo keys_to,
                  ValuesTo values_to) const {
    std::int64_t const* const partitions = few_tiles() ? nullptr : partition(width, keys_from);
    void (*const merge)(Key const*, column<Value>, KeysTo, ValuesTo, std::int64_t, std::int64_t, std::int64_t const*,
                        Comp) = merge_sort_merge_kernel<Tuning, Key, column<Value>, KeysTo, ValuesTo, Comp>;
    grid_shape shape{num_merge_tiles_, tuning_.merge.threads_per_block,
                     storage_bytes<blocks::template merger_storage>(arch_)};
    // A pass of many tiles is not launched early: where the grid does not fit on the device at once, blocks that wait
    // would take the room of blocks that work.
    shape.early = arch_ >= 90 && few_tiles();
    detail::launch(call_, shape, merge, keys_from, values_from, keys_to, values_to, problem_.num_items, width,
                   partitions, comp_);
  }

  // Launches the partitioning of a merge pass, and returns where each tile's shares of its runs begin.
  std::int64_t const* partition(std::int64_t width, Key const* keys) const {
    std::int64_t* const partitions = call_.scratch<std::int64_t>(partitions_);
    void (*const kernel)(Key const*, std::int64_t, std::int64_t, std::int64_t, bool, std::int64_t*, Comp) =
        merge_sort_partition_kernel<Tuning, Key, Comp>;
    int const threads = tuning_.partition_threads_per_block;
    std::int64_t const num_threads = num_merge_tiles_ * (many_tiles() ? 1 : threads_per_warp);
    detail::launch(call_, {divide_up<std::int64_t>(num_threads, threads), threads}, kernel, keys, problem_.num_items,
                   width, num_merge_tiles_, !many_tiles(), partitions, comp_);
    return partitions;
  }

  // Returns the buffer from which the pass reads that has so many passes to go, itself included.
  template <class T, class Out>
  column<T> buffer_of(double_buffer<T, Out> const& buffer, int passes_to_go, Out out) const {
    return passes_to_go % 2 == 0 ? buffer.primary(call_, out) : buffer.alternate(call_);
  }

  // A warp that looks for shares counts the items of a group of runs in 32 bits, so it takes small groups only.
  bool small_groups() const { return problem_.num_items < std::int64_t{1} << 30; }
  bool few_tiles() const { return small_groups() && num_merge_tiles_ <= tuning_.few_tiles; }
  bool many_tiles() const { return !small_groups() || num_merge_tiles_ > tuning_.many_tiles; }

  device_call const& call_;
  Problem const& problem_;
  Comp const& comp_;
  std::int64_t num_tiles_ = 0;
  std::int64_t num_merge_tiles_ = 0;
  int num_passes_ = 0;
  int arch_ = 0;
  merge_sort_tuning tuning_{};
  double_buffer<Key, KeysOut> keys_;
  double_buffer<Value, ValuesOut> values_;
  std::size_t partitions_ = 0;
};

// Sorts by comparisons; stable. There is at least one item.
template <class Tuning, class Problem, class Comp>
void merge_sort(device_call& call, Problem const& problem, Comp const& comp) {
  scratch_layout layout;
  merge_sort_passes<Tuning, Problem, Comp> const sort(call, layout, problem, comp);
  if (call.allocate(layout)) sort.run();
}

}  // namespace mgpu::detail
