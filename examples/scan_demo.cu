// Scans as in the classic demonstration: 100 random digits, what lies before each of them, and their total, in one
// pass.
#include <mgpu/scan.h>
#include <cuda_runtime.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <cstdio>
#include <random>

namespace {

struct scanned {
  thrust::host_vector<int> sums;
  int total;
};

// Where the vector lives decides where the scan runs.
template <class Vector>
scanned scan(Vector const& numbers) {
  Vector sums(numbers.size());
  Vector total(1);
  mgpu::exclusive_scan_with_total(numbers.begin(), numbers.end(), sums.begin(), total.begin());
  return {thrust::host_vector<int>(sums), total[0]};
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
  std::mt19937 random(2013);
  thrust::host_vector<int> numbers(100);
  for (int& number : numbers) number = static_cast<int>(random() % 10);

  int devices = 0;
  bool const gpu = cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
  scanned const found = gpu ? scan(thrust::device_vector<int>(numbers)) : scan(numbers);
  print("Numbers:", numbers);
  print("Exclusive scan:", found.sums);
  std::printf("Total: %d, by the %s\n", found.total, gpu ? "GPU" : "CPU");

  int sum = 0;
  bool right = true;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    right = right && found.sums[i] == sum;
    sum += numbers[i];
  }
  return right && found.total == sum ? 0 : 1;
}
