// Reduces as in the classic demonstration: the sum of 100 numbers, and the largest of 100.
#include <mgpu/reduce.h>
#include <cuda_runtime.h>
#include <thrust/device_vector.h>
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

namespace {

struct larger_of {
  __host__ __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};

std::vector<int> random_ints(int count, int most) {
  std::mt19937 random(2013);
  std::vector<int> made(static_cast<std::size_t>(count));
  for (int& item : made) item = static_cast<int>(random() % static_cast<unsigned>(most + 1));
  return made;
}

void print(std::vector<int> const& items) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i % 10 == 0) std::printf("%s%5zu:", i == 0 ? "" : "\n", i);
    std::printf("%6d", items[i]);
  }
  std::printf("\n");
}

// Reduces on the GPU if there is one.
template <class Op>
int reduce(std::vector<int> const& items, int init, Op op) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    return mgpu::reduce(mgpu::host, items.begin(), items.end(), init, op);
  }
  thrust::device_vector<int> const on_device(items.begin(), items.end());
  return mgpu::reduce(mgpu::par, on_device.begin(), on_device.end(), init, op);
}

}  // namespace

int main() {
  auto const numbers = random_ints(100, 9);
  print(numbers);
  int const total = reduce(numbers, 0, cuda::std::plus<>{});
  std::printf("Sum: %d\n\n", total);

  auto const more = random_ints(100, 999);
  print(more);
  int const largest = reduce(more, more[0], larger_of{});
  std::printf("Largest: %d\n", largest);

  bool const right = total == std::accumulate(numbers.begin(), numbers.end(), 0) &&
                     largest == *std::max_element(more.begin(), more.end());
  return right ? 0 : 1;
}
