// What the passes of a radix sort do, decided on the device once the digits are counted: a digit that all keys share
// costs no pass, keys that come in order already cost none or are copied, and the passes that remain go to and fro so
// that the last one writes the user's output.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// Where a column of items lies between two passes. `home` is the output itself where that is plain memory.
enum class place : int { input, home, away, output };

// A column of items, the user's ranges and the sort's own buffers.
template <class In, class Out>
struct sort_column {
  using T = iterator_value_t<In>;
  In input;
  Out output;
  T* home;
  T* away;

  // Calls f with the iterator that stands for a place.
  template <class F>
  __device__ __forceinline__ void with_source(place from, F f) const {
    if constexpr (has_values<T>) {
      T const* const buffer = from == place::home ? home : away;
      if constexpr (std::is_pointer_v<In>) {
        T const* const source = from == place::input ? input : buffer;
        f(source);
      } else if (from == place::input) {
        f(input);
      } else {
        f(buffer);
      }
    }
  }
  template <class F>
  __device__ __forceinline__ void with_target(place to, F f) const {
    if constexpr (has_values<T>) {
      T* const buffer = to == place::home ? home : away;
      if constexpr (std::is_same_v<Out, T*>) {
        f(to == place::output ? output : buffer);
      } else if (to == place::output) {
        f(output);
      } else {
        f(buffer);
      }
    }
  }
};

// Digits from the lowest up; an even number of them, so that where the passes must be even in number, and are not,
// there is one over to be made up with.
struct digit_layout {
  int count;
  int bits;

  digit_layout() = default;
  __host__ __device__ constexpr digit_layout(int key_bits, int max_digit_bits)
      : count(2 * divide_up(key_bits, 2 * max_digit_bits)), bits(divide_up(key_bits, count)) {}
  __host__ __device__ constexpr int num_bins() const { return 1 << bits; }
};

template <int key_bits, int max_digit_bits>
struct digits_of {
  static constexpr digit_layout layout{key_bits, max_digit_bits};
  static constexpr int count = layout.count;
  static constexpr int bits = layout.bits;
  static constexpr int num_bins = layout.num_bins();

  template <class Bits>
  static __host__ __device__ std::uint32_t get(Bits key, int digit) {
    int const shift = digit * bits;
    if constexpr ((count - 1) * bits >= key_bits) {  // the last one may have no bits
      if (shift >= key_bits) return 0;
    }
    return static_cast<std::uint32_t>(key >> shift) & (num_bins - 1);
  }
};

// The order that keys come in: ascending, or such that they only have to be read from behind.
enum class input_order : int { none, sorted, reversed };

// Whether each pass is made, and from where to where.
template <int num_digits>
struct pass_plan {
  input_order order;  // if there is one, a pass copies items, the first one in that order
  bool is_made[num_digits];
  int passes_before[num_digits];
  place source[num_digits];
  place target[num_digits];
  std::int32_t crowded_bin[num_digits];  // the one that holds many of all items, or a negative number
};

// What the number of passes has to keep to.
struct pass_rules {
  bool at_least_one;  // a column's output is not its input
  bool never_one;     // a column's output is its input, which no pass may read and write at a time
  bool always_even;   // and is the buffer `home`, too
};

// is_needed[d] tells if keys differ in digit d. The fewest passes by these rules.
template <int num_digits>
__host__ __device__ void plan_passes(bool const (&is_needed)[num_digits], input_order order, pass_rules rules,
                                     pass_plan<num_digits>& plan) {
  static_assert(num_digits % 2 == 0);
  int needed = 0;
  for (int d = 0; d < num_digits; ++d) needed += is_needed[d] && order == input_order::none ? 1 : 0;
  int to_go = needed;
  if ((rules.at_least_one || order == input_order::reversed) && to_go == 0) to_go = 1;
  if (rules.never_one && to_go == 1) to_go = 2;
  if (rules.always_even) to_go += to_go % 2;
  int spare = to_go - needed;

  plan.order = order;
  place from = place::input;
  int made = 0;
  for (int d = 0; d < num_digits; ++d) {
    bool const sorts = is_needed[d] && order == input_order::none;
    plan.is_made[d] = sorts || spare > 0;
    if (!plan.is_made[d]) continue;
    if (!sorts) --spare;
    --to_go;
    plan.passes_before[d] = made++;
    plan.source[d] = from;
    plan.target[d] = to_go == 0 ? place::output : to_go % 2 == 0 ? place::home : place::away;
    from = plan.target[d];
  }
}

}  // namespace mgpu::detail
