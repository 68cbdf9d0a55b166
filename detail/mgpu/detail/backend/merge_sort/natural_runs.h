// A merge sort finds out whether its input is a few runs in order, which it merges as they are. Natural
// merge sort: Knuth, The Art of Computer Programming 3, 5.2.4.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/thread/multiway_merge_path.cuh>
#include <cstdint>

namespace mgpu::detail {

// The number of natural runs that a pass merges into one.
constexpr int natural_runs_per_pass = 4;

// A natural run goes on until a key comes before the one in front of it, which is a descent. Up to max_runs natural
// runs are merged instead of sorted tiles. All is in device memory.
struct natural_runs {
  static constexpr int max_passes = 4;
  static constexpr int max_runs = 256;  // natural_runs_per_pass to the power of max_passes
  static constexpr int max_groups = max_runs / natural_runs_per_pass;

  // These are zero before the first kernel.
  struct findings {
    std::uint64_t blocks_done;
    std::uint64_t num_descents;  // all are found where they are few
    std::uint64_t has_ascent;    // 1 if some key does not come before the one in front of it
    // One more than the passes that merge the runs, which are the last of those that are launched; or 0 if there is
    // no plan, and tiles are sorted.
    std::uint64_t passes_and_one;
  };
  // The groups of runs that a pass merges, each to one run. An output tile has items of one group alone.
  struct pass {
    int num_groups;
    std::int64_t first_tiles[max_groups + 1];  // of each group; then how many tiles there are
    std::int64_t begins[max_runs + 1];         // of each run; where there are fewer, the others begin at the end
  };

  findings found;
  std::int64_t descents[max_runs - 1];  // the items that begin a run, in any order

  std::uint32_t is_reversed;  // 1 if each key comes before the one in front of it
  std::uint32_t is_moved;     // 0 if the first pass, or the caller if there is none, finds the input in its place
  pass passes[max_passes];

  // Returns where a word is not zero if there is a plan.
  __host__ __device__ constexpr std::uint64_t const* plan_flag() const { return &found.passes_and_one; }
  __device__ __forceinline__ bool has_plan() const { return found.passes_and_one != 0; }
  __device__ __forceinline__ int num_passes() const { return static_cast<int>(found.passes_and_one) - 1; }
};

// The place of an output tile in a pass.
struct merge_place {
  run_group runs;         // they are merged into the run that the tile is part of
  std::int64_t diagonal;  // where the tile begins in that run
  bool exists;            // whether there is such a tile in the pass
};

// Returns the place of tile `tile` in the pass that has `to_go` passes to go, itself included: it merges num_runs
// runs of `width` tiles, or natural runs if there is a plan for these. A width of 0 says that there are no other
// runs.
template <int num_runs>
__device__ __forceinline__ merge_place find_merge_place(std::int64_t tile, std::int64_t width, int tile_items,
                                                        std::int64_t num_items, natural_runs const* natural,
                                                        int to_go) {
  int const num_natural_passes = natural == nullptr ? -1 : natural->num_passes();
  if (num_natural_passes < 0) {
    if (width == 0) return {{}, 0, false};
    run_group const runs = detail::find_run_group(tile, width, num_runs, tile_items, num_items);
    return {runs, tile * tile_items - runs.begin, tile * tile_items < num_items};
  }
  if (to_go > num_natural_passes) return {{}, 0, false};
  natural_runs::pass const& pass = natural->passes[num_natural_passes - to_go];
  if (tile >= pass.first_tiles[pass.num_groups]) return {{}, 0, false};
  int group = 0;
  for (int ahead = natural_runs::max_groups / 2; ahead > 0; ahead /= 2) {
    if (group + ahead < pass.num_groups && pass.first_tiles[group + ahead] <= tile) group += ahead;
  }
  std::int64_t const* const begins = pass.begins + group * natural_runs_per_pass;
  return {{begins[0], 0, begins[natural_runs_per_pass], begins}, (tile - pass.first_tiles[group]) * tile_items, true};
}

}  // namespace mgpu::detail
