// Where the memory that a call needs for itself comes from, and how it is cut into pieces.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/host/check.h>
#include <mgpu/detail/host/pool.h>
#include <mgpu/detail/host/thrust.h>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace mgpu::detail {

constexpr std::size_t scratch_alignment = 256;

// Cuts one allocation into pieces, aligned as cudaMalloc aligns. Made before the allocation, so it also sizes it.
class scratch_layout {
 public:
  // Adds room for num_items of T. Returns its offset in bytes.
  template <class T>
  std::size_t add(std::int64_t num_items) {
    static_assert(alignof(T) <= scratch_alignment, "mgpu: items of this alignment cannot be kept in scratch memory");
    std::size_t const offset = bytes_;
    std::size_t const size = static_cast<std::size_t>(num_items) * sizeof(T);
    bytes_ += (size + scratch_alignment - 1) / scratch_alignment * scratch_alignment;
    return offset;
  }

  // What to ask for: a source need not align at all.
  std::size_t bytes() const { return bytes_ == 0 ? 0 : bytes_ + scratch_alignment - 1; }

 private:
  std::size_t bytes_ = 0;
};

// A source of scratch memory. A call asks at most once, and not at all for 0 bytes.
class scratch_source {
 public:
  // Memory for work on `stream`; throws std::bad_alloc. Null from a size query: then nothing may be launched.
  virtual void* allocate(char const* call, std::size_t bytes, cudaStream_t stream) = 0;
  // Takes it back, once. A call that blocks has finished by then, if this does not free in stream order; one that does
  // not block may still run on `stream`.
  virtual cudaError_t deallocate(void* memory, std::size_t bytes, cudaStream_t stream) noexcept = 0;
  virtual bool frees_in_stream_order() const noexcept { return false; }
  // Told the size instead of being asked, if this is a size query.
  virtual std::size_t* size_query() const noexcept { return nullptr; }

 protected:
  ~scratch_source() = default;
};

// The library's stream-ordered pool of the current device.
class pool_scratch final : public scratch_source {
 public:
  void* allocate(char const* call, std::size_t bytes, cudaStream_t stream) override {
    given_ = scratch_pool::allocate(call, bytes, stream);
    return given_.memory;
  }
  cudaError_t deallocate(void*, std::size_t, cudaStream_t stream) noexcept override {
    return scratch_pool::deallocate(given_, stream);
  }
  bool frees_in_stream_order() const noexcept override { return given_.pooled; }

 private:
  scratch_pool::allocation given_{};
};

// Memory that the caller brought.
class buffer_scratch final : public scratch_source {
 public:
  constexpr buffer_scratch(void* memory, std::size_t bytes) : memory_(memory), bytes_(bytes) {}
  void* allocate(char const* call, std::size_t bytes, cudaStream_t) override {
    if (bytes > bytes_) fail_for_room(call, bytes, bytes_);
    return memory_;
  }
  cudaError_t deallocate(void*, std::size_t, cudaStream_t) noexcept override { return cudaSuccess; }

 private:
  void* memory_;
  std::size_t bytes_;
};

// Asks for the size and does nothing else.
class query_scratch final : public scratch_source {
 public:
  explicit constexpr query_scratch(std::size_t& bytes) : bytes_(&bytes) {}
  void* allocate(char const*, std::size_t, cudaStream_t) override { return nullptr; }
  cudaError_t deallocate(void*, std::size_t, cudaStream_t) noexcept override { return cudaSuccess; }
  std::size_t* size_query() const noexcept override { return bytes_; }

 private:
  std::size_t* bytes_;
};

// The caller's allocator, by value, or by reference for Allocator = A&.
template <class Allocator>
class allocator_scratch final : public scratch_source {
  using plain = std::remove_reference_t<Allocator>;
  using value = typename plain::value_type;
  using pointer = decltype(std::declval<plain&>().allocate(1));

 public:
  explicit allocator_scratch(Allocator allocator) : allocator_(static_cast<Allocator>(allocator)) {}

  void* allocate(char const*, std::size_t bytes, cudaStream_t) override {
    return detail::raw_pointer(allocator_.allocate(count(bytes)));
  }
  cudaError_t deallocate(void* memory, std::size_t bytes, cudaStream_t) noexcept override {
    allocator_.deallocate(pointer(static_cast<value*>(memory)), count(bytes));
    return cudaSuccess;
  }

 private:
  static std::size_t count(std::size_t bytes) { return (bytes + sizeof(value) - 1) / sizeof(value); }
  Allocator allocator_;
};

// The caller's thrust::mr memory resource.
template <class Resource>
class resource_scratch final : public scratch_source {
  using pointer = decltype(std::declval<Resource&>().allocate(1, 1));

 public:
  explicit constexpr resource_scratch(Resource* resource) : resource_(resource) {}

  void* allocate(char const*, std::size_t bytes, cudaStream_t) override {
    return detail::raw_pointer(resource_->allocate(bytes, scratch_alignment));
  }
  cudaError_t deallocate(void* memory, std::size_t bytes, cudaStream_t) noexcept override {
    resource_->deallocate(pointer(memory), bytes, scratch_alignment);
    return cudaSuccess;
  }

 private:
  Resource* resource_;
};

// Whether the source was attached by the user, so that Thrust's own algorithms take their memory from it too.
template <class Source>
constexpr bool is_user_allocator = false;
template <class Allocator>
inline constexpr bool is_user_allocator<allocator_scratch<Allocator>> = true;
template <class Resource>
inline constexpr bool is_user_allocator<resource_scratch<Resource>> = true;

}  // namespace mgpu::detail
