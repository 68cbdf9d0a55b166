// A column of large items, each of which is moved once.
#pragma once
#include <mgpu/detail/backend/indexed_sort/gather.cuh>
#include <mgpu/detail/core/index_iterators.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/plain_item.h>
#include <mgpu/detail/runtime/call.h>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// A column whose items are moved by a permutation. Where the target is the source, which may not be overwritten while
// it is read, the source is copied to scratch memory first.
template <class Source, bool in_place>
class gathered_column {
  using T = iterator_value_t<Source>;
  static constexpr bool needs_copy = in_place && has_values<T>;

 public:
  using source = std::conditional_t<needs_copy, T const*, Source>;

  gathered_column(scratch_layout& layout, std::int64_t num_items) : num_items_(num_items) {
    if constexpr (needs_copy) copy_ = layout.add<T>(num_items);
  }

  // Returns what stands for the source while the call's scratch memory is only planned.
  source planned(Source original) const {
    if constexpr (needs_copy) {
      return nullptr;
    } else {
      return original;
    }
  }
  // Returns the source from which items are moved, having copied it where that is needed.
  source prepare(device_call const& call, Source original) const {
    if constexpr (needs_copy) {
      T* const copied = call.scratch<T>(copy_);
      using target = std::conditional_t<is_plain<T>, T*, constructing_iterator<T>>;
      detail::copy(call, original, target{copied}, num_items_);
      return copied;
    } else {
      return original;
    }
  }

  // Moves the items: target[i] = from[order[i]].
  template <class Order, class Target>
  void move(device_call const& call, source from, Order const* order, Target target) const {
    if constexpr (has_values<T> && !is_discard<Target>) detail::gather(call, from, order, target, num_items_);
  }

 private:
  std::int64_t num_items_;
  std::size_t copy_ = 0;
};

}  // namespace mgpu::detail
