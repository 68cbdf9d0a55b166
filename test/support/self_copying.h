// An item that copies itself, by a copy constructor and an assignment as a user writes them.
#pragma once
#include <mgpu/detail/core/config.h>
#include <support/items.h>
#include <cstddef>
#include <cstdint>

namespace test {

// All bytes of the item follow from its key and its number, so it can tell whether it is one. It never is again once it
// was made of memory that held none, or was assigned to such memory: the bytes of a result then show it.
template <std::size_t Bytes, std::size_t Align>
class self_copying {
 public:
  __host__ __device__ self_copying() { fill(0, 0); }
  __host__ __device__ self_copying(self_copying const& other) { copy(other, true); }
  __host__ __device__ self_copying& operator=(self_copying const& other) {
    copy(other, is_whole());
    return *this;
  }
  // These are the host's alone. (A user who declares them forgets kernels, which must do without.)
  self_copying(self_copying&& other) noexcept { copy(other, true); }
  self_copying& operator=(self_copying&& other) noexcept {
    copy(other, is_whole());
    return *this;
  }
  static self_copying make(std::uint32_t key, std::uint32_t id) { return self_copying(key, id); }

  __host__ __device__ std::uint32_t key() const { return word(0); }
  __host__ __device__ std::uint32_t id() const { return word(4); }
  // The functions with loops over bytes are not inlined, as nvcc would take minutes for the kernels.
  __host__ __device__ MGPU_NOINLINE bool is_whole() const {
    bool whole = true;
    for (std::size_t i = 8; i < Bytes; ++i) whole = whole && bytes_[i] == byte_of(key(), id(), i);
    return whole;
  }

  __host__ __device__ friend bool operator<(self_copying const& a, self_copying const& b) {
    return a.key() < b.key();
  }
  __host__ __device__ friend self_copying operator-(self_copying const& a) {
    return self_copying(0u - a.key(), 0u - a.id());
  }
  // The maps x -> key * x + id, one after the other. Both are odd, or nothing would be left of many of them.
  __host__ __device__ friend self_copying operator+(self_copying const& a, self_copying const& b) {
    return self_copying((a.key() | 1) * (b.key() | 1), a.id() * (b.key() | 1) + b.id());
  }

 private:
  __host__ __device__ self_copying(std::uint32_t key, std::uint32_t id) { fill(key, id); }
  __host__ __device__ MGPU_NOINLINE void copy(self_copying const& other, bool has_place) {
    bool const whole = has_place && other.is_whole();
    fill(other.key(), other.id());
    if (!whole) bytes_[Bytes - 1] ^= 1;
  }
  __host__ __device__ MGPU_NOINLINE void fill(std::uint32_t key, std::uint32_t id) {
    for (std::size_t i = 0; i < 4; ++i) {
      bytes_[i] = static_cast<unsigned char>(key >> 8 * i);
      bytes_[4 + i] = static_cast<unsigned char>(id >> 8 * i);
    }
    for (std::size_t i = 8; i < Bytes; ++i) bytes_[i] = byte_of(key, id, i);
  }
  static __host__ __device__ unsigned char byte_of(std::uint32_t key, std::uint32_t id, std::size_t i) {
    return static_cast<unsigned char>(key * 31 + id * 7 + i * 13 + 5);
  }
  __host__ __device__ std::uint32_t word(int at) const {
    return bytes_[at] | std::uint32_t{bytes_[at + 1]} << 8 | std::uint32_t{bytes_[at + 2]} << 16 |
           std::uint32_t{bytes_[at + 3]} << 24;
  }

  alignas(Align) unsigned char bytes_[Bytes];
  static_assert(Bytes > 8 && Bytes % Align == 0, "two words, something that follows from them, and no padding");
};

}  // namespace test
