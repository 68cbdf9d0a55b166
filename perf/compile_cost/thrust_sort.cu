// One call of thrust::sort<int>, for compile_cost.py.
#include <thrust/sort.h>
#include <thrust/system/cuda/execution_policy.h>

int main(int argc, char**) {
  int* keys = nullptr;
  cudaMalloc(&keys, sizeof(int) * argc);
  thrust::sort(thrust::cuda::par, keys, keys + argc);
}
