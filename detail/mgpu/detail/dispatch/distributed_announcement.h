// Ranks that are to sort together tell each other what they have, before anything is written.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/check.h>
#include <mgpu/detail/runtime/distributed_call.h>
#include <mgpu/detail/runtime/distributed_check.h>
#include <mgpu/detail/runtime/result_slot.h>
#include <mgpu/detail/runtime/scratch.h>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace mgpu::detail {

struct sort_announcement {
  std::int64_t num_items;
  std::int64_t first_aligned_key;  // piece_grid::first of its columns
  std::int64_t first_aligned_value;
  std::int32_t key_bytes;
  std::int32_t value_bytes;
  std::int64_t has_failed = 0;
};

// A sort that all ranks have announced, with the memory that this one needs. It throws, on all ranks, if one of them
// has no memory, or they cannot sort together.
class announced_sort {
 public:
  // Gets the scratch memory and so much pinned memory; then it calls mine() for what the rank tells the others.
  template <class Mine>
  announced_sort(distributed_call const& ranks, scratch_layout const& layout, std::size_t host_bytes, Mine mine)
      : ranks_(ranks) {
    std::size_t const least_bytes = static_cast<std::size_t>(1 + ranks.num_ranks()) * sizeof(sort_announcement);
    auto const take_slot = [&] { slot_.emplace(ranks.local(), larger(least_bytes, host_bytes)); };
    auto const tell_failure = [&] {
      if (!slot_) slot_.emplace(ranks.local(), least_bytes);
      tell({0, 0, 0, 0, 0, 1});
    };
    if (ranks.allocate(layout, take_slot, tell_failure)) tell(mine());
  }

  bool is_size_query() const { return of_ranks_.empty(); }
  std::vector<sort_announcement> const& of_ranks() const { return of_ranks_; }
  void* host_memory() const { return slot_->memory(); }

 private:
  void tell(sort_announcement const& what) {
    device_call& call = ranks_.local();
    if (call.is_capturing()) {
      detail::fail(cudaErrorStreamCaptureUnsupported, call.name(), "a sort over ranks waits, and cannot be captured");
    }
    auto const num_ranks = static_cast<std::size_t>(ranks_.num_ranks());
    auto* const mine = static_cast<sort_announcement*>(slot_->memory());
    std::fill(mine, mine + 1 + num_ranks, what);  // so that none of the others' tells what they have not told
    ranks_.all_gather(mine, mine + 1, sizeof(sort_announcement));
    ranks_.wait([&] {
      of_ranks_.assign(mine + 1, mine + 1 + num_ranks);
      if (what.has_failed == 0) check(what);
    });
  }
  void check(sort_announcement const& mine) const {
    char const* const name = ranks_.local().name();
    for (sort_announcement const& of_rank : of_ranks_) {
      if (of_rank.has_failed != 0) fail_for_other_rank(name);
    }
    for (sort_announcement const& of_rank : of_ranks_) {
      if (of_rank.key_bytes != mine.key_bytes || of_rank.value_bytes != mine.value_bytes) {
        detail::fail(cudaErrorInvalidValue, name, "the ranks sort items of different sizes");
      }
    }
  }

  distributed_call const& ranks_;
  std::optional<result_slot> slot_;
  std::vector<sort_announcement> of_ranks_;
};

}  // namespace mgpu::detail
