// The length of a range.
#pragma once
#include <mgpu/detail/core/config.h>
#include <cstdint>

namespace mgpu::detail {

// Returns how many items a range has; it is empty if its last is before its first.
template <class Iterator>
std::int64_t num_items_in(Iterator first, Iterator last) {
  auto const distance = static_cast<std::int64_t>(last - first);
  return distance > 0 ? distance : 0;
}

}  // namespace mgpu::detail
