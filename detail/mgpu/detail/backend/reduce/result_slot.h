// Where a call that returns a value has its kernel put it: pinned host memory, which the kernel writes to itself and
// the host reads after waiting for the stream, with no copy in between; and a counter for the kernel's blocks, which
// is zero. Slots are kept for later calls, as many as there ever were calls at the same time on a device; a process
// gives them back when it ends. So only the first call allocates here.
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
  result_slot(device_call const& call, std::size_t bytes) : slot_(take(call, bytes)) {
    if (!slot_.counter_is_zero) {
      cudaError_t const status = cudaMemsetAsync(slot_.counter, 0, sizeof(unsigned), call.stream());
      if (status != cudaSuccess) put_back();
      check(status, call.name(), "cudaMemsetAsync");
    }
    slot_.counter_is_zero = false;
  }
  ~result_slot() { put_back(); }
  result_slot(result_slot const&) = delete;
  result_slot& operator=(result_slot const&) = delete;

  // Aligned to 256 bytes; the kernel may write there.
  void* memory() const { return slot_.memory; }
  // A kernel leaves it at zero.
  unsigned* counter() const { return slot_.counter; }
  // Told that the stream has come to its end without an error, so that the counter is zero again.
  void finished() { slot_.counter_is_zero = true; }

 private:
  static constexpr std::size_t smallest = 4096;

  struct slot {
    int device;
    std::size_t bytes;
    void* memory;
    unsigned* counter;
    bool counter_is_zero;
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
    int device = 0;
    check(cudaGetDevice(&device), call.name(), "cudaGetDevice");
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

  // cudaMalloc is forbidden while a stream of this thread is captured, even where it has nothing to do with it.
  static slot make(device_call const& call, int device, std::size_t bytes) {
    relaxed_capture_mode const scope(call.name());
    slot made{device, bytes, nullptr, nullptr, false};
    check(cudaHostAlloc(&made.memory, bytes, cudaHostAllocPortable | cudaHostAllocMapped), call.name(),
          "cudaHostAlloc");
    void* counter = nullptr;
    cudaError_t const status = cudaMalloc(&counter, sizeof(unsigned));
    if (status != cudaSuccess) {
      forget(status);
      static_cast<void>(cudaFreeHost(made.memory));
      check(status, call.name(), "cudaMalloc");
    }
    made.counter = static_cast<unsigned*>(counter);
    return made;
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
