// Radix sort on the device, of as many items as one block can hold: it is one launch, and needs no scratch memory.
#pragma once
#include <mgpu/detail/backend/onesweep/block_kernel.cuh>
#include <mgpu/detail/backend/onesweep/storage.cuh>
#include <mgpu/detail/backend/onesweep/tuning.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/kernel_facts.h>
#include <mgpu/detail/runtime/launch.h>
#include <cstdint>

namespace mgpu::detail {

// Returns the kernel for a problem's types.
template <class Tuning, bool descending, class Problem>
auto radix_block_kernel_of() {
  using KeysIn = typename Problem::KeysIn;
  using ValuesIn = typename Problem::ValuesIn;
  using KeysOut = typename Problem::KeysOut;
  using ValuesOut = typename Problem::ValuesOut;
  void (*const kernel)(KeysIn, ValuesIn, KeysOut, ValuesOut, int) =
      radix_block_kernel<Tuning, descending, KeysIn, ValuesIn, KeysOut, ValuesOut>;
  return kernel;
}

// Returns how many items radix_block_sort can sort.
template <class Tuning, bool descending, class Problem>
std::int64_t max_radix_block_items(device_call const& call) {
  auto const kernel = detail::radix_block_kernel_of<Tuning, descending, Problem>();
  return Tuning::at(detail::compiled_arch(call, kernel)).tile_items();
}

// Sorts by one block. There are at most max_radix_block_items() items.
template <class Tuning, bool descending, class Problem>
void radix_block_sort(device_call& call, Problem const& problem) {
  if (!call.allocate(scratch_layout())) return;
  using block = radix_block<Tuning, typename Problem::Key, typename Problem::Value>;
  auto const kernel = detail::radix_block_kernel_of<Tuning, descending, Problem>();
  int const arch = detail::compiled_arch(call, kernel);
  detail::launch(call, {1, Tuning::at(arch).threads_per_block, storage_bytes<block::template storage>(arch)}, kernel,
                 problem.keys_in, problem.values_in, problem.keys_out, problem.values_out,
                 static_cast<int>(problem.num_items));
}

}  // namespace mgpu::detail
