// One call of mgpu::sort<int>, for compile_cost.py.
#include <mgpu/sort.h>

int main(int argc, char**) {
  int* keys = nullptr;
  cudaMalloc(&keys, sizeof(int) * argc);
  mgpu::sort(mgpu::par, keys, keys + argc);
}
