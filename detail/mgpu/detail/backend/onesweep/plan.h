// The digits of keys, by which a radix sort orders items from the lowest digit up, and the plan of its passes, made on
// the device once the digits are counted: a digit that all keys share costs no pass, keys that are in order already
// cost none or are copied, and the passes that remain use the double buffer in turns such that the last one writes the
// user's output.
#pragma once
#include <mgpu/detail/backend/onesweep/sort_column.h>
#include <mgpu/detail/backend/onesweep/state.h>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/radix_traits.h>
#include <cstdint>

namespace mgpu::detail {

// The digits of a key. Their number is even: where the passes must be even in number, and are not, there is then always
// a digit left for one more pass.
struct digit_layout {
  int count;
  int bits;

  __host__ __device__ constexpr digit_layout(int key_bits, int max_digit_bits)
      : count(2 * divide_up(key_bits, 2 * max_digit_bits)), bits(divide_up(key_bits, count)) {}
  __host__ __device__ constexpr int num_bins() const { return 1 << bits; }
};

// The digits of a type of keys in code for an architecture; get() returns one of them.
template <class Tuning, class Key, int arch>
struct onesweep_digits {
  static constexpr int key_bits = radix_traits<Key>::bits;
  static constexpr digit_layout layout{key_bits, Tuning::at(arch).max_digit_bits};
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
