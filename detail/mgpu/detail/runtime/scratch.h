// Scratch memory is the global memory that a call needs for itself. Here stands where it comes from, and how it is
// cut into pieces.
#pragma once
#include <mgpu/detail/core/config.h>
#include <cstddef>
#include <cstdint>

namespace mgpu::detail {

// Memory of cudaMalloc is aligned at least so.
constexpr std::size_t scratch_alignment = 256;

// Rounds bytes, or an address, up to that.
constexpr std::size_t aligned_up(std::size_t bytes) {
  return (bytes + scratch_alignment - 1) / scratch_alignment * scratch_alignment;
}

// Cuts one allocation into pieces, aligned as cudaMalloc aligns. It is made before the allocation, so it also sizes
// it.
class scratch_layout {
 public:
  // Adds room for num_items of T. Returns its offset in bytes.
  template <class T>
  std::size_t add(std::int64_t num_items) {
    static_assert(alignof(T) <= scratch_alignment, "mgpu: items of this alignment cannot be kept in scratch memory");
    std::size_t const offset = bytes_;
    bytes_ += aligned_up(static_cast<std::size_t>(num_items) * sizeof(T));
    return offset;
  }

  // Returns how many bytes to ask for; it leaves room to align, as a source need not align at all.
  std::size_t bytes() const { return bytes_ == 0 ? 0 : bytes_ + scratch_alignment - 1; }

 private:
  std::size_t bytes_ = 0;
};

// A source of scratch memory. A call asks at most once, and not at all for 0 bytes.
class scratch_source {
 public:
  // Returns memory for work on `stream`, or throws std::bad_alloc. A size query returns null: then nothing may be
  // launched.
  virtual void* allocate(char const* call, std::size_t bytes, cudaStream_t stream) = 0;
  // Takes the memory back, once. A call that blocks has finished by then, if this does not free in stream order; one
  // that does not block may still run on `stream`.
  virtual cudaError_t deallocate(void* memory, std::size_t bytes, cudaStream_t stream) noexcept = 0;
  virtual bool frees_in_stream_order() const noexcept = 0;
  // Returns where the size is to be written, if this is a size query: a call then does so instead of asking for
  // memory.
  virtual std::size_t* size_query() const noexcept = 0;

 protected:
  ~scratch_source() = default;
};

// The source of one call, made from what its policy holds. That is a value without virtual functions, as those would
// bring the CUDA runtime into each program that names mgpu::par.
template <class Held>
class scratch_of final : public scratch_source {
 public:
  explicit scratch_of(Held const& held) : held_(held) {}
  void* allocate(char const* call, std::size_t bytes, cudaStream_t stream) override {
    return held_.allocate(call, bytes, stream);
  }
  cudaError_t deallocate(void* memory, std::size_t bytes, cudaStream_t stream) noexcept override {
    return held_.deallocate(memory, bytes, stream);
  }
  bool frees_in_stream_order() const noexcept override { return held_.frees_in_stream_order(); }
  std::size_t* size_query() const noexcept override { return held_.size_query(); }

 private:
  Held held_;
};

// The members that most of the following sources have in common.
struct usual_scratch {
  bool frees_in_stream_order() const noexcept { return false; }
  std::size_t* size_query() const noexcept { return nullptr; }
};

}  // namespace mgpu::detail
