// A user with nvcc has both policies in one program. Where there is no GPU, the device call is an empty range, which
// does nothing, and the host policy does the sorting.
#include <mgpu/sort.h>
#include <algorithm>
#include <cstdio>
#include <vector>
#include <cuda_runtime_api.h>

int main() {
  std::vector<int> keys{3, -1, 2, -5, 0};
  int* none = nullptr;
  mgpu::sort(mgpu::par, none, none);

  int num_devices = 0;
  if (cudaGetDeviceCount(&num_devices) == cudaSuccess && num_devices > 0) {
    int* device_keys = nullptr;
    std::size_t const bytes = keys.size() * sizeof(int);
    if (cudaMalloc(&device_keys, bytes) != cudaSuccess) return 2;
    cudaMemcpy(device_keys, keys.data(), bytes, cudaMemcpyHostToDevice);
    mgpu::sort(mgpu::par, device_keys, device_keys + keys.size());
    cudaMemcpy(keys.data(), device_keys, bytes, cudaMemcpyDeviceToHost);
    cudaFree(device_keys);
  } else {
    std::puts("no GPU here: sorting by the host policy");
    mgpu::sort(mgpu::host, keys.begin(), keys.end());
  }
  bool const sorted = std::is_sorted(keys.begin(), keys.end());
  std::puts(sorted ? "sorted" : "NOT sorted");
  return sorted ? 0 : 1;
}
