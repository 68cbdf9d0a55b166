// The cuts of the ranks' sorted runs, which say what goes to which rank.
#pragma once
#include <mgpu/detail/backend/distributed/cut_window.h>
#include <mgpu/detail/core/config.h>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mgpu::detail {

// Rank t gets [begin(t, r), begin(t + 1, r)) of the run of rank r.
class cut_table {
 public:
  // At first each rank gets its own run.
  explicit cut_table(std::vector<std::int64_t> const& counts) : counts_(counts), num_ranks_(counts.size()) {
    begins_.resize((num_ranks_ + 1) * num_ranks_);
    keep_all();
  }

  std::int64_t begin(int to, int from) const { return begins_[place(to, from)]; }
  std::int64_t count(int to, int from) const { return begin(to + 1, from) - begin(to, from); }

  // Takes the cuts from their windows. By a comparator that is no order these need not fit together: then each rank
  // keeps its own run.
  void set(cut_window const* windows) {
    bool fits = true;
    for (int to = 1; to < num_ranks(); ++to) {
      std::int64_t sum = 0;
      std::int64_t target = 0;
      for (int from = 0; from < num_ranks(); ++from) {
        cut_window const& window = *windows++;
        begins_[place(to, from)] = window.begin;
        fits = fits && window.length() == 0 && begin(to - 1, from) <= window.begin &&
               window.begin <= counts_[static_cast<std::size_t>(from)];
        sum += window.begin;
        if (from < to) target += counts_[static_cast<std::size_t>(from)];
      }
      fits = fits && sum == target;
    }
    if (!fits) keep_all();
  }

 private:
  int num_ranks() const { return static_cast<int>(num_ranks_); }
  std::size_t place(int to, int from) const {
    return static_cast<std::size_t>(to) * num_ranks_ + static_cast<std::size_t>(from);
  }
  void keep_all() {
    for (int to = 0; to <= num_ranks(); ++to) {
      for (int from = 0; from < num_ranks(); ++from) {
        begins_[place(to, from)] = from < to ? counts_[static_cast<std::size_t>(from)] : 0;
      }
    }
  }

  std::vector<std::int64_t> counts_;
  std::size_t num_ranks_;
  std::vector<std::int64_t> begins_;
};

}  // namespace mgpu::detail
