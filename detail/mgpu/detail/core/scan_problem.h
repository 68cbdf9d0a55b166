// What a scan is about is one value, which goes from the API down to the backend's driver. A kernel takes what it needs
// of it, so that it is compiled for no more types than that.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/no_values.h>
#include <cstdint>

namespace mgpu::detail {

// An init that the device alone knows once the scan begins, and whether there is one (1, else 0).
template <class T>
struct init_in_memory {
  T const* value;
  std::uint32_t const* is_there;
};

// Items are to be scanned, accumulating in T. Without an init (no_value) nothing lies before the first item; without
// a total (no_values) the aggregate of all items is not written. The output is the input, or does not overlap it.
template <bool is_inclusive, class T_, class In_, class Out_, class Total_, class Init_>
struct scan_problem {
  using T = T_;
  using In = In_;
  using Out = Out_;
  using Total = Total_;
  using Init = Init_;
  static constexpr bool inclusive = is_inclusive;
  static constexpr bool has_init = has_values<Init>;
  static constexpr bool has_total = is_given<Total>;

  In in;
  Out out;
  Total total;
  std::int64_t num_items;
  Init init;
};
template <bool inclusive, class T, class In, class Out, class Total, class Init>
scan_problem<inclusive, T, In, Out, Total, Init> scan_of(In in, Out out, Total total, std::int64_t num_items,
                                                         Init init) {
  return {in, out, total, num_items, init};
}

}  // namespace mgpu::detail
