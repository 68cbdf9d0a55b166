// Scratch memory for Thrust's device clock: an allocator that keeps what it got, so that only the first call pays.
#pragma once
#include <harness/cuda.h>
#include <cstddef>
#include <vector>

namespace perf {

// For calls on one stream, where memory may be used again as soon as the call that gave it back was queued.
class arena {
 public:
  using value_type = char;

  arena() = default;
  arena(arena const&) = delete;
  arena& operator=(arena const&) = delete;
  ~arena() {
    for (block const& each : blocks_) static_cast<void>(cudaFree(each.memory));
  }

  char* allocate(std::ptrdiff_t bytes) {
    auto const size = static_cast<std::size_t>(bytes);
    for (block& each : blocks_) {
      if (!each.used && each.size >= size) {
        each.used = true;
        return each.memory;
      }
    }
    void* memory = nullptr;
    check(cudaMalloc(&memory, size), "cudaMalloc");
    blocks_.push_back({static_cast<char*>(memory), size, true});
    return blocks_.back().memory;
  }
  void deallocate(char* memory, std::size_t) {
    for (block& each : blocks_) {
      if (each.memory == memory) each.used = false;
    }
  }

 private:
  struct block {
    char* memory;
    std::size_t size;
    bool used;
  };
  std::vector<block> blocks_;
};

}  // namespace perf
