// A range of unsigned numbers, such as the directed bits of keys.
#pragma once
#include <mgpu/detail/core/config.h>

namespace mgpu::detail {

// The `width` lowest bits tell numbers apart, once `lowest` is taken from them.
template <class Bits>
struct number_range {
  Bits lowest = 0;
  int width = 8 * static_cast<int>(sizeof(Bits));
};

}  // namespace mgpu::detail
