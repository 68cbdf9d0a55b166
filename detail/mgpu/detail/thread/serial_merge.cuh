// One thread merges its share of two sorted runs into registers.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>

namespace mgpu::detail {

// Merges items_per_thread items from keys[a, a_end) and keys[b, b_end) into `merged`, equal ones from a first,
// and their places in `keys` into `sources`. Where both runs end before, the rest of either is of no use. comp sees
// only items of the two runs, and only they are read, so that others may write what follows; but of an empty b what
// comes before it may be. Any thread, no barrier.
template <int items_per_thread, class Key, class Index, class Comp>
__device__ __forceinline__ void serial_merge(Key const* keys, int a, int a_end, int b, int b_end,
                                             Key (&merged)[items_per_thread], Index (&sources)[items_per_thread],
                                             Comp& comp) {
  if (a >= a_end && b >= b_end) return;
  Key a_key = keys[a < a_end ? a : b];
  Key b_key = keys[b < b_end ? b : a];
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    bool const take_b = a >= a_end || (b < b_end && comp(b_key, a_key));
    int const source = take_b ? b : a;
    merged[i] = take_b ? b_key : a_key;
    sources[i] = Index(source);
    // Behind the end once more the last one, as a load without a branch is quicker.
    Key const next = keys[smaller(source + 1, (take_b ? b_end : a_end) - 1)];
    if (take_b) {
      b = source + 1;
      b_key = next;
    } else {
      a = source + 1;
      a_key = next;
    }
  }
}

// The same without tests, where more than items_per_thread items are left of b, and as many of a. What follows a is
// read, but not compared.
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
