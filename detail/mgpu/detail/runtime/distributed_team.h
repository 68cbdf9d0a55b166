// Scratch memory of the ranks of a communicator in which ranks of one host write to each other. It is public, by
// <mgpu/distributed.h>.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/check.h>
#include <mgpu/detail/runtime/distributed_call.h>
#include <mgpu/detail/runtime/distributed_check.h>
#include <mgpu/detail/runtime/distributed_memory.h>
#include <mgpu/detail/runtime/policy.h>
#include <mgpu/detail/runtime/result_slot.h>
#include <mgpu/detail/runtime/scratch.h>
#include <mgpu/detail/runtime/user_scratch.h>
#include <nccl.h>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace mgpu {
inline namespace MGPU_ABI_NAMESPACE {

// A communicator with scratch memory on each rank for calls over it: mgpu::par.on(stream).over(team). The calls take no
// other device memory then. In a sort, a rank writes the items that go to another one straight into that one's memory,
// by the copy engines of its GPU, where each of the two reaches the other's memory (over NVLink or PCIe, from one process
// or from two of one host); NCCL carries all else.
//
//   mgpu::par.query_scratch(bytes).over(comm) ...  // the most that this rank's calls take
//   mgpu::team team(comm, bytes);                  // on all ranks
//   mgpu::sort(mgpu::par.on(stream).over(team), first, last);
//
// One call at a time may use a team: calls on several streams are ordered by the user. The communicator stays the
// user's, and must live longer than the team.
class team {
 public:
  // Takes so many bytes of the current device's memory, which is that of the communicator. All ranks call it together,
  // each with its own number of bytes, while nothing is in flight over the communicator. It waits until all have
  // memory, and lets devices of this process access each other's memory (cudaDeviceEnablePeerAccess), which stays so.
  // It throws std::bad_alloc, on all ranks, if one of them has no memory, and thrust::system_error.
  team(ncclComm_t comm, std::size_t bytes);

  // Frees the memory. No rank may be in a call by the team, or have work of one in flight. It is not freed if other
  // processes have opened it, nor while an exception is on its way, after which other ranks may still write in it: then it
  // lasts as long as the process. So a program that makes many teams closes them.
  ~team() = default;
  team(team const&) = delete;
  team& operator=(team const&) = delete;

  // Frees the memory on all ranks, which call this together, while nothing is in flight over the communicator. Calls by
  // the team throw std::bad_alloc after it. It throws thrust::system_error.
  void close();

  ncclComm_t comm() const { return comm_; }
  void* memory() const { return memory_.begin(); }
  std::size_t bytes() const { return memory_.begin() == nullptr ? 0 : bytes_; }

  // Returns the address by which this device writes in the memory of another rank, or null if it cannot. Either both
  // ranks can write in each other's, or none of them.
  void* memory_of(int rank) const { return others_.memory_of(rank); }

  // Returns a number that is the same on all ranks, and another one for each team of a communicator.
  std::uint64_t number() const { return number_; }

  // Returns device memory of so many bytes as there are ranks, for the library's own use.
  unsigned char* memory_to_meet() const { return memory_.begin() + meeting_offset(); }

 private:
  // This is what ranks tell each other.
  struct announcement {
    detail::place_of_memory place;
    std::uint64_t number;
    bool has_failed;
  };

  // Calls use(ranks), whose stream is the default one.
  template <class Use>
  void with_ranks(char const* name, Use use) const;
  std::size_t meeting_offset() const { return detail::aligned_up(bytes_); }

  ncclComm_t comm_;
  std::size_t bytes_;
  std::uint64_t number_ = 0;
  detail::own_memory memory_;
  detail::memory_of_others others_;
};

template <class Use>
void team::with_ranks(char const* name, Use use) const {
  detail::scratch_of<detail::buffer_scratch> no_scratch(detail::buffer_scratch(nullptr, 0));
  detail::device_call call(name, detail::default_stream, false, no_scratch);
  use(detail::distributed_call(call, comm_));
}

// A rank that allocates, or gets access to another device, may wait for what runs on other devices of its process: so no
// kernel of NCCL's may wait for that rank meanwhile, and ranks meet on the host before each.
inline team::team(ncclComm_t comm, std::size_t bytes) : comm_(comm), bytes_(bytes) {
  char const* const name = "mgpu::team";
  with_ranks(name, [&](detail::distributed_call const& ranks) {
    auto const num_ranks = static_cast<std::size_t>(ranks.num_ranks());
    auto const rank = static_cast<std::size_t>(ranks.rank());
    detail::result_slot const slot(ranks.local(),
                                   (num_ranks + 1) * sizeof(announcement) + num_ranks * (num_ranks + 1));
    auto* const mine = static_cast<announcement*>(slot.memory());
    auto* const of_ranks = mine + 1;
    auto* const my_reach = reinterpret_cast<unsigned char*>(of_ranks + num_ranks);
    auto* const reaches = my_reach + num_ranks;

    bool const can_be = bytes <= std::numeric_limits<std::size_t>::max() / 2;
    cudaError_t const allocated = can_be ? memory_.allocate(meeting_offset() + num_ranks) : cudaErrorMemoryAllocation;
    detail::forget(allocated);
    std::fill(mine, of_ranks + num_ranks, announcement{{}, ++program::num_teams(), allocated != cudaSuccess});
    if (allocated == cudaSuccess) mine->place = memory_.place(ranks.local().device());
    ranks.meet_on_host();
    ranks.all_gather(mine, of_ranks, sizeof(announcement));
    ranks.wait([&] {
      detail::check(allocated, name, "cudaMalloc");
      for (std::size_t r = 0; r < num_ranks; ++r) {
        if (of_ranks[r].has_failed) detail::fail_for_other_rank(name);
      }
    });
    number_ = of_ranks[0].number;

    auto const is_elsewhere = [&](std::size_t r) {
      return !of_ranks[r].place.process.is_same(mine->place.process) &&
             of_ranks[r].place.host.is_same(mine->place.host);
    };
    for (std::size_t r = 0; r < num_ranks; ++r) {
      if (is_elsewhere(r)) memory_.set_open_elsewhere(true);  // as it may be, now that others know its place
    }
    for (std::size_t r = 0; r < num_ranks; ++r) {
      others_.open(name, mine->place, of_ranks[r].place);
      my_reach[r] = others_.memory_of(static_cast<int>(r)) != nullptr;
    }
    ranks.meet_on_host();
    ranks.all_gather(my_reach, reaches, num_ranks);
    ranks.wait();
    bool is_open_elsewhere = false;
    for (std::size_t r = 0; r < num_ranks; ++r) {
      bool const reaches_this = reaches[r * num_ranks + rank] != 0;
      if (!reaches_this) others_.close_one(static_cast<int>(r));
      is_open_elsewhere |= reaches_this && is_elsewhere(r);
    }
    memory_.set_open_elsewhere(is_open_elsewhere);
    memory_.set_written_by_others();
  });
}

inline void team::close() {
  char const* const name = "mgpu::team::close";
  with_ranks(name, [&](detail::distributed_call const& ranks) {
    others_.close();
    ranks.meet_on_host();
    cudaError_t const freed = memory_.free();
    ranks.meet_on_host();
    detail::check(freed, name, "cudaFree");
  });
}

}  // namespace MGPU_ABI_NAMESPACE
}  // namespace mgpu
