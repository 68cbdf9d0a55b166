// The library compiles beside a Thrust that the program keeps in a namespace of its own. This never runs.
#include <mgpu/mgpu.h>
#include <thrust/execution_policy.h>
#include <thrust/system/cuda/execution_policy.h>
#include <cstddef>
#include <vector>

void with_wrapped_thrust(std::vector<int>& items, int* memory, std::size_t& bytes) {
  mgpu::sort(items.begin(), items.end());
  mgpu::sort_by_key(mgpu::par_nosync, memory, memory + 10, memory + 10);
  mgpu::merge_by_key(mgpu::par.query_scratch(bytes), memory, memory + 1, memory, memory + 1, memory, memory,
                     memory + 2, memory + 2);
  mgpu::inclusive_scan(of_the_program::thrust::device, memory, memory + 10, memory);
  mgpu::reduce_into(of_the_program::thrust::cuda::par_nosync.on(nullptr), memory, memory + 10, memory);
}
