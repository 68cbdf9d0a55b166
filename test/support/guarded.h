// A comparator notices when it is called on anything but an item of the input, and there are keys to go with it.
#pragma once
#include <support/items.h>
#include <support/device.h>
#include <mgpu/holds_pointer.h>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <type_traits>
#include <vector>

namespace test {

// Keys of inputs are below this in every type. Strangers, which are keys that no input holds, and what the emulator
// fills fresh memory with, are not.
constexpr std::uint32_t key_bound = 150;
constexpr unsigned char stranger_byte = 0xEE;

template <class Key>
__host__ __device__ std::uint64_t number_of(Key const& key) {
  if constexpr (std::is_arithmetic_v<Key>) {
    return static_cast<std::uint64_t>(key);
  } else {
    return key.key();
  }
}

// Returns the key of that number; `id` tells equal ones apart where the type has room for it.
template <class Key>
Key make_key(std::uint32_t number, [[maybe_unused]] std::uint32_t id) {
  if constexpr (std::is_arithmetic_v<Key>) {
    return static_cast<Key>(number);
  } else {
    return Key::make(number, id);
  }
}

// Returns a key that no input holds.
template <class Key>
Key stranger() {
  Key made;
  std::memset(static_cast<void*>(&made), stranger_byte, sizeof(Key));
  return made;
}

struct ascending {
  __host__ __device__ bool operator()(std::uint64_t a, std::uint64_t b) const { return a < b; }
};
struct descending {
  __host__ __device__ bool operator()(std::uint64_t a, std::uint64_t b) const { return b < a; }
};

// Orders keys by their number as Order does, and raises the flag when it sees a stranger, whose number is `bound` or
// more.
template <class Order>
struct guarded {
  unsigned* saw_stranger;
  std::uint64_t bound = key_bound;
  template <class Key>
  __host__ __device__ bool operator()(Key const& a, Key const& b) const {
    std::uint64_t const a_number = number_of(a);
    std::uint64_t const b_number = number_of(b);
    if (a_number >= bound || b_number >= bound) *saw_stranger = 1;
    return Order{}(a_number, b_number);
  }
};

}  // namespace test

// Comparing follows the pointer to the flag alone, and that hardly ever, so a sort need not mind it.
template <class Order>
struct mgpu::holds_pointer<test::guarded<Order>> : std::false_type {};

namespace test {

class stranger_flag {
 public:
  template <class Order>
  guarded<Order> comparator(Order, std::uint64_t bound = key_bound) {
    return {flag_.begin(), bound};
  }
  bool raised() const { return flag_.get()[0] != 0; }

 private:
  buffer<unsigned> flag_{std::vector<unsigned>{0}};
};

// Returns keys with that many different numbers.
template <class Key>
std::vector<Key> random_keys(std::size_t count, std::uint32_t num_distinct, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<Key> made(count);
  for (std::size_t i = 0; i < count; ++i) {
    made[i] = make_key<Key>(static_cast<std::uint32_t>(random() % num_distinct), static_cast<std::uint32_t>(i));
  }
  return made;
}

// Returns every sequence of `count` numbers below `num_distinct` that Order calls sorted.
template <class Order>
std::vector<std::vector<int>> all_sorted(std::size_t count, int num_distinct, Order order) {
  std::vector<std::vector<int>> made{{}};
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<std::vector<int>> longer;
    for (auto const& sequence : made) {
      for (int next = 0; next < num_distinct; ++next) {
        if (!sequence.empty() && order(next, sequence.back())) continue;
        longer.push_back(sequence);
        longer.back().push_back(next);
      }
    }
    made = longer;
  }
  return made;
}

// Calls visit(a, b) for all pairs of sorted runs of these lengths over three keys.
template <class Order, class Visit>
void for_each_pair_of_runs(std::size_t shortest, std::size_t longest, Order order, Visit visit) {
  std::vector<std::vector<int>> runs;
  for (std::size_t count = shortest; count <= longest; ++count) {
    for (auto const& run : all_sorted(count, 3, order)) runs.push_back(run);
  }
  for (auto const& a : runs) {
    for (auto const& b : runs) visit(a, b);
  }
}

// Merges two sorted runs stably, step by step, and returns for each item whether it comes from a.
template <class Key, class Order>
std::vector<bool> merge_steps(std::vector<Key> const& a, std::vector<Key> const& b, Order order) {
  std::vector<bool> from_a;
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    bool const take_a = j == b.size() || (i < a.size() && !order(number_of(b[j]), number_of(a[i])));
    from_a.push_back(take_a);
    ++(take_a ? i : j);
  }
  return from_a;
}

}  // namespace test
