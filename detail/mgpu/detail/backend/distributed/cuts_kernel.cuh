// The kernels by which ranks find the cuts of their sorted runs: one takes samples, which all ranks then gather, and
// one narrows the windows of the cuts alike on all ranks. Blocks never wait for one another.
//
// Items are in one order, by key, then by rank, then by place in the run. Cut c of the runs is where the first
// targets[c] items of that order end. It selects as Frederickson and Johnson do from sorted lists, JCSS 1982.
#pragma once
#include <mgpu/detail/backend/distributed/cut_window.h>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/thread/find_ranks.cuh>
#include <cstdint>

namespace mgpu::detail {

constexpr int max_cut_threads = 512;

// Writes the samples of this rank's window of cut c, from taken[c * num_samples] on. The grid has a block a cut;
// windows are in the order of cuts, then of ranks.
template <class Key>
__global__ void __launch_bounds__(max_cut_threads)
    take_samples_kernel(Key const* run, cut_window const* windows, int rank, int num_ranks, int num_samples,
                        Key* taken) {
  auto const cut = static_cast<int>(simt::block_rank());
  auto const threads = static_cast<int>(simt::threads_per_block());
  cut_window const window = windows[cut * num_ranks + rank];
  int const count = window.samples(num_samples);
  for (auto i = static_cast<int>(simt::thread_rank()); i < count; i += threads) {
    taken[static_cast<std::int64_t>(cut) * num_samples + i] = run[window.place(i, num_samples)];
  }
}

// How many samples of a window are known to come before the cut, and how many behind it.
struct known_samples {
  std::uint32_t before;
  std::uint32_t behind;
};

// Narrows the window of one run for one cut; the grid has a block for each, of whole warps. gathered[(r * num_cuts + c) *
// num_samples] is the first sample of rank r for cut c.
template <class Key, class Comp>
__global__ void __launch_bounds__(max_cut_threads)
    narrow_windows_kernel(Key const* gathered, cut_window const* windows, std::int64_t const* targets, int num_ranks,
                          int num_samples, cut_window* narrowed, Comp comp) {
  auto& known = simt::shared<known_samples>();
  auto const block = static_cast<int>(simt::block_rank());
  auto const threads = static_cast<int>(simt::threads_per_block());
  int const num_cuts = num_ranks - 1;
  int const cut = block / num_ranks;
  int const run = block % num_ranks;
  cut_window const window = windows[block];
  std::int64_t const target = targets[cut];
  int const count = window.samples(num_samples);
  auto const samples_of = [&](int rank) {
    return gathered + (static_cast<std::int64_t>(rank) * num_cuts + cut) * num_samples;
  };
  if (simt::thread_rank() == 0) known = {0, 0};
  simt::sync_block();

  known_samples mine{0, 0};
  for (auto i = static_cast<int>(simt::thread_rank()); i < count; i += threads) {
    // This many items come before the sample, if those of each other run are counted within its window. It comes
    // before the cut if these are fewer than the target.
    Key const& sample = samples_of(run)[i];
    std::int64_t least = window.place(i, num_samples);
    std::int64_t most = least;
    for (int other = 0; other < num_ranks; ++other) {
      if (other == run) continue;
      cut_window const others = windows[cut * num_ranks + other];
      int const num_others = others.samples(num_samples);
      int before[1] = {0};
      detail::find_ranks<Key>(
          before, num_others, [&](int, int j) -> Key const& { return samples_of(other)[j]; },
          [&](int, int, Key const& item) { return other < run ? !comp(sample, item) : comp(item, sample); });
      least += before[0] == 0 ? others.begin : others.place(before[0] - 1, num_samples) + 1;
      most += before[0] == num_others ? others.end : others.place(before[0], num_samples);
    }
    mine.before += most < target ? 1 : 0;
    mine.behind += least >= target ? 1 : 0;
  }
  mine.before = simt::sum_of_warp(mine.before);
  mine.behind = simt::sum_of_warp(mine.behind);
  if (simt::lane() == 0) {
    simt::add_shared(known.before, mine.before);
    simt::add_shared(known.behind, mine.behind);
  }
  simt::sync_block();

  if (simt::thread_rank() != 0) return;
  auto const before = static_cast<int>(known.before);
  auto const behind = static_cast<int>(known.behind);
  narrowed[block] = {before == 0 ? window.begin : window.place(before - 1, num_samples) + 1,
                     behind == 0 ? window.end : window.place(count - behind, num_samples)};
}

}  // namespace mgpu::detail
