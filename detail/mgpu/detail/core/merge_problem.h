// What a merge is about is one value, which goes from the API down to the backend's driver. A kernel takes what it
// needs of it, so that it is compiled for no more types than that.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/iterator.h>
#include <cstdint>

namespace mgpu::detail {

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

}  // namespace mgpu::detail
