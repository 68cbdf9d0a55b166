// Gathering items by a permutation: target[i] = source[order[i]].
#pragma once
#include <mgpu/detail/backend/indexed_sort/gather_kernel.cuh>
#include <mgpu/detail/core/index_iterators.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/plain_item.h>
#include <mgpu/detail/core/vector_word.h>
#include <mgpu/detail/runtime/launch.h>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// Writes target[i] = source[order[i]] for all i < num_items. Plain items in plain memory are moved in words. Source and
// target do not overlap.
template <class Source, class Order, class Target>
void gather(device_call const& call, Source source, Order order, Target target, std::int64_t num_items) {
  using T = iterator_value_t<Source>;
  auto const start = [&](auto words_per_item, auto from, auto to) {
    constexpr int words = decltype(words_per_item)::value;
    detail::launch(call,
                   {divide_up<std::int64_t>(num_items * words, gather_threads_per_block), gather_threads_per_block},
                   gather_kernel<words, decltype(from), Order, decltype(to)>, from, order, to, num_items);
  };
  if constexpr (is_plain<T> && std::is_pointer_v<Source> && std::is_same_v<Target, T*>) {
    using part = vector_word_of<T>;
    start(std::integral_constant<int, sizeof(T) / sizeof(part)>{}, reinterpret_cast<part const*>(source),
          reinterpret_cast<part*>(target));
  } else {
    start(std::integral_constant<int, 1>{}, source, target);
  }
}

// Writes target[i] = source[i] for all i < num_items.
template <class Source, class Target>
void copy(device_call const& call, Source source, Target target, std::int64_t num_items) {
  detail::gather(call, source, counting_iterator<std::int64_t>{0}, target, num_items);
}

}  // namespace mgpu::detail
