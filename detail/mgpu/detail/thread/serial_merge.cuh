// One thread merges its share of two sorted runs into registers.
#pragma once
#include <mgpu/detail/core/config.h>

namespace mgpu::detail {

// Merges items_per_thread items from keys[a, a_end) and keys[b, b_end) into `merged`, equal ones from a first,
// and their places in `keys` into `sources`. Stops early, leaving the rest of `merged` as it was, where
// both runs end. comp sees only items of the two runs. Any thread, no barrier.
template <int items_per_thread, class Key, class Index, class Comp>
__device__ __forceinline__ void serial_merge(Key const* keys, int a, int a_end, int b, int b_end,
                                             Key (&merged)[items_per_thread], Index (&sources)[items_per_thread],
                                             Comp& comp) {
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    bool const take_a = b >= b_end || (a < a_end && !comp(keys[b], keys[a]));
    int const source = take_a ? a++ : b++;
    if (source < (take_a ? a_end : b_end)) {
      merged[i] = keys[source];
      sources[i] = Index(source);
    }
  }
}

// The same where neither run can end within items_per_thread steps: no tests, and each key is read once.
// Reads, but never compares, one item behind either run.
template <int items_per_thread, class Key, class Index, class Comp>
__device__ __forceinline__ void serial_merge_within(Key const* keys, int a, int b, Key (&merged)[items_per_thread],
                                                    Index (&sources)[items_per_thread], Comp& comp) {
  Key a_key = keys[a];
  Key b_key = keys[b];
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    bool const take_b = comp(b_key, a_key);
    int const source = take_b ? b : a;
    merged[i] = take_b ? b_key : a_key;
    sources[i] = Index(source);
    Key const next = keys[source + 1];
    if (take_b) {
      b = source + 1;
      b_key = next;
    } else {
      a = source + 1;
      a_key = next;
    }
  }
}

}  // namespace mgpu::detail
