// The plan of a radix sort's passes, made on the device once the digits are counted: a digit that all keys share
// costs no pass, keys that are in order already cost none or are copied, and the passes that remain use the double
// buffer in turns such that the last one writes the user's output.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/no_values.h>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// The memory from which a pass reads a column, or to which it writes it. `primary` and `alternate` are the column's
// double buffer.
enum class pass_buffer : int { input, primary, alternate, output };

// A column of items: the user's ranges, and the double buffer between them. A column of no values has no buffers.
template <class In, class Out>
struct sort_column {
  using T = iterator_value_t<In>;
  In input;
  Out output;
  T* primary;
  T* alternate;

  // These call f with the iterator from which a pass reads, or to which it writes. For a column of no values they do
  // nothing.
  template <class F>
  __device__ __forceinline__ void with_source(pass_buffer from, F f) const {
    if constexpr (has_values<T>) {
      T const* const buffer = from == pass_buffer::primary ? primary : alternate;
      if constexpr (std::is_pointer_v<In>) {
        T const* const source = from == pass_buffer::input ? input : buffer;
        f(source);
      } else if (from == pass_buffer::input) {
        f(input);
      } else {
        f(buffer);
      }
    }
  }
  template <class F>
  __device__ __forceinline__ void with_target(pass_buffer to, F f) const {
    if constexpr (has_values<T>) {
      T* const buffer = to == pass_buffer::primary ? primary : alternate;
      if constexpr (std::is_same_v<Out, T*>) {
        f(to == pass_buffer::output ? output : buffer);
      } else if (to == pass_buffer::output) {
        f(output);
      } else {
        f(buffer);
      }
    }
  }
};

// How a key is cut into digits, from the lowest up. Their number is even: where the passes must be even in number,
// and are not, there is then always a digit left for one more pass.
struct digit_layout {
  int count;
  int bits;

  digit_layout() = default;
  __host__ __device__ constexpr digit_layout(int key_bits, int max_digit_bits)
      : count(2 * divide_up(key_bits, 2 * max_digit_bits)), bits(divide_up(key_bits, count)) {}
  __host__ __device__ constexpr int num_bins() const { return 1 << bits; }
};

// The digits of keys of key_bits bits; get() returns one of them.
template <int key_bits, int max_digit_bits>
struct digits_of {
  static constexpr digit_layout layout{key_bits, max_digit_bits};
  static constexpr int count = layout.count;
  static constexpr int bits = layout.bits;
  static constexpr int num_bins = layout.num_bins();

  template <class Bits>
  static __host__ __device__ std::uint32_t get(Bits key, int digit) {
    int const shift = digit * bits;
    if constexpr ((count - 1) * bits >= key_bits) {  // the last digit has no bits
      if (shift >= key_bits) return 0;
    }
    return static_cast<std::uint32_t>(key >> shift) & (num_bins - 1);
  }
};

// The order that keys come in: none, sorted, or reversed, in which case they only have to be read from behind.
enum class input_order : int { none, sorted, reversed };

// Says whether the pass of each digit is made, and which buffers it reads and writes.
template <int num_digits>
struct pass_plan {
  input_order order;  // if not none, passes copy; the first one made reads from behind if it is reversed
  bool is_made[num_digits];
  int passes_before[num_digits];
  pass_buffer source[num_digits];
  pass_buffer target[num_digits];
  std::int32_t hot_bin[num_digits];  // the bin that holds more than 1/8 of all items, or a negative number
};

// The rules that the number of passes has to keep to, and when each is set.
struct pass_rules {
  bool at_least_one;  // a column's output is not its input
  bool never_one;     // a column's output is its input, which one pass may not both read and write
  bool always_even;   // such an output is the primary buffer, too
};

// Plans the fewest passes that the rules allow. is_needed[d] says whether keys differ in digit d. Called by one
// thread.
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
  pass_buffer from = pass_buffer::input;
  int made = 0;
  for (int d = 0; d < num_digits; ++d) {
    bool const sorts = is_needed[d] && order == input_order::none;
    plan.is_made[d] = sorts || spare > 0;
    if (!plan.is_made[d]) continue;
    if (!sorts) --spare;
    --to_go;
    plan.passes_before[d] = made++;
    plan.source[d] = from;
    plan.target[d] = to_go == 0       ? pass_buffer::output
                     : to_go % 2 == 0 ? pass_buffer::primary
                                      : pass_buffer::alternate;
    from = plan.target[d];
  }
}

}  // namespace mgpu::detail
