// Where a call that returns a value has its kernel put it: pinned host memory, which the kernel writes to itself and
// the host reads after waiting for the stream, with no copy in between. Slots are kept for later calls, as many as
// there ever were calls at the same time on a device; a process gives them back when it ends. So only the first call
// allocates here.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/host/call.h>
#include <mgpu/detail/host/check.h>
#include <cstddef>
#include <mutex>
#include <vector>

namespace mgpu::detail {

class result_slot {
 public:
  // A slot of at least `bytes` for the work of this call.
  result_slot(device_call const& call, std::size_t bytes) : slot_(take(call, bytes)) {}
  ~result_slot() { put_back(); }
  result_slot(result_slot const&) = delete;
  result_slot& operator=(result_slot const&) = delete;

  // Aligned to 256 bytes; the kernel may write there.
  void* memory() const { return slot_.memory; }

 private:
  static constexpr std::size_t smallest = 4096;

  struct slot {
    int device;
    std::size_t bytes;
    void* memory;
  };
  struct shelf {
    std::mutex access;
    std::vector<slot> slots;
  };
  static shelf& all() {
    static auto* const kept = new shelf;  // never destroyed: others' static objects may still reduce at the end
    return *kept;
  }

  static slot take(device_call const& call, std::size_t bytes) {
    int const device = call.device();
    {
      std::lock_guard<std::mutex> const lock(all().access);
      auto& slots = all().slots;
      for (auto free = slots.begin(); free != slots.end(); ++free) {
        if (free->device == device && free->bytes >= bytes) {
          slot const found = *free;
          *free = slots.back();
          slots.pop_back();
          return found;
        }
      }
    }
    return make(call, device, bytes < smallest ? smallest : bytes);
  }

  // To allocate is forbidden while a stream of this thread is captured, even where it has nothing to do with it.
  static slot make(device_call const& call, int device, std::size_t bytes) {
    relaxed_capture_mode const scope(call.name());
    void* memory = nullptr;
    detail::check(cudaHostAlloc(&memory, bytes, cudaHostAllocPortable | cudaHostAllocMapped), call.name(),
                  "cudaHostAlloc");
    return {device, bytes, memory};
  }

  // What no longer fits on the shelf is lost; that takes an allocation failure of a few bytes.
  void put_back() noexcept {
    try {
      std::lock_guard<std::mutex> const lock(all().access);
      all().slots.push_back(slot_);
    } catch (...) {
      static_cast<void>(cudaFreeHost(slot_.memory));
    }
  }

  slot slot_;
};

}  // namespace mgpu::detail
