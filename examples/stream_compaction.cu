// Keeps the items of a sequence that fulfil a condition, in their order: the scan of the condition, 1 or 0 for each
// item, tells where each kept item goes, and its total how many there are.
#include <mgpu/scan.h>
#include <cuda_runtime.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/scatter.h>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <random>
#include <vector>

namespace {

template <class T>
using on_gpu = thrust::device_vector<T>;
template <class T>
using on_cpu = thrust::host_vector<T>;

struct is_multiple_of_seven {
  __host__ __device__ int operator()(std::uint32_t item) const { return item % 7 == 0 ? 1 : 0; }
};

// Where the vectors live decides where all of this runs.
template <template <class> class Vector>
thrust::host_vector<std::uint32_t> keep(Vector<std::uint32_t> const& items) {
  Vector<int> places(items.size());
  Vector<int> count(1);
  mgpu::transform_exclusive_scan_with_total(items.begin(), items.end(), places.begin(), count.begin(),
                                            is_multiple_of_seven{}, 0, cuda::std::plus<>{});
  Vector<std::uint32_t> kept(static_cast<std::size_t>(count[0]));
  thrust::scatter_if(items.begin(), items.end(), places.begin(), items.begin(), kept.begin(), is_multiple_of_seven{});
  return kept;
}

}  // namespace

int main() {
  std::mt19937 random(2013);
  thrust::host_vector<std::uint32_t> items(1000000);
  for (auto& item : items) item = static_cast<std::uint32_t>(random());

  int devices = 0;
  bool const gpu = cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
  auto const kept = gpu ? keep<on_gpu>(items) : keep<on_cpu>(items);
  std::printf("The %s kept %zu of %zu items\n", gpu ? "GPU" : "CPU", kept.size(), items.size());

  std::vector<std::uint32_t> expected;
  std::copy_if(items.begin(), items.end(), std::back_inserter(expected), is_multiple_of_seven{});
  bool const right = std::equal(kept.begin(), kept.end(), expected.begin(), expected.end());
  return right ? 0 : 1;
}
