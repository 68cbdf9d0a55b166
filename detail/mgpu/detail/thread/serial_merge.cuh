// One thread merges its share of two sorted runs into registers.
#pragma once
#include <mgpu/detail/core/config.h>
#include <type_traits>

namespace mgpu::detail {

// Merges the next items_per_thread items of keys[a, a_end) and keys[b, b_end) into `merged`, equal ones from a first,
// and their indices in `keys` into `sources`. If both runs end before, the rest of `merged` and `sources` is of no
// use. comp sees only items of the two runs; but one item behind a and items_per_thread behind b may be read, as a
// loop that does not branch is quicker by a third. Any thread, no barrier.
template <int items_per_thread, class Key, class Index, class Comp>
__device__ __forceinline__ void serial_merge(Key const* keys, int a, int a_end, int b, int b_end,
                                             Key (&merged)[items_per_thread], Index (&sources)[items_per_thread],
                                             Comp& comp) {
  // A key is also read where nobody may have written it: the value of such a bool must not even be looked at.
  using held = std::conditional_t<std::is_same_v<Key, bool>, unsigned char, Key>;
  constexpr int size = sizeof(Key);
  auto const at = [&](int byte) {
    return *reinterpret_cast<held const*>(reinterpret_cast<unsigned char const*>(keys) + byte);
  };
  a *= size;
  b *= size;
  a_end *= size;
  b_end *= size;
  held a_key = at(a);
  held b_key = at(b);
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    bool const take_b =
        a >= a_end || (b < b_end && comp(static_cast<Key const&>(b_key), static_cast<Key const&>(a_key)));
    int const source = take_b ? b : a;
    merged[i] = take_b ? b_key : a_key;
    sources[i] = Index(static_cast<int>(static_cast<unsigned>(source) / size));
    held const next = at(source + size);
    if (take_b) {
      b += size;
      b_key = next;
    } else {
      a += size;
      a_key = next;
    }
  }
}

}  // namespace mgpu::detail
