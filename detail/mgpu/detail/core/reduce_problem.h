// What a reduction is about is one value, which goes from the API down to the backend's driver. A kernel takes what it
// needs of it, so that it is compiled for no more types than that.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/no_values.h>
#include <cstdint>

namespace mgpu::detail {

// Items are to be reduced, after init, accumulating in its type T. Without an init (no_value) there is at least one
// item.
template <class In_, class T_, class Init_ = T_>
struct reduce_problem {
  using In = In_;
  using T = T_;
  using Init = Init_;

  In in;
  std::int64_t num_items;
  Init init;
};
template <class In, class T>
reduce_problem(In, std::int64_t, T) -> reduce_problem<In, T>;

}  // namespace mgpu::detail
