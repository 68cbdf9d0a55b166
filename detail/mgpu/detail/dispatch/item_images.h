// Scans and reductions of items that copy themselves run on the images of these. The functions of the call see items,
// which are copied when they are read, and assigned when a result is written.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/item_image.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/plain_item.h>
#include <mgpu/detail/core/reduce_problem.h>
#include <mgpu/detail/core/scan_problem.h>
#include <mgpu/detail/core/transformed_iterator.h>
#include <mgpu/detail/dispatch/functional.h>
#include <mgpu/detail/runtime/iterator.h>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// Makes the image of a T of what `unary` returns.
template <class T, class Unary>
struct image_of {
  Unary unary;
  template <class Item>
  __device__ item_image<T> operator()(Item const& item) {
    return item_image<T>::of(static_cast<T>(unary(item)));
  }
};

// Combines the items of two images.
template <class T, class Op>
struct image_operator {
  Op op;
  __device__ item_image<T> operator()(item_image<T> const& a, item_image<T> const& b) {
    return item_image<T>::of(static_cast<T>(op(a.item(), b.item())));
  }
};

// An output for images, which assigns their items to that of the user.
template <class T, class Out>
struct image_output {
  using value_type = item_image<T>;
  struct target {
    Out out;
    __device__ void operator=(item_image<T> const& image) const {
      Out to = out;  // its operator* may not be const
      *to = image.item();
    }
  };
  Out out;
  __host__ __device__ friend image_output operator+(image_output it, std::int64_t distance) {
    return {it.out + distance};
  }
  __host__ __device__ target operator*() const { return {out}; }
};

// Returns a value or an output as a call on images takes it: its image, or what takes images, if there is any.
template <class T>
auto image(T const& value) {
  if constexpr (has_values<T>) {
    return item_image<T>(value);
  } else {
    return value;
  }
}
template <class T, class Out>
auto to_images(Out out) {
  if constexpr (is_given<Out>) {
    return image_output<T, Out>{out};
  } else {
    return out;
  }
}

// Returns the items of a call on images: those of T, each made by the unary function.
template <class T, class In, class Unary>
auto images_of(In in, Unary unary) {
  auto function = detail::device_function(unary);
  return detail::as_items<item_image<T>>(detail::unwrap(in), image_of<T, decltype(function)>{function});
}

// Return the problem of a call on images, whose unary function has been applied.
template <bool inclusive, class T, class In, class Out, class Total, class Init, class Unary>
auto on_images(scan_problem<inclusive, T, In, Out, Total, Init> const& problem, Unary unary) {
  return detail::scan_of<inclusive, item_image<T>>(
      detail::images_of<T>(problem.in, unary), detail::to_images<T>(detail::unwrap(problem.out)),
      detail::to_images<T>(detail::unwrap(problem.total)), problem.num_items, detail::image(problem.init));
}
template <class In, class T, class Unary>
auto on_images(reduce_problem<In, T> const& problem, Unary unary) {
  return reduce_problem{detail::images_of<T>(problem.in, unary), problem.num_items, detail::image(problem.init)};
}
template <class T, class Op>
auto operator_on_images(Op op) {
  auto function = detail::device_function(op);
  return image_operator<T, decltype(function)>{function};
}

}  // namespace mgpu::detail
