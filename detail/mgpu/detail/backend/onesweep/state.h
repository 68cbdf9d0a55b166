// The kernels of a radix sort share this state in global memory.
#pragma once
#include <mgpu/detail/backend/onesweep/sort_column.h>
#include <cstdint>

namespace mgpu::detail {

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

template <class Digits>
struct onesweep_state {
  // These are zero before the sort.
  std::uint64_t blocks_done;
  std::uint64_t counts[Digits::count][Digits::num_bins];
  std::uint32_t descends;         // whether a key is less than the one before it
  std::uint32_t does_not_ascend;  // whether a key is not less than the one before it
  // The histogram kernel writes these. The starts tell where the first item of each bin in a launch goes: a launch
  // reads one set, and writes the other for the next launch of its pass, in turns.
  std::uint64_t starts[2][Digits::count][Digits::num_bins];
  pass_plan<Digits::count> plan;
};

}  // namespace mgpu::detail
