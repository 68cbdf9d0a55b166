// Finds the largest number so far at each place of a sequence: an inclusive scan by another operator than a sum.
#include <mgpu/scan.h>
#include <cuda_runtime.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <algorithm>
#include <cstdio>
#include <random>

namespace {

struct larger_of {
  __host__ __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};

// Scans in place. Where the vector lives decides where the scan runs.
template <class Vector>
thrust::host_vector<int> largest_so_far(Vector numbers) {
  mgpu::inclusive_scan(numbers.begin(), numbers.end(), numbers.begin(), larger_of{});
  return thrust::host_vector<int>(numbers);
}

void print(char const* title, thrust::host_vector<int> const& items) {
  std::printf("%s\n", title);
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i % 10 == 0) std::printf("%5zu:", i);
    std::printf("%6d%s", items[i], i % 10 == 9 ? "\n" : "");
  }
}

}  // namespace

int main() {
  // The numbers lie around a line that rises, so that there is something new to be found all the way.
  std::mt19937 random(2013);
  thrust::host_vector<int> numbers(100);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = static_cast<int>(5 * i) - 500 + static_cast<int>(random() % 400);
  }

  int devices = 0;
  bool const gpu = cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
  auto const found = gpu ? largest_so_far(thrust::device_vector<int>(numbers)) : largest_so_far(numbers);
  print("Numbers:", numbers);
  print("Largest so far:", found);
  std::printf("By the %s\n", gpu ? "GPU" : "CPU");

  bool right = true;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    right = right && found[i] == *std::max_element(numbers.begin(), numbers.begin() + static_cast<long>(i) + 1);
  }
  return right ? 0 : 1;
}
