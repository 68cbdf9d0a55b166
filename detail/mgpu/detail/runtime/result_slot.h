// The memory to which the kernel of a call that returns a value writes it: pinned host memory, which the host reads
// after waiting for the stream, with no copy in between. Slots are kept for later calls, as many as there ever were
// calls at the same time on a device, and are given back when the process ends. So a call allocates only if no slot
// is free, as the first one does.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/check.h>
#include <cstddef>
#include <exception>
#include <list>
#include <mutex>

namespace mgpu::detail {

class result_slot {
 public:
  // Takes the first free slot of at least `bytes` for the work of this call, or makes one.
  result_slot(device_call const& call, std::size_t bytes) : stream_(call.stream()) {
    int const device = call.device();
    {
      std::lock_guard<std::mutex> const lock(all().access);
      auto& slots = all().slots;
      for (auto free = slots.begin(); free != slots.end(); ++free) {
        if (free->device != device || free->bytes < bytes) continue;
        mine_.splice(mine_.begin(), slots, free);
        return;
      }
    }
    mine_.push_back({device, larger<std::size_t>(bytes, 4096), nullptr});
    relaxed_capture_mode const scope(call.name());
    detail::check(
        cudaHostAlloc(&mine_.front().memory, mine_.front().bytes, cudaHostAllocPortable | cudaHostAllocMapped),
        call.name(), "cudaHostAlloc");
  }
  // Moves the list's node back as it is, so that this can neither fail nor free anything. After an exception, work in
  // flight may still write to the memory: then it is never used again.
  ~result_slot() {
    if (std::uncaught_exceptions() > exceptions_) {
      cudaError_t const status = cudaStreamQuery(stream_);
      detail::forget(status);
      if (status == cudaErrorNotReady) return;
    }
    std::lock_guard<std::mutex> const lock(all().access);
    all().slots.splice(all().slots.begin(), mine_);
  }
  result_slot(result_slot const&) = delete;
  result_slot& operator=(result_slot const&) = delete;

  // Returns the slot's memory, which is aligned to 256 bytes, and to which a kernel may write.
  void* memory() const { return mine_.front().memory; }

 private:
  struct slot {
    int device;
    std::size_t bytes;
    void* memory;
  };
  struct shelf {
    std::mutex access;
    std::list<slot> slots;
  };
  static shelf& all() {
    static auto* const kept = new shelf;  // never destroyed: destructors of static objects may still reduce
    return *kept;
  }

  cudaStream_t stream_;
  int exceptions_ = std::uncaught_exceptions();  // that are under way while this is made
  std::list<slot> mine_;                         // one slot
};

}  // namespace mgpu::detail
