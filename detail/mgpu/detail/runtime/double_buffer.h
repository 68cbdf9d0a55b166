// The two buffers of a column of items, which passes read and write in turns.
#pragma once
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/scratch.h>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// Items lie in `primary` while an even number of passes is to go, else in `alternate`. The output itself is `primary`
// where it is plain memory, so that no copy is needed at the end; other buffers are scratch memory.
template <class T, class Out>
class double_buffer {
 public:
  static constexpr bool output_is_primary = std::is_same_v<Out, T*> || !has_values<T>;

  // Adds the buffers that num_passes passes or fewer need to the layout.
  void plan(scratch_layout& layout, std::int64_t num_items, int num_passes) {
    if constexpr (has_values<T>) {
      if (num_passes >= 1) alternate_ = layout.add<T>(num_items);
      if (num_passes >= 2 && !output_is_primary) primary_ = layout.add<T>(num_items);
    }
  }

  column<T> primary(device_call const& call, Out out) const {
    if constexpr (!has_values<T>) {
      return {};
    } else if constexpr (output_is_primary) {
      return out;
    } else {
      return call.scratch<T>(primary_);
    }
  }
  column<T> alternate(device_call const& call) const {
    if constexpr (!has_values<T>) {
      return {};
    } else {
      return call.scratch<T>(alternate_);
    }
  }

 private:
  std::size_t primary_ = 0, alternate_ = 0;  // offsets in the scratch memory
};

}  // namespace mgpu::detail
