// Records work once and replays it on other data each time: a sort and a scan under par_nosync, captured into a CUDA
// graph, with their scratch memory from a resource of one's own. A replay asks it for none.
#include <mgpu/mgpu.h>
#include <cuda_runtime.h>
#include <thrust/mr/memory_resource.h>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <new>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

namespace {

void check(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

// The memory is stream-ordered, as par_nosync needs it; what is taken and returned during a capture becomes part of
// the graph.
struct counted_memory final : thrust::mr::memory_resource<void*> {
  cudaStream_t stream = nullptr;
  int allocations = 0;
  void* do_allocate(std::size_t bytes, std::size_t) override {
    void* memory = nullptr;
    if (cudaMallocAsync(&memory, bytes, stream) != cudaSuccess) throw std::bad_alloc();
    ++allocations;
    return memory;
  }
  void do_deallocate(void* memory, std::size_t, std::size_t) override { cudaFreeAsync(memory, stream); }
};

}  // namespace

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("Skipped: a CUDA graph needs a GPU\n");
    return 77;
  }
  std::size_t const count = 1000000;
  std::size_t const bytes = count * sizeof(std::uint32_t);
  std::uint32_t *keys = nullptr, *sums = nullptr;
  check(cudaMalloc(&keys, bytes));
  check(cudaMalloc(&sums, bytes));
  counted_memory memory;
  check(cudaStreamCreate(&memory.stream));

  cudaGraph_t graph = nullptr;
  cudaGraphExec_t replay = nullptr;
  check(cudaStreamBeginCapture(memory.stream, cudaStreamCaptureModeThreadLocal));
  auto const policy = mgpu::par_nosync.on(memory.stream)(&memory);
  mgpu::sort(policy, keys, keys + count);
  mgpu::inclusive_scan(policy, keys, keys + count, sums);
  check(cudaStreamEndCapture(memory.stream, &graph));
  check(cudaGraphInstantiate(&replay, graph, 0));
  int const captured = memory.allocations;

  bool right = captured == 2;
  std::mt19937 random(2013);
  std::vector<std::uint32_t> items(count), found(count);
  for (int round = 0; round < 10; ++round) {
    for (auto& item : items) item = static_cast<std::uint32_t>(random());
    check(cudaMemcpyAsync(keys, items.data(), bytes, cudaMemcpyHostToDevice, memory.stream));
    check(cudaGraphLaunch(replay, memory.stream));
    check(cudaMemcpyAsync(found.data(), sums, bytes, cudaMemcpyDeviceToHost, memory.stream));
    check(cudaStreamSynchronize(memory.stream));
    std::sort(items.begin(), items.end());
    std::partial_sum(items.begin(), items.end(), items.begin());
    right = right && found == items;
  }
  std::printf("10 replays; allocations when captured: %d, then: %d\n", captured, memory.allocations - captured);
  return right && memory.allocations == captured ? 0 : 1;
}
