// This file is compiled once for each namespace of arch_lists.h: the same templates with the same arguments.
#include <dropin/arch_lists.h>
#include <mgpu/mgpu.h>
#include <thrust/system_error.h>
#include <cuda_runtime_api.h>
#include <algorithm>
#include <numeric>

namespace dropin::DROPIN_UNIT {

void const* address_of_sort() {
  void (*const sort)(mgpu::host_policy const&, int*, int*, cuda::std::less<>) = mgpu::sort;
  return reinterpret_cast<void const*>(sort);
}

arch_report work_on_device(std::vector<int> const& numbers) {
  auto sorted = numbers;
  std::stable_sort(sorted.begin(), sorted.end());
  std::vector<int> scanned(numbers.size());
  std::partial_sum(sorted.begin(), sorted.end(), scanned.begin());

  auto const num_items = static_cast<std::ptrdiff_t>(numbers.size());
  std::size_t const bytes = numbers.size() * sizeof(int);
  void* memory = nullptr;
  if (cudaMalloc(&memory, 2 * bytes) != cudaSuccess) return {false, false};
  int* const items = static_cast<int*>(memory);
  int* const sums = items + num_items;
  cudaMemcpy(items, numbers.data(), bytes, cudaMemcpyHostToDevice);
  arch_report report{};
  try {
    mgpu::sort(mgpu::par, items, items + num_items);
    mgpu::inclusive_scan(mgpu::par, items, items + num_items, sums);
    int const sum = mgpu::reduce(mgpu::par, items, items + num_items);
    auto results = numbers;
    cudaMemcpy(results.data(), items, bytes, cudaMemcpyDeviceToHost);
    report.correct = results == sorted && sum == scanned.back();
    cudaMemcpy(results.data(), sums, bytes, cudaMemcpyDeviceToHost);
    report.correct = report.correct && results == scanned;
  } catch (thrust::system_error const&) {
    report.threw = true;
  }
  cudaFree(memory);
  return report;
}

}  // namespace dropin::DROPIN_UNIT
