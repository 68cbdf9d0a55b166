// This is the dynamic shared memory of one block.
#pragma once
#include <cstddef>

namespace mgpu::emulator::impl {

// Under ASan it is a heap block of exactly that size, so that each overrun is reported where it happens. Otherwise it
// lies between two guards, which show afterwards that one happened.
class shared_memory {
 public:
  shared_memory() = default;
  ~shared_memory() { release(); }
  shared_memory(shared_memory const&) = delete;
  shared_memory& operator=(shared_memory const&) = delete;

  void allocate(std::size_t bytes, unsigned char fill);
  void release();
  char* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  bool guards_intact() const;

  // The last thread of a block that others can reach into calls this: nobody may use the memory from now on, nor use
  // it unordered with this. Under ASan it is freed, otherwise kept to see whether somebody writes to it.
  void close();
  bool untouched_since_closed() const;

 private:
  unsigned char* allocation_ = nullptr;
  char* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace mgpu::emulator::impl
