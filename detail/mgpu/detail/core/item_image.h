// Scans and reductions pass values from thread to thread as bytes. A value that copies itself travels as an image.
#pragma once
#include <mgpu/detail/core/config.h>
#include <cstdint>
#include <new>
#include <type_traits>

namespace mgpu::detail {

// The bytes of an item. They are words where that can be, which stay in registers.
template <class T>
class __attribute__((__may_alias__)) item_image {
  static constexpr bool has_words = sizeof(T) % 4 == 0 && alignof(T) % 4 == 0;
  using word = std::conditional_t<has_words, std::uint32_t, unsigned char>;

 public:
  // These make the image of a copy, on the host and on the device. (One function for both would take a constructor of
  // the host alone: nvcc would warn of that, and leave the copy out.)
  explicit item_image(T const& item) { ::new (static_cast<void*>(words_)) T(item); }
  static __device__ item_image of(T const& item) {
    item_image image;
    ::new (static_cast<void*>(image.words_)) T(item);
    return image;
  }
  // Returns the image of the item at an address. That copies no item: there need not be one.
  static __device__ item_image at(T const* address) { return *reinterpret_cast<item_image const*>(address); }

  __host__ __device__ T const& item() const {
    void const* const place = words_;
    return *static_cast<T const*>(place);
  }

 private:
  __device__ item_image() {}

  alignas(T) word words_[sizeof(T) / sizeof(word)];
};

}  // namespace mgpu::detail
