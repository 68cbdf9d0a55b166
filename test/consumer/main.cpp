// A user without nvcc calls every algorithm under the host policy, from plain C++. The program links without the CUDA
// runtime, too.
#include <mgpu/mgpu.h>
#if __has_include(<nccl.h>)
#include <mgpu/distributed.h>
#endif
#include <algorithm>
#include <cstdio>
#include <functional>
#include <numeric>
#include <vector>

int main() {
  std::vector<int> const numbers{3, -1, 2, -5, 0};
  std::vector<int> const sorted{-5, -1, 0, 2, 3};
  std::vector<int> keys = numbers;
  std::vector<int> values{0, 1, 2, 3, 4};
  std::vector<int> order(5);
  mgpu::sort_by_key(mgpu::host, keys.begin(), keys.end(), values.begin());
  mgpu::argsort(mgpu::host, numbers.begin(), numbers.end(), order.begin());
  bool right = keys == sorted && values == order && order.front() == 3;

  keys = numbers;
  mgpu::sort(mgpu::host, keys.begin(), keys.end(), [](int a, int b) { return a < b; });
  right = right && keys == sorted;

  std::vector<int> merged(10);
  mgpu::merge(mgpu::host, keys.begin(), keys.end(), sorted.begin(), sorted.end(), merged.begin());
  right = right && std::is_sorted(merged.begin(), merged.end());

  std::vector<int> sums(5);
  std::vector<int> expected(5);
  mgpu::inclusive_scan(mgpu::host, numbers.begin(), numbers.end(), sums.begin());
  std::partial_sum(numbers.begin(), numbers.end(), expected.begin());
  right = right && sums == expected && mgpu::reduce(mgpu::host, numbers.begin(), numbers.end()) == sums.back();

  right =
      right && !mgpu::par_nosync.on(cudaStreamPerThread).blocking();  // the device's policies have only names here
  std::printf("host policy: %s\n", right ? "right" : "WRONG");
  return right ? 0 : 1;
}
