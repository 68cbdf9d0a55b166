// The tunings that a policy's with_tuning takes, for measuring and for hardware that the usual ones do not know. A
// selector is a type whose static constexpr at(int arch) returns one of these aggregates of numbers for code compiled
// for that architecture (90 for 9.0):
//
//   struct few_items_a_thread {
//     __host__ __device__ static constexpr mgpu::merge_sort_tuning at(int) { return {{256, 7, 2}, {256, 7, 2}}; }
//   };
//   mgpu::sort(mgpu::par.with_tuning(few_items_a_thread{}), first, last, comp);
//
// What a member means, and its unit, stands where the aggregate is defined, and is_valid() tells whether a kernel can
// follow it; one that cannot be followed is refused at compile time. A tuning changes speed, and of results only how
// floating-point sums round. Names and members may change from version to version.
#pragma once
#include <mgpu/detail/backend/merge/tuning.h>
#include <mgpu/detail/backend/merge_sort/tuning.h>
#include <mgpu/detail/backend/msd_radix/tuning.h>
#include <mgpu/detail/backend/onesweep/tuning.h>
#include <mgpu/detail/backend/reduce/tuning.h>
#include <mgpu/detail/backend/scan/tuning.h>
#include <mgpu/detail/backend/two_level_sample_sort/tuning.h>

namespace mgpu {
inline namespace MGPU_ABI_NAMESPACE {

using detail::merge_sort_tuning;  // sort and its kin by a comparator, or of keys that are sorted by their indices
using detail::merge_tuning;       // merge and merge_by_key
using detail::msd_radix_tuning;   // sort of keys of 4 or 8 bytes, with values of as many or without, to plain memory
using detail::onesweep_tuning;    // sort and its kin by digits
using detail::reduce_tuning;      // reduce, transform_reduce, reduce_into
using detail::scan_tuning;        // all scans
using detail::two_level_sample_sort_tuning;  // sort and its kin by a comparator, of many items of up to 16 bytes

}  // namespace MGPU_ABI_NAMESPACE
}  // namespace mgpu
