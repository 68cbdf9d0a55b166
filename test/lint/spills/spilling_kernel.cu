// This kernel needs about 100 registers and is allowed 32: the check must catch it.
__global__ void __launch_bounds__(1024, 2) spilling_kernel(int* data) {
  int items[96];
#pragma unroll
  for (int i = 0; i < 96; ++i) items[i] = data[i * 1024 + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 96; ++i) data[(95 - i) * 1024 + threadIdx.x] = items[i] * items[(i * 7 + 3) % 96];
}
