// A problem is what a call is about, as one value that goes from the API down to a backend's driver. A kernel takes
// what it needs of it, so that it is compiled for no more types than that.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/iterator.h>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// Keys are to be sorted from keys_in to keys_out, and their values are to come along. In place, the output of the
// keys is their input, and that of the values is theirs where it has the same type; otherwise no output overlaps an
// input.
template <bool is_in_place, class KeysIn_, class ValuesIn_, class KeysOut_, class ValuesOut_>
struct sort_problem {
  using KeysIn = KeysIn_;
  using ValuesIn = ValuesIn_;
  using KeysOut = KeysOut_;
  using ValuesOut = ValuesOut_;
  using Key = iterator_value_t<KeysIn>;
  using Value = iterator_value_t<ValuesIn>;
  static constexpr bool keys_in_place = is_in_place;
  static constexpr bool values_in_place = is_in_place && std::is_same_v<ValuesIn, ValuesOut>;

  KeysIn keys_in;
  ValuesIn values_in;
  KeysOut keys_out;
  ValuesOut values_out;
  std::int64_t num_items;
};

template <class Keys, class ValuesIn, class ValuesOut>
sort_problem<true, Keys, ValuesIn, Keys, ValuesOut> sort_in_place(Keys keys, ValuesIn values_in, ValuesOut values_out,
                                                                  std::int64_t num_items) {
  return {keys, values_in, keys, values_out, num_items};
}
template <class KeysIn, class ValuesIn, class KeysOut, class ValuesOut>
sort_problem<false, KeysIn, ValuesIn, KeysOut, ValuesOut> sort_to_copy(KeysIn keys_in, ValuesIn values_in,
                                                                       KeysOut keys_out, ValuesOut values_out,
                                                                       std::int64_t num_items) {
  return {keys_in, values_in, keys_out, values_out, num_items};
}

// Two ranges, each sorted, are to be merged; of equal keys those of a come first. The output overlaps neither.
template <class KeysA_, class ValuesA_, class KeysB_, class ValuesB_, class KeysOut_, class ValuesOut_>
struct merge_problem {
  using KeysA = KeysA_;
  using ValuesA = ValuesA_;
  using KeysB = KeysB_;
  using ValuesB = ValuesB_;
  using KeysOut = KeysOut_;
  using ValuesOut = ValuesOut_;
  using Key = iterator_value_t<KeysA>;
  using Value = iterator_value_t<ValuesA>;

  KeysA keys_a;
  ValuesA values_a;
  std::int64_t a_count;
  KeysB keys_b;
  ValuesB values_b;
  std::int64_t b_count;
  KeysOut keys_out;
  ValuesOut values_out;

  std::int64_t num_items() const { return a_count + b_count; }
};
template <class KeysA, class ValuesA, class KeysB, class ValuesB, class KeysOut, class ValuesOut>
merge_problem(KeysA, ValuesA, std::int64_t, KeysB, ValuesB, std::int64_t, KeysOut, ValuesOut)
    -> merge_problem<KeysA, ValuesA, KeysB, ValuesB, KeysOut, ValuesOut>;

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

// Items are to be reduced, after init, accumulating in its type.
template <class In_, class T_>
struct reduce_problem {
  using In = In_;
  using T = T_;

  In in;
  std::int64_t num_items;
  T init;
};
template <class In, class T>
reduce_problem(In, std::int64_t, T) -> reduce_problem<In, T>;

}  // namespace mgpu::detail
