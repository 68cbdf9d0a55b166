// The plan of the passes of a radix sort: which digits are sorted by, and from which memory into which. It is made on
// the device.
#pragma once
#include <mgpu/detail/core/config.h>
#include <cstdint>

namespace mgpu::detail {

// Names the memory from which a pass reads a column, or to which it writes it. `primary` and `alternate` are the
// column's double buffer.
enum class pass_buffer : int { input, primary, alternate, output };

// The order that keys come in: none, sorted, or reversed, in which case they only have to be read from behind.
enum class input_order : int { none, sorted, reversed };

// Says whether the pass of each digit is made, by which bits of the keys, and which buffers it reads and writes.
template <int num_digits>
struct pass_plan {
  input_order order;  // if not none, passes copy; the first one made reads from behind if it is reversed
  bool is_made[num_digits];
  int passes_before[num_digits];
  int lowest_bit[num_digits];  // of the keys' bits, from where on they are the digit
  pass_buffer source[num_digits];
  pass_buffer target[num_digits];
  std::int32_t hot_bin[num_digits];  // the bin that holds more than 1/8 of all items, or a negative number
};

}  // namespace mgpu::detail
