// One thread finds where a diagonal crosses the merge of several runs. It selects as Frederickson and Johnson do from
// sorted lists, JCSS 1982.
#pragma once
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <cstdint>

namespace mgpu::detail {

// A group of neighbouring runs: run r is [run_begin(r), run_begin(r + 1)). They have run_items each, but that the last
// may be shorter or missing; or they begin where `begins` says, of which there is one more than there are runs.
struct run_group {
  std::int64_t begin;
  std::int64_t run_items;
  std::int64_t end;
  std::int64_t const* begins = nullptr;

  __host__ __device__ __forceinline__ std::int64_t run_begin(int run) const {
    return begins != nullptr ? begins[run] : smaller(begin + run * run_items, end);
  }
  __host__ __device__ __forceinline__ std::int64_t run_end(int run) const { return run_begin(run + 1); }
};

// Returns the runs that are merged into the run that output tile `tile` is part of. `width`, the length of a run in
// tiles, and num_runs are powers of two.
__host__ __device__ __forceinline__ run_group find_run_group(std::int64_t tile, std::int64_t width, int num_runs,
                                                             std::int64_t tile_items, std::int64_t num_items) {
  std::int64_t const first = tile & ~(num_runs * width - 1);
  return {first * tile_items, width * tile_items, smaller((first + num_runs * width) * tile_items, num_items)};
}

// Sets taken[r] to how many of the first `diagonal` items of the stable merge of num_runs runs come from run r;
// together they are that many, by any comparator. Runs may be a class of another kind, which has run_begin() and
// run_end() of each run, too. Each step looks at the end of a block of `ahead` items in every run: the block that
// ends first is among the first num_runs * (ahead - 1) + 1 items of the merge. `ahead` is a power of two, so that
// tiles of one group look at the same items first. Any thread, no barrier.
template <int num_runs, class Runs = run_group, class Keys, class Comp>
__device__ __forceinline__ void multiway_merge_path(Keys keys, Runs const& runs, std::int64_t diagonal,
                                                    std::int64_t (&taken)[num_runs], Comp& comp) {
  std::int64_t begins[num_runs];
  std::int64_t left[num_runs];
#pragma unroll
  for (int r = 0; r < num_runs; ++r) {
    begins[r] = runs.run_begin(r);
    left[r] = runs.run_end(r) - begins[r];
    taken[r] = 0;
  }
  std::int64_t ahead = 1;
  while (2 * ahead <= diagonal) ahead *= 2;
  for (; ahead > 0; ahead /= 2) {
    int num_left = 0;
#pragma unroll
    for (int r = 0; r < num_runs; ++r) num_left += left[r] > 0 ? 1 : 0;
    if (num_left * (ahead - 1) >= diagonal) continue;

    uninitialized_array<iterator_value_t<Keys>, num_runs> last;  // the last item of each run's block
    auto const look = [&](int r) { last[r] = *(keys + (begins[r] + taken[r] + smaller(ahead, left[r]) - 1)); };
#pragma unroll
    for (int r = 0; r < num_runs; ++r) {
      if (left[r] > 0) look(r);
    }
    do {
      int first = -1;
#pragma unroll
      for (int r = 0; r < num_runs; ++r) {
        bool is_first = left[r] > 0;
#pragma unroll
        for (int q = 0; q < r; ++q) is_first = is_first && (first != q || comp(last[r], last[q]));
        first = is_first ? r : first;
      }
#pragma unroll
      for (int r = 0; r < num_runs; ++r) {
        if (r != first) continue;
        std::int64_t const count = smaller(ahead, left[r]);
        taken[r] += count;
        left[r] -= count;
        diagonal -= count;
        if (left[r] > 0) {
          look(r);
        } else {
          --num_left;
        }
      }
    } while (num_left * (ahead - 1) < diagonal);
  }
}

}  // namespace mgpu::detail
