// Sorting. Signatures and semantics are Thrust's where Thrust has the name.
//
// This holds for all functions here:
//   Shape   Iterators are random-access ones, fancy ones included, of any alignment; there may be any number of
//           items, beyond 2^32 too. A call on an empty range does nothing; a range whose last is before its first is
//           empty. Input and output of the copying forms, and keys and values, do not overlap.
//   Items   On the device, keys and values are trivially copyable, or have a copy constructor and an assignment of
//           their own, both __host__ __device__, and no destructor; or they are pairs or tuples of such (thrust's and
//           cuda::std's; std's want C++20 and --expt-relaxed-constexpr). They are of any size, and no long double,
//           which nvcc takes for double.
//   Order   Every sort is stable, whatever its name: equal keys keep their order. comp is a strict weak order; it is
//           only ever called on items of the input. By a comp that is no such order the output is unspecified, but
//           nothing is read or written out of range. Floats under less and greater: -0.0 equals 0.0, and NaNs go by
//           their bits, behind the rest, or before it when the sign is set.
//   Policy  The policy is the first argument, as in Thrust: mgpu::par, mgpu::par_nosync, mgpu::host, or a Thrust
//           policy. Without one the iterators decide: device_vector's run on the device, host pointers on the host.
//   Stream  A call under par returns when the result is there. Under par_nosync it returns at once, never
//           synchronises, and may be captured into a CUDA graph.
//   Cost    On the device, keys that <mgpu/radix_key.h> lists are sorted by digits under less and greater of std (but
//           not a specialisation of your own, which is called), cuda::std or thrust: a few in one launch, else in one
//           read to count all digits and one pass for each 8 bits in which keys differ; keys that come in order or
//           exactly reversed take no pass, or a copy. One launch sorts what a block can hold, some 10,000 items, or a
//           cluster of 16 blocks, where a GPU, or the part of it that the stream has, has them: 262,144 items of at
//           most 5 bytes, key and value, 131,072 of 9, 65,536 of 17. On 9.0 to 11.0, items of at most 8 bytes with
//           keys of at least 4, that are written to plain memory, take two launches instead and are moved twice: from
//           10,241 to 524,288 items, with values from 8,192 to 786,432. Many keys of 4 and 8 bytes, alone or with
//           values of 4 or 8, that are spread evenly take one read and three passes at most. Integers of 8 and 16
//           bits without values are counted and written anew. By any other comp, items are merged with n log n
//           comparisons: one launch up to a tile (some thousand items), else one pass to sort tiles and a pass per
//           quadrupling from there. On 9.0 to 11.0, items of at most 16 bytes take less: one launch up to 16,384
//           items, by up to twenty times as many comparisons (with keys of at most 8 bytes from 33 items on), and
//           then two launches up to 786,432, or 393,216 of over 8 bytes, key and value, with keys of at least 4
//           bytes, that are written to plain memory. (There a cluster of 16 blocks sorts, or of fewer with 1,024
//           items each. By argsort no keys are written, and so not to plain memory.) Where comparing may wait for
//           memory, that launch takes 513 to 8,191 items, or up to 1,024 whose keys are not written to plain memory,
//           and none with keys over 8 bytes: if keys or comp are aligned like pointers, but for numbers, CUDA's
//           vectors, and pairs and tuples of such. <mgpu/holds_pointer.h> lets you say which types hold one. If comp
//           may hold one, or keys are pointers, or said to hold one, or are over 32 bytes, the rest are merged two by
//           two on 9.0 and later, a pass per doubling, up to 786,432 items, or 4,194,304 with keys of 9 to 32 bytes,
//           by up to 4 n log2 n comparisons. But items of at most 16 bytes, or indices, written to plain memory, on
//           9.0 to 11.0, from there on (bare keys of over 8 bytes from 1,572,864, pairs of over 8 bytes from
//           2,097,152) up to 65 to 84 million, and by other comparisons from 1 to 8 million on up to 167 to 326
//           million, take a sort of one key of 128 and then three moves in all, however keys are spread, unless they
//           were made so that this sample misses most of them: then up to thousands of comparisons each. Of these,
//           and beyond 25 million of others, all items are looked at first, until they are seen to be no few runs: up
//           to 64 sorted runs, 256 of others, take a pass per quadrupling of the runs, and one more where that is
//           odd, or where it is not in place; what is in order in its place takes none, and strictly descending one.
//           Where fewer items are merged by a pass per quadrupling, what is in order takes the pass that sorts tiles
//           alone, which does not write to it in its place; strictly descending ones, and copies, indices, and what
//           is no plain memory, up to two passes more. Keys over 32 bytes, values over 16, and all that copy
//           themselves are sorted as indices and then moved once: by an assignment, in place by a copy before that,
//           and by one copy more from iterators that are no pointers. Others travel in every pass. The host sorts
//           likewise by digits or by merging, in the calling thread, on a copy.
//   Scratch A call makes at most one allocation, and none for what takes one launch. Beyond, it has as many bytes as
//           the keys and values (twice that for an output that is not plain memory); for each tile, of at least 2 KB
//           of keys or of values, and one more, 2 KB by digits and else at most 32 bytes, or where it is two launches
//           512 for each multiprocessor, or each 4,096 items; by digits 8 KB for each 8 bits of the key. Keys that
//           are counted take nothing but 4 KB (of 8 bits) or 1 MB (of 16) and 511 bytes. Items that are moved once
//           always take 4 bytes each for the index (8 beyond 2^32 items), twice that beyond a tile, and in place a
//           copy of them. Items that may be sorted runs take 16 KB, and those that are moved three times 1 MB more,
//           0.6 bytes for each, 1.1 where comparing may wait for memory, and the larger of 131,072 keys and two for
//           each 128. Alignment takes at most 2 KB more. policy.query_scratch(bytes) tells exactly.
//   Throws  CUDA errors are thrown as thrust::system_error (a caller that catches it includes
//           <thrust/system_error.h>), a lack of memory as std::bad_alloc; what() begins with the name of the call. A
//           failed allocation leaves everything as it was; a later failure leaves the output ranges in an unspecified
//           order, or partly overwritten. On the host what comp throws passes through, and everything is as it was.
//
// Sources: natural merge sort, Knuth, The Art of Computer Programming 3, 5.2.4; samplesort, Frazer, McKellar, JACM
// 1970; OneSweep, Adinets, Merrill, arXiv:2206.01784; look-back with a fallback, Smith, Levien, Owens, SPAA 2025;
// merge path, Green, McColl, Bader, ICS 2012, Odeh et al., arXiv:1406.2628; merging by ranks, Shiloach, Vishkin,
// Journal of Algorithms 2(1), 1981.
#pragma once
#include <mgpu/detail/core/functional.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/sort_problem.h>
#include <mgpu/detail/dispatch/sort.h>
#include <mgpu/detail/runtime/iterator.h>
#include <mgpu/detail/runtime/policy_traits.h>
#include <mgpu/execution_policy.h>
#include <mgpu/holds_pointer.h>
#include <mgpu/radix_key.h>
#include <cstdint>
#include <type_traits>

namespace mgpu {
inline namespace MGPU_ABI_NAMESPACE {

// Sorts [first, last) by comp (less, if none is given), in place; equal keys keep their order.
template <class Policy, class Iterator, class Comp = cuda::std::less<>,
          class = std::enable_if_t<detail::is_policy<Policy>>>
void stable_sort(Policy const& policy, Iterator first, Iterator last, Comp comp = {}) {
  static_assert(detail::check_iterators<Iterator>());
  detail::no_values const none{};
  detail::dispatch_sort("mgpu::stable_sort", policy,
                        detail::sort_in_place(first, none, none, detail::num_items_in(first, last)), comp);
}
// Sorts [first, last) by comp (less, if none is given), in place, on the device or the host, as the iterators say;
// equal keys keep their order.
template <class Iterator, class Comp = cuda::std::less<>, class = std::enable_if_t<!detail::is_policy<Iterator>>>
void stable_sort(Iterator first, Iterator last, Comp comp = {}) {
  mgpu::stable_sort(detail::policy_of_system<Iterator>(), first, last, comp);
}

// Sorts [first, last) by comp (less, if none is given), in place, and is stable too, as that costs nothing here.
template <class Policy, class Iterator, class Comp = cuda::std::less<>,
          class = std::enable_if_t<detail::is_policy<Policy>>>
void sort(Policy const& policy, Iterator first, Iterator last, Comp comp = {}) {
  static_assert(detail::check_iterators<Iterator>());
  detail::no_values const none{};
  detail::dispatch_sort("mgpu::sort", policy,
                        detail::sort_in_place(first, none, none, detail::num_items_in(first, last)), comp);
}
// Sorts [first, last) by comp (less, if none is given), in place, on the device or the host, as the iterators say; it
// is stable, as stable_sort.
template <class Iterator, class Comp = cuda::std::less<>, class = std::enable_if_t<!detail::is_policy<Iterator>>>
void sort(Iterator first, Iterator last, Comp comp = {}) {
  mgpu::sort(detail::policy_of_system<Iterator>(), first, last, comp);
}

// Sorts the keys [keys_first, keys_last) by comp (less, if none is given), in place, and reorders as many values from
// values_first on likewise; equal keys keep their order.
template <class Policy, class Keys, class Values, class Comp = cuda::std::less<>,
          class = std::enable_if_t<detail::is_policy<Policy>>>
void stable_sort_by_key(Policy const& policy, Keys keys_first, Keys keys_last, Values values_first, Comp comp = {}) {
  static_assert(detail::check_iterators<Keys, Values>());
  auto const num_items = detail::num_items_in(keys_first, keys_last);
  detail::dispatch_sort("mgpu::stable_sort_by_key", policy,
                        detail::sort_in_place(keys_first, values_first, values_first, num_items), comp);
}
// Sorts the keys [keys_first, keys_last) by comp (less, if none is given), in place, and reorders as many values from
// values_first on likewise, on the device or the host, as the iterators say; equal keys keep their order.
template <class Keys, class Values, class Comp = cuda::std::less<>,
          class = std::enable_if_t<!detail::is_policy<Keys>>>
void stable_sort_by_key(Keys keys_first, Keys keys_last, Values values_first, Comp comp = {}) {
  mgpu::stable_sort_by_key(detail::policy_of_system<Keys, Values>(), keys_first, keys_last, values_first, comp);
}

// Sorts the keys [keys_first, keys_last) by comp (less, if none is given), in place, and reorders as many values from
// values_first on likewise; it is stable, as stable_sort_by_key.
template <class Policy, class Keys, class Values, class Comp = cuda::std::less<>,
          class = std::enable_if_t<detail::is_policy<Policy>>>
void sort_by_key(Policy const& policy, Keys keys_first, Keys keys_last, Values values_first, Comp comp = {}) {
  static_assert(detail::check_iterators<Keys, Values>());
  auto const num_items = detail::num_items_in(keys_first, keys_last);
  detail::dispatch_sort("mgpu::sort_by_key", policy,
                        detail::sort_in_place(keys_first, values_first, values_first, num_items), comp);
}
// Sorts the keys [keys_first, keys_last) by comp (less, if none is given), in place, and reorders as many values from
// values_first on likewise, on the device or the host, as the iterators say; it is stable, as stable_sort_by_key.
template <class Keys, class Values, class Comp = cuda::std::less<>,
          class = std::enable_if_t<!detail::is_policy<Keys>>>
void sort_by_key(Keys keys_first, Keys keys_last, Values values_first, Comp comp = {}) {
  mgpu::sort_by_key(detail::policy_of_system<Keys, Values>(), keys_first, keys_last, values_first, comp);
}

}  // namespace MGPU_ABI_NAMESPACE
}  // namespace mgpu
