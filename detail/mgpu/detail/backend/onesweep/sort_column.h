// A column of items in a radix sort, and the memory from which a pass reads it, or to which it writes it.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/pass_plan.h>
#include <type_traits>

namespace mgpu::detail {

// The user's ranges, and the double buffer between them. A column of no values has no buffers.
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
    with<T const*>(from, pass_buffer::input, input, f);
  }
  template <class F>
  __device__ __forceinline__ void with_target(pass_buffer to, F f) const {
    with<T*>(to, pass_buffer::output, output, f);
  }

 private:
  // Calls f with `users`, which is the range that of_user names, or with one of the buffers. Where all of them are
  // pointers, f is compiled once.
  template <class Pointer, class Iterator, class F>
  __device__ __forceinline__ void with(pass_buffer which, pass_buffer of_user, Iterator users, F f) const {
    if constexpr (has_values<T>) {
      Pointer const buffer = which == pass_buffer::primary ? primary : alternate;
      if constexpr (std::is_same_v<Iterator, T*> || std::is_same_v<Iterator, Pointer>) {
        Pointer const pointer = which == of_user ? users : buffer;
        f(pointer);
      } else if (which == of_user) {
        f(users);
      } else {
        f(buffer);
      }
    }
  }
};

}  // namespace mgpu::detail
