// The kernels of a radix sort share this state in global memory.
#pragma once
#include <mgpu/detail/core/pass_plan.h>
#include <cstdint>

namespace mgpu::detail {

template <class Digits>
struct onesweep_state {
  // These are zero before the sort.
  std::uint64_t blocks_done;
  std::uint64_t counts[Digits::count][Digits::num_bins];
  std::uint32_t descends;         // whether a key is less than the one before it
  std::uint32_t does_not_ascend;  // whether a key is not less than the one before it
  // The histogram kernel writes these. The starts tell where the first item of each bin in a launch goes: a launch
  // reads one set, and writes the other for the next launch of its pass, in turns.
  std::uint64_t starts[2][Digits::count][Digits::num_bins];
  pass_plan<Digits::count> plan;
};

}  // namespace mgpu::detail
