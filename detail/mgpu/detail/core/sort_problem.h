// What a sort is about is one value, which goes from the API down to the backend's driver. A kernel takes what it needs
// of it, so that it is compiled for no more types than that.
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
  static constexpr bool values_in_place = is_in_place && std::is_same_v<ValuesIn, ValuesOut>;  // the keys are, too

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

}  // namespace mgpu::detail
