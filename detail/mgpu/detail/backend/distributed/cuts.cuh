// The ranks of a communicator find out where to cut their sorted runs, so that each rank gets as many items as it
// had. The cuts are exact, whatever the keys: a round narrows the windows in which they lie to less than a hundredth,
// until these are empty.
#pragma once
#include <mgpu/detail/backend/distributed/cut_table.h>
#include <mgpu/detail/backend/distributed/cut_window.h>
#include <mgpu/detail/backend/distributed/cuts_kernel.cuh>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/distributed_call.h>
#include <mgpu/detail/runtime/launch.h>
#include <mgpu/detail/runtime/scratch.h>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace mgpu::detail {

// Finds the cuts. Its scratch memory is part of the call's layout.
template <class Key>
class cut_finder {
 public:
  cut_finder(distributed_call const& ranks, scratch_layout& layout)
      : ranks_(ranks),
        num_cuts_(ranks.num_ranks() - 1),
        num_windows_(static_cast<std::int64_t>(num_cuts_) * ranks.num_ranks()),
        num_samples_(larger(sizeof(Key) <= 16 ? 1024 : 256, 16 * ranks.num_ranks())),
        windows_(layout.add<cut_window>(num_windows_)),
        narrowed_(layout.add<cut_window>(num_windows_)),
        targets_(layout.add<std::int64_t>(num_cuts_)),
        taken_(layout.add<Key>(std::int64_t{num_cuts_} * num_samples_)),
        gathered_(layout.add<Key>(num_windows_ * num_samples_)) {}

  // Returns how much pinned memory it needs to find them. It is taken before the ranks begin, while they can still tell
  // each other that there is none.
  std::size_t host_bytes() const { return window_bytes() + target_bytes(); }

  // Returns the cuts of the runs, of which rank r has counts[r] items and this rank `run`. All ranks call it with the
  // same counts, and wait for the result.
  template <class Comp>
  cut_table find(Key const* run, std::vector<std::int64_t> const& counts, void* host_memory, Comp const& comp) const {
    cut_table table(counts);
    std::int64_t const longest = *std::max_element(counts.begin(), counts.end());
    if (num_cuts_ == 0 || longest == 0) return table;
    device_call& call = ranks_.local();
    auto const narrow_windows = narrow_windows_kernel<Key, Comp>;
    ranks_.load(take_samples_kernel<Key>);
    ranks_.load(narrow_windows);
    auto* windows = call.scratch<cut_window>(windows_);
    auto* narrowed = call.scratch<cut_window>(narrowed_);
    auto* const targets = call.scratch<std::int64_t>(targets_);
    auto* const taken = call.scratch<Key>(taken_);
    auto* const gathered = call.scratch<Key>(gathered_);

    auto* const host_windows = static_cast<cut_window*>(host_memory);
    auto* const host_targets = reinterpret_cast<std::int64_t*>(host_windows + num_windows_);
    for (std::int64_t i = 0; i < num_windows_; ++i) {
      host_windows[i] = {0, counts[static_cast<std::size_t>(i) % counts.size()]};
    }
    std::int64_t target = 0;
    for (int c = 0; c < num_cuts_; ++c) host_targets[c] = target += counts[static_cast<std::size_t>(c)];
    ranks_.copy(windows, host_windows, window_bytes());
    ranks_.copy(targets, host_targets, target_bytes());

    for (std::int64_t length = longest; length > 0;
         length = length_after_round(length, ranks_.num_ranks(), num_samples_)) {
      auto const samples = static_cast<int>(smaller<std::int64_t>(length, num_samples_));
      int const threads = smaller(divide_up(samples, threads_per_warp) * threads_per_warp, max_cut_threads);
      detail::launch(call, {num_cuts_, threads}, take_samples_kernel<Key>, run, windows, ranks_.rank(),
                     ranks_.num_ranks(), samples, taken);
      ranks_.all_gather(taken, gathered,
                        static_cast<std::size_t>(num_cuts_) * static_cast<std::size_t>(samples) * sizeof(Key));
      detail::launch(call, {num_windows_, threads, sizeof(known_samples)}, narrow_windows, gathered, windows, targets,
                     ranks_.num_ranks(), samples, narrowed, comp);
      std::swap(windows, narrowed);
    }
    ranks_.copy(host_windows, windows, window_bytes());
    ranks_.wait();
    table.set(host_windows);
    return table;
  }

 private:
  std::size_t window_bytes() const { return static_cast<std::size_t>(num_windows_) * sizeof(cut_window); }
  std::size_t target_bytes() const { return static_cast<std::size_t>(num_cuts_) * sizeof(std::int64_t); }

  distributed_call const& ranks_;
  int num_cuts_;
  std::int64_t num_windows_;
  int num_samples_;                                              // of a window in a round, at most
  std::size_t windows_, narrowed_, targets_, taken_, gathered_;  // pieces of the scratch memory
};

}  // namespace mgpu::detail
