// One warp finds where a diagonal crosses the merge of several runs, by a few steps of many probes instead of many
// steps of one.
#pragma once
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/thread/multiway_merge_path.cuh>
#include <cstdint>

namespace mgpu::detail {

// Sets taken[r] to how many of the first `diagonal` items of the stable merge come from run r, as multiway_merge_path
// in thread/ does for one thread; the group has less than 2^30 items. A lane looks at the end of a block of `ahead`
// items of its run, and counts how many other lanes' blocks end before: the first num_probes of all the blocks surely
// belong to the first `diagonal` items. Nothing branches and nothing is looked up that is not in the group, as a warp alone
// waits for every instruction. Called by all lanes, of which the first of each run's writes; no barrier.
template <int num_runs, class Keys, class Comp>
__device__ __forceinline__ void warp_multiway_merge_path(Keys keys, run_group const& runs, int diagonal,
                                                         std::int64_t* taken, Comp& comp) {
  constexpr int lanes = threads_per_warp / num_runs;
  constexpr int num_probes = lanes - 1;  // one less than `lanes`, so that log2(lanes) steps count what comes before
  static_assert(is_power_of_two(num_runs) && num_runs > 1 && num_runs <= 8);
  auto const lane = static_cast<int>(simt::lane());
  int const own_run = lane / lanes;
  int const own_probe = lane % lanes;

  // [begins[next], ends[next]) is what is not taken yet of the run `next` runs after the lane's own, counted in a
  // circle.
  using Key = iterator_value_t<Keys>;
  auto const items = keys + runs.begin;
  int begins[num_runs];
  int ends[num_runs];
  auto const run = [&](int next) { return (own_run + next) % num_runs; };
#pragma unroll
  for (int next = 0; next < num_runs; ++next) {
    begins[next] = static_cast<int>(runs.run_begin(run(next)) - runs.begin);
    ends[next] = static_cast<int>(runs.run_begin(run(next) + 1) - runs.begin);
  }
  int const own_begin = begins[0];

  while (diagonal > 0) {
    int const ahead =
        larger(static_cast<int>(static_cast<unsigned>(diagonal + num_runs - 1) / (num_probes + num_runs - 1)), 1);
    auto const item_before = [&](int place, int next) { return *(items + (smaller(place, ends[next]) - 1)); };
    int const block_end = begins[0] + (own_probe + 1) * ahead;
    bool const is_block = own_probe < num_probes && block_end - ahead < ends[0];
    Key const last = item_before(block_end, 0);

    int before = own_probe;
    int reached[num_runs] = {};  // how many blocks are known to end before
#pragma unroll
    for (int step = lanes / 2; step > 0; step /= 2) {
      uninitialized_array<Key, num_runs> others;
#pragma unroll
      for (int next = 1; next < num_runs; ++next) {
        others[next] = item_before(begins[next] + (reached[next] + step) * ahead, next);
      }
#pragma unroll
      for (int next = 1; next < num_runs; ++next) {
        bool const is_earlier_run = own_run + next >= num_runs;
        bool const is_before = begins[next] + (reached[next] + step - 1) * ahead < ends[next] &&
                               (is_earlier_run ? !comp(last, others[next]) : comp(others[next], last));
        reached[next] += is_before ? step : 0;
        before += is_before ? step : 0;
      }
    }

    std::uint32_t blocks = simt::ballot(simt::full_mask, is_block && before < smaller(num_probes, diagonal));
    std::uint32_t const all_blocks = simt::ballot(simt::full_mask, is_block);
    auto const items_taken = [&](int next) {
      constexpr std::uint32_t mask = (std::uint32_t{1} << lanes) - 1;
      auto const count = static_cast<int>(simt::population_count(blocks >> (run(next) * lanes) & mask));
      return smaller(count * ahead, ends[next] - begins[next]);
    };
    auto const all_taken = [&] {
      int sum = 0;
#pragma unroll
      for (int next = 0; next < num_runs; ++next) sum += items_taken(next);
      return sum;
    };
    int sum = all_taken();
    if (sum == 0 || sum > diagonal) {  // the comparator is no order: take any block, so that the loop ends
      blocks = all_blocks & (0 - all_blocks);
      sum = all_taken();
    }
#pragma unroll
    for (int next = 0; next < num_runs; ++next) begins[next] += items_taken(next);
    diagonal -= sum;
  }
  int const own_taken = begins[0] - own_begin;
  if (simt::lane() % lanes == 0) taken[simt::lane() / lanes] = own_taken;
}

}  // namespace mgpu::detail
