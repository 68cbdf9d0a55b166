// Tests of reductions share types on which the order of operands shows, and tunings with which few items already make
// many blocks.
#pragma once
#include <mgpu/reduce.h>
#include <support/device.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

namespace test {

// The parameters are the tile of each of many blocks, how many of these a multiprocessor holds, the blocks of a
// cluster, and the tile of a block alone.
template <int Threads, int Rows, int Blocks = 4, int Cluster = 1, int LoneThreads = Threads, int LoneRows = Rows>
struct reduce_tuning {
#if MGPU_HAS_DEVICE
  __host__ __device__ static constexpr mgpu::detail::reduce_tuning at(int arch) {
    return {{Threads, Rows}, Blocks, 2, 3, {LoneThreads, LoneRows}, arch < 90 ? 1 : Cluster};
  }
#endif
  // These return the most items that a block takes alone, and a cluster, where so many items are read at a time.
  static constexpr std::size_t lone_items(std::size_t items_per_unit) {
    return LoneThreads * LoneRows * items_per_unit;
  }
  static constexpr std::size_t few_items(std::size_t items_per_unit) {
    return lone_items(items_per_unit) * (Cluster > 1 ? 2 * Cluster : 1);
  }
};
using small_reduce = reduce_tuning<64, 2>;
using tiny_reduce = reduce_tuning<32, 1>;
using clustered_reduce = reduce_tuning<64, 2, 4, 5>;

// An interval has the numbers from `first` to `last`. It has no default constructor, and the bytes beyond the two
// words follow from them, so that a torn value shows. Joining what does not adjoin gives a value that stays wrong.
template <std::size_t Bytes, std::size_t Align = 4>
class alignas(Align) interval {
  static_assert(Bytes >= 8 && Bytes % Align == 0);

 public:
  __host__ __device__ interval(std::uint32_t first, std::uint32_t last) {
    memcpy(bytes_, &first, 4);
    memcpy(bytes_ + 4, &last, 4);
    fill(first, last);
  }
  __host__ __device__ explicit interval(std::uint32_t number) : interval(number, number) {}

  __host__ __device__ std::uint32_t first() const { return word(0); }
  __host__ __device__ std::uint32_t last() const { return word(4); }
  // This and fill() are not inlined: where nvcc 13.0 inlines loops over bytes and does not unroll them, which would
  // take it minutes, it forgets the first bytes of what an operator made.
  __host__ __device__ MGPU_NOINLINE bool right() const {
    std::uint32_t const begin = first(), end = last();
    bool same = begin <= end;
    for (std::uint32_t i = 8; i < Bytes; ++i) same = same && bytes_[i] == filler(begin, end, i);
    return same;
  }
  // It is not inlined, so that nvcc does not take minutes for a kernel that calls it in many places.
  __host__ __device__ MGPU_NOINLINE friend interval interval_of_both(interval const& a, interval const& b) {
    if (a.right() && b.right() && a.last() + 1 == b.first()) return {a.first(), b.last()};
    return {1, 0};
  }

 private:
  __host__ __device__ std::uint32_t word(int at) const {
    std::uint32_t read = 0;
    memcpy(&read, bytes_ + at, 4);
    return read;
  }
  __host__ __device__ MGPU_NOINLINE void fill(std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t i = 8; i < Bytes; ++i) bytes_[i] = filler(first, last, i);
  }
  __host__ __device__ static unsigned char filler(std::uint32_t first, std::uint32_t last, std::uint32_t at) {
    return static_cast<unsigned char>(first * 31 + last * 7 + at * 13);
  }
  unsigned char bytes_[Bytes];
};

struct join_intervals {
  template <class T>
  __host__ __device__ T operator()(T const& a, T const& b) const {
    return interval_of_both(a, b);
  }
};

template <class T>
std::vector<T> numbers_from(std::uint32_t first, std::size_t count) {
  std::vector<T> made;
  made.reserve(count);
  for (std::size_t i = 0; i < count; ++i) made.emplace_back(static_cast<std::uint32_t>(first + i));
  return made;
}

// An affine64 is the function x -> multiplier * x + addend, modulo 2^64. Composing such functions is associative and
// does not commute, so what a sequence comes to tells which items it had in which order.
struct affine64 {
  std::uint64_t multiplier;
  std::uint64_t addend;
  friend bool operator==(affine64 a, affine64 b) { return a.multiplier == b.multiplier && a.addend == b.addend; }
};
struct compose64 {
  __host__ __device__ affine64 operator()(affine64 first, affine64 second) const {
    return {first.multiplier * second.multiplier, first.addend * second.multiplier + second.addend};
  }
};
struct to_affine {
  template <class T>
  __host__ __device__ affine64 operator()(T item) const {
    return {0x9E3779B97F4A7C15u, static_cast<std::uint64_t>(item) + 12345u};
  }
};

// Returns what the items come to after an init of {1, 99}.
template <class T>
affine64 expected_affine(std::vector<T> const& items) {
  affine64 sum{1, 99};
  for (T const& item : items) sum = compose64{}(sum, to_affine{}(item));
  return sum;
}

// Returns random numbers. Signed ones are small, so that sums of some thousands do not overflow.
template <class T>
std::vector<T> drawn(std::size_t count, std::uint32_t seed = 1) {
  std::vector<T> made(count);
  std::uint64_t state = seed * 0x9E3779B97F4A7C15u + 1;
  for (T& item : made) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    if constexpr (std::is_floating_point_v<T>) {
      item = static_cast<T>(static_cast<std::int64_t>(state) >> 11) * static_cast<T>(1e-12);
    } else if constexpr (std::is_signed_v<T>) {
      item = static_cast<T>(static_cast<std::int64_t>(state) >> 47);
    } else {
      item = static_cast<T>(state >> 33);
    }
  }
  return made;
}

// Reduces from left to right.
template <class T, class Items, class Op>
T expected_reduction(Items const& items, T init, Op op) {
  for (auto const& item : items) init = op(init, static_cast<T>(item));
  return init;
}

// Has a place for a result, whose type need not have a default constructor.
template <class T>
class result_place {
 public:
  result_place() : memory_(sizeof(T)) { memory_.set(std::vector<unsigned char>(sizeof(T), 0xEE)); }
  T* get() { return reinterpret_cast<T*>(memory_.begin()); }
  // Waits for the default stream, and returns the result.
  T read() const {
    auto const bytes = memory_.get();
    return *reinterpret_cast<T const*>(bytes.data());
  }
  bool untouched() const { return memory_.get() == std::vector<unsigned char>(sizeof(T), 0xEE); }

 private:
  buffer<unsigned char> memory_;
};

template <class T>
bool same_value(T const& a, T const& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

// Checks both functions on the numbers 1 to count after an init of 0.
template <class T, class Policy>
void check_intervals(Policy const& policy, std::size_t count, std::size_t shift = 0) {
  BOOST_TEST_CONTEXT(count << " items of " << sizeof(T) << " B, aligned to " << alignof(T) << ", shifted by "
                           << shift) {
    buffer<T> items(numbers_from<T>(1, count), shift);
    T const* const first = items.begin();
    T const expected(0, static_cast<std::uint32_t>(count));
    T const value = mgpu::reduce(policy, first, first + count, T(0), join_intervals{});
    BOOST_TEST(same_value(value, expected), "came to " << value.first() << " - " << value.last());
    result_place<T> place;
    mgpu::reduce_into(policy, first, first + count, place.get(), T(0), join_intervals{});
    T const written = place.read();
    BOOST_TEST(same_value(written, expected), "wrote " << written.first() << " - " << written.last());
  }
}

}  // namespace test
