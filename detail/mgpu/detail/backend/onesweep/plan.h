// The plan of the passes of a radix sort, which orders items from the lowest digit up. It is made on the device once
// the digits are counted: a digit that all keys share costs no pass, keys that are in order already cost none or are
// copied, and the passes that remain use the double buffer in turns such that the last one writes the user's output.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/pass_plan.h>

namespace mgpu::detail {

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
