// Scratch memory that the caller of an algorithm brings, by a policy.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/runtime/check.h>
#include <mgpu/detail/runtime/scratch.h>
#include <mgpu/detail/runtime/thrust.h>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace mgpu::detail {

// Takes memory that the caller brought.
class buffer_scratch : public usual_scratch {
 public:
  constexpr buffer_scratch(void* memory, std::size_t bytes) : memory_(memory), bytes_(bytes) {}
  void* allocate(char const* call, std::size_t bytes, cudaStream_t) {
    if (bytes > bytes_) fail_for_room(call, bytes, bytes_);
    return memory_;
  }
  cudaError_t deallocate(void*, std::size_t, cudaStream_t) noexcept { return cudaSuccess; }

 private:
  void* memory_;
  std::size_t bytes_;
};

// Asks for the size and does nothing else.
class query_scratch : public usual_scratch {
 public:
  explicit constexpr query_scratch(std::size_t& bytes) : bytes_(&bytes) {}
  void* allocate(char const*, std::size_t, cudaStream_t) { return nullptr; }
  cudaError_t deallocate(void*, std::size_t, cudaStream_t) noexcept { return cudaSuccess; }
  std::size_t* size_query() const noexcept { return bytes_; }

 private:
  std::size_t* bytes_;
};

// Takes memory from the caller's allocator, which it holds by value, or by reference for Allocator = A&.
template <class Allocator>
class allocator_scratch : public usual_scratch {
  using plain = std::remove_reference_t<Allocator>;
  using value = typename plain::value_type;
  using pointer = decltype(std::declval<plain&>().allocate(1));

 public:
  explicit allocator_scratch(Allocator allocator) : allocator_(static_cast<Allocator>(allocator)) {}

  void* allocate(char const*, std::size_t bytes, cudaStream_t) {
    return detail::raw_pointer(allocator_.allocate(count(bytes)));
  }
  cudaError_t deallocate(void* memory, std::size_t bytes, cudaStream_t) noexcept {
    allocator_.deallocate(pointer(static_cast<value*>(memory)), count(bytes));
    return cudaSuccess;
  }

 private:
  static std::size_t count(std::size_t bytes) { return (bytes + sizeof(value) - 1) / sizeof(value); }
  Allocator allocator_;
};

// Takes memory from the caller's thrust::mr memory resource.
template <class Resource>
class resource_scratch : public usual_scratch {
  using pointer = decltype(std::declval<Resource&>().allocate(1, 1));

 public:
  explicit constexpr resource_scratch(Resource* resource) : resource_(resource) {}

  void* allocate(char const*, std::size_t bytes, cudaStream_t) {
    return detail::raw_pointer(resource_->allocate(bytes, scratch_alignment));
  }
  cudaError_t deallocate(void* memory, std::size_t bytes, cudaStream_t) noexcept {
    resource_->deallocate(pointer(memory), bytes, scratch_alignment);
    return cudaSuccess;
  }

 private:
  Resource* resource_;
};

// Tells whether the user attached the source, so that Thrust's own algorithms take their memory from it too.
template <class Source>
constexpr bool is_user_allocator = false;
template <class Allocator>
inline constexpr bool is_user_allocator<allocator_scratch<Allocator>> = true;
template <class Resource>
inline constexpr bool is_user_allocator<resource_scratch<Resource>> = true;

}  // namespace mgpu::detail
