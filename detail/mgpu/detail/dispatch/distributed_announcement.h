// Ranks that are to sort together tell each other what they have, before anything is written.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/check.h>
#include <mgpu/detail/runtime/distributed_call.h>
#include <mgpu/detail/runtime/distributed_check.h>
#include <mgpu/detail/runtime/distributed_team.h>
#include <mgpu/detail/runtime/result_slot.h>
#include <mgpu/detail/runtime/scratch.h>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace mgpu::detail {

// A rank tells the others this. `survey` is what it has found out on the device about its keys, if it has looked.
struct sort_announcement {
  static constexpr std::size_t survey_bytes = 96;

  std::int64_t num_items;
  std::int64_t first_aligned_key;  // piece_grid::first of its columns
  std::int64_t first_aligned_value;
  std::int32_t key_bytes;
  std::int32_t value_bytes;
  std::int64_t has_failed = 0;
  std::int64_t joined_arch = 0;    // joined_radix_sort::announced_arch
  std::uint64_t team = 0;          // its number, or 0 if the call is made by none
  std::int64_t arriving_keys = 0;  // where keys and values arrive, in bytes from the begin of the team's memory
  std::int64_t arriving_values = 0;
  unsigned char survey[survey_bytes] = {};
};

// A rank that does not look at its keys.
struct no_survey {
  void begin() const {}
  void write(void*) const {}
};

// A sort that all ranks have announced, with the memory that this one needs. It throws, on all ranks, if one of them
// has no memory, or they cannot sort together.
class announced_sort {
 public:
  // Gets the scratch memory and so much pinned memory; then it calls mine() for what the rank tells the others. `survey`
  // looks at the keys on the device, by survey.begin(), and writes what it found in stream order, by survey.write(to).
  template <class Survey, class Mine>
  announced_sort(distributed_call const& ranks, scratch_layout const& layout, std::size_t host_bytes,
                 Survey const& survey, Mine mine)
      : ranks_(ranks) {
    std::size_t const least_bytes = static_cast<std::size_t>(1 + ranks.num_ranks()) * sizeof(sort_announcement);
    auto const prepare = [&] {
      slot_.emplace(ranks.local(), larger(least_bytes, host_bytes));
      refuse_capture();
      survey.begin();
    };
    auto const tell_failure = [&] {
      if (!slot_) slot_.emplace(ranks.local(), least_bytes);
      tell({0, 0, 0, 0, 0, 1}, [](void*) {});
    };
    if (ranks.allocate(layout, prepare, tell_failure)) tell(mine(), [&](void* to) { survey.write(to); });
  }

  bool is_size_query() const { return of_ranks_.empty(); }
  std::vector<sort_announcement> const& of_ranks() const { return of_ranks_; }
  void* host_memory() const { return slot_->memory(); }

  // Tells whether ranks write in each other's memory, where they can. It is the same on all.
  bool are_a_team() const { return are_a_team_; }
  // Tells whether this rank writes in another one's memory what goes there, and that one in this rank's. Else NCCL
  // carries it.
  bool writes_to(int rank) const { return are_a_team_ && ranks_.by_team()->memory_of(rank) != nullptr; }
  // Returns where a rank's keys, or values, arrive, by an address of this device.
  void* arriving_keys_of(int rank) const { return in_memory_of(rank, &sort_announcement::arriving_keys); }
  void* arriving_values_of(int rank) const { return in_memory_of(rank, &sort_announcement::arriving_values); }
  // Lets what comes later in this rank's stream wait for what is now in the streams of all, if some write to others.
  void meet() const {
    if (!are_a_team_) return;
    unsigned char* const memory = ranks_.by_team()->memory_to_meet();
    ranks_.all_gather(memory + ranks_.rank(), memory, 1);
  }

 private:
  void* in_memory_of(int rank, std::int64_t sort_announcement::*offset) const {
    auto* const memory = static_cast<unsigned char*>(ranks_.by_team()->memory_of(rank));
    return memory + of_ranks_[static_cast<std::size_t>(rank)].*offset;
  }
  void refuse_capture() const {
    device_call const& call = ranks_.local();
    if (!call.is_capturing()) return;
    detail::fail(cudaErrorStreamCaptureUnsupported, call.name(), "a sort over ranks waits, and cannot be captured");
  }
  template <class WriteSurvey>
  void tell(sort_announcement const& what, WriteSurvey write_survey) {
    refuse_capture();
    auto const num_ranks = static_cast<std::size_t>(ranks_.num_ranks());
    auto* const mine = static_cast<sort_announcement*>(slot_->memory());
    std::fill(mine, mine + 1 + num_ranks, what);  // so that none of the others' tells what they have not told
    write_survey(mine->survey);
    ranks_.all_gather(mine, mine + 1, sizeof(sort_announcement));
    ranks_.wait([&] {
      of_ranks_.assign(mine + 1, mine + 1 + num_ranks);
      if (what.has_failed != 0) return;
      check(what);
      are_a_team_ = what.team != 0 && std::all_of(of_ranks_.begin(), of_ranks_.end(),
                                                  [&](auto const& of_rank) { return of_rank.team == what.team; });
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
  bool are_a_team_ = false;
};

}  // namespace mgpu::detail
