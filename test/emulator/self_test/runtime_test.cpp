// The stand-in for the CUDA runtime counts calls, makes calls fail, and keeps errors as it must.
#include "launch.h"
#include <boost/test/unit_test.hpp>
#include <cstring>

namespace self_test {
namespace {

namespace runtime = mgpu::emulator::runtime;

struct fresh_runtime {
  fresh_runtime() { runtime::reset(); }
  ~fresh_runtime() { runtime::reset(); }
};

BOOST_FIXTURE_TEST_SUITE(stand_in, fresh_runtime)

BOOST_AUTO_TEST_CASE(memory_is_filled_counted_and_freed) {
  auto const before = runtime::live();
  unsigned char* memory = nullptr;
  BOOST_TEST(cudaMalloc(reinterpret_cast<void**>(&memory), 1000) == cudaSuccess);
  BOOST_TEST(memory[0] == 0xA5);
  BOOST_TEST(memory[999] == 0xA5);
  BOOST_TEST(reinterpret_cast<std::uintptr_t>(memory) % 256 == 0u);
  BOOST_TEST(runtime::live().allocations == before.allocations + 1);
  BOOST_TEST(runtime::live().bytes == before.bytes + 1000);
  BOOST_TEST(cudaFree(memory) == cudaSuccess);
  BOOST_TEST(runtime::live().allocations == before.allocations);
  BOOST_TEST(runtime::live().bytes == before.bytes);
  BOOST_TEST(cudaFree(memory) == cudaErrorInvalidValue);
  BOOST_TEST(cudaFree(nullptr) == cudaSuccess);
  BOOST_TEST(runtime::counters().allocations == 1u);
  BOOST_TEST(runtime::counters().frees == 3u);
}

BOOST_AUTO_TEST_CASE(too_much_memory) {
  void* memory = nullptr;
  BOOST_TEST(cudaMalloc(&memory, std::size_t{1} << 50) == cudaErrorMemoryAllocation);
  BOOST_TEST(memory == nullptr);
}

BOOST_AUTO_TEST_CASE(stream_ordered_memory_is_not_freed_by_the_wrong_function) {
  void* memory = nullptr;
  BOOST_TEST(cudaMalloc(&memory, 8) == cudaSuccess);
  BOOST_TEST(cudaFreeAsync(memory, nullptr) == cudaErrorInvalidValue);
  BOOST_TEST(cudaFree(memory) == cudaSuccess);
  BOOST_TEST(cudaMallocAsync(&memory, 8, nullptr) == cudaSuccess);
  BOOST_TEST(cudaFreeAsync(memory, nullptr) == cudaSuccess);
}

BOOST_AUTO_TEST_CASE(last_error) {
  BOOST_TEST(cudaSetDevice(9) == cudaErrorInvalidDevice);
  BOOST_TEST(cudaPeekAtLastError() == cudaErrorInvalidDevice);
  BOOST_TEST(cudaSetDevice(0) == cudaSuccess);  // a success does not clear it
  BOOST_TEST(cudaPeekAtLastError() == cudaErrorInvalidDevice);
  BOOST_TEST(cudaGetLastError() == cudaErrorInvalidDevice);
  BOOST_TEST(cudaGetLastError() == cudaSuccess);
  BOOST_TEST(std::strcmp(cudaGetErrorName(cudaErrorInvalidDevice), "cudaErrorInvalidDevice") == 0);
}

// This program makes five calls that can fail. Each is made to fail, and a sixth, which does not exist, is not.
cudaError_t small_program() {
  int device = 0;
  void* memory = nullptr;
  cudaError_t status = cudaGetDevice(&device);
  if (status == cudaSuccess) status = cudaMallocAsync(&memory, 64, nullptr);
  if (status == cudaSuccess) status = cudaMemsetAsync(memory, 0, 64, nullptr);
  if (status == cudaSuccess) status = simt::enqueue(deadlock_kernel, {1, 2048, 0}, nullptr);
  if (status == cudaErrorInvalidConfiguration) status = cudaStreamSynchronize(nullptr);
  static_cast<void>(cudaFreeAsync(memory, nullptr));
  return status;
}

BOOST_AUTO_TEST_CASE(each_call_can_be_made_to_fail) {
  cudaError_t const expected[] = {cudaErrorUnknown, cudaErrorMemoryAllocation, cudaErrorUnknown,
                                  cudaErrorLaunchOutOfResources, cudaErrorUnknown};
  auto const before = runtime::live();
  for (std::uint64_t k = 1; k <= 6; ++k) {
    runtime::reset();
    runtime::fail_at(k);
    BOOST_TEST(small_program() == (k <= 5 ? expected[k - 1] : cudaSuccess));
    BOOST_TEST(runtime::failure_pending() == (k == 6));
    BOOST_TEST(runtime::live().allocations == before.allocations);
    if (k <= 3 || k == 5) BOOST_TEST(runtime::counters().injectable == k);
  }
  runtime::fail_at(2, cudaErrorLaunchFailure);
  runtime::reset();
  runtime::fail_at(2, cudaErrorLaunchFailure);
  BOOST_TEST(small_program() == cudaErrorLaunchFailure);
  BOOST_TEST(cudaGetLastError() == cudaErrorLaunchFailure);
  BOOST_TEST(small_program() == cudaSuccess);  // once
}

BOOST_AUTO_TEST_CASE(the_kth_allocation_fails) {
  runtime::fail_allocation_at(2);
  void *first = nullptr, *second = nullptr;
  BOOST_TEST(cudaMalloc(&first, 8) == cudaSuccess);
  BOOST_TEST(cudaMallocAsync(&second, 8, nullptr) == cudaErrorMemoryAllocation);
  BOOST_TEST(cudaMallocAsync(&second, 8, nullptr) == cudaSuccess);
  BOOST_TEST(cudaFree(first) == cudaSuccess);
  BOOST_TEST(cudaFree(second) == cudaSuccess);
}

BOOST_AUTO_TEST_CASE(launches_can_be_made_to_fail) {
  runtime::fail_at(1);
  BOOST_TEST(simt::enqueue(throwing_kernel, {1, 32, 0}, nullptr) == cudaErrorLaunchOutOfResources);
  BOOST_TEST(runtime::counters().launches == 1u);
}

BOOST_AUTO_TEST_CASE(no_driver) {
  runtime::no_device(true);
  int count = 77;
  BOOST_TEST(cudaGetDeviceCount(&count) == cudaErrorInsufficientDriver);
  BOOST_TEST(count == 77);
  BOOST_TEST(cudaGetLastError() == cudaErrorInsufficientDriver);
  BOOST_TEST(cudaGetLastError() == cudaErrorInsufficientDriver);
  runtime::no_device(false);
  BOOST_TEST(cudaGetDeviceCount(&count) == cudaSuccess);
  BOOST_TEST(count == 1);
}

BOOST_AUTO_TEST_CASE(synchronisations_are_counted) {
  BOOST_TEST(cudaStreamSynchronize(nullptr) == cudaSuccess);
  BOOST_TEST(cudaDeviceSynchronize() == cudaSuccess);
  void* memory = nullptr;
  BOOST_TEST(cudaMalloc(&memory, 8) == cudaSuccess);
  BOOST_TEST(cudaFree(memory) == cudaSuccess);
  BOOST_TEST(runtime::counters().stream_synchronizations == 1u);
  BOOST_TEST(runtime::counters().device_synchronizations == 3u);
  BOOST_TEST(runtime::counters().calls == 4u);
}

std::uint64_t attribute(cudaMemPool_t pool, cudaMemPoolAttr which) {
  std::uint64_t value = 0;
  BOOST_TEST(cudaMemPoolGetAttribute(pool, which, &value) == cudaSuccess);
  return value;
}

BOOST_AUTO_TEST_CASE(pools_keep_what_their_threshold_allows) {
  cudaMemPoolProps properties{};
  cudaMemPool_t pool = nullptr;
  void* memory = nullptr;
  std::uint64_t threshold = 100;
  BOOST_TEST(cudaMemPoolCreate(&pool, &properties) == cudaSuccess);
  BOOST_TEST(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold) == cudaSuccess);
  BOOST_TEST(cudaMallocFromPoolAsync(&memory, 1000, pool, nullptr) == cudaSuccess);
  BOOST_TEST(attribute(pool, cudaMemPoolAttrUsedMemCurrent) == 1000u);
  BOOST_TEST(cudaMemPoolDestroy(pool) == cudaErrorInvalidValue);  // in use
  BOOST_TEST(cudaFreeAsync(memory, nullptr) == cudaSuccess);
  BOOST_TEST(attribute(pool, cudaMemPoolAttrReservedMemCurrent) == 1000u);
  BOOST_TEST(cudaStreamSynchronize(nullptr) == cudaSuccess);
  BOOST_TEST(attribute(pool, cudaMemPoolAttrReservedMemCurrent) == 100u);
  BOOST_TEST(cudaMemPoolTrimTo(pool, 0) == cudaSuccess);
  BOOST_TEST(attribute(pool, cudaMemPoolAttrReservedMemCurrent) == 0u);
  BOOST_TEST(cudaMemPoolDestroy(pool) == cudaSuccess);

  runtime::no_memory_pools(true);
  int supported = 1;
  BOOST_TEST(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0) == cudaSuccess);
  BOOST_TEST(supported == 0);
  BOOST_TEST(cudaMemPoolCreate(&pool, &properties) == cudaErrorNotSupported);
}

BOOST_AUTO_TEST_CASE(kernels_need_leave_for_much_shared_memory) {
  struct storage {
    char bytes[64 * 1024];
  };
  void (*const kernel)() = [] { simt::shared<storage>().bytes[simt::thread_rank()] = 1; };
  auto const* const address = reinterpret_cast<void const*>(kernel);
  BOOST_TEST(simt::enqueue(kernel, {1, 32, sizeof(storage)}, nullptr) == cudaErrorInvalidValue);
  BOOST_TEST(cudaFuncSetAttribute(address, cudaFuncAttributeMaxDynamicSharedMemorySize, 228 * 1024) ==
             cudaErrorInvalidValue);
  BOOST_TEST(cudaFuncSetAttribute(address, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(storage)) ==
             cudaSuccess);
  BOOST_TEST(simt::enqueue(kernel, {1, 32, sizeof(storage)}, nullptr) == cudaSuccess);
  cudaFuncAttributes attributes{};
  BOOST_TEST(cudaFuncGetAttributes(&attributes, address) == cudaSuccess);
  BOOST_TEST(attributes.ptxVersion == mgpu::detail::current_arch());
  BOOST_TEST(attributes.maxDynamicSharedSizeBytes == 64 * 1024);

  // One of the two ways to allow it takes back the mark of an earlier error.
  cudaKernel_t handle = nullptr;
  BOOST_TEST(cudaSetDevice(99) == cudaErrorInvalidDevice);
  BOOST_TEST(cudaGetKernel(&handle, address) == cudaSuccess);
  BOOST_TEST(cudaKernelSetAttributeForDevice(handle, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024, 0) ==
             cudaSuccess);
  BOOST_TEST(cudaPeekAtLastError() == cudaErrorInvalidDevice);
  BOOST_TEST(simt::enqueue(kernel, {1, 32, sizeof(storage)}, nullptr) == cudaErrorInvalidValue);
  BOOST_TEST(cudaFuncSetAttribute(address, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(storage)) ==
             cudaSuccess);
  BOOST_TEST(cudaPeekAtLastError() == cudaSuccess);
}

BOOST_AUTO_TEST_CASE(launches_in_clusters) {
  void (*const kernel)() = [] { static_cast<void>(simt::cluster_rank()); };
  auto const* const address = reinterpret_cast<void const*>(kernel);
  cudaStream_t stream = nullptr;
  auto const status = [&](std::int64_t num_blocks, int blocks_per_cluster) {
    return simt::enqueue(kernel, {num_blocks, 32, 0, blocks_per_cluster}, stream);
  };
  auto const active_clusters = [&](unsigned blocks_per_cluster, std::size_t shared_bytes) {
    cudaLaunchAttribute cluster{};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = blocks_per_cluster;
    cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(blocks_per_cluster);
    config.blockDim = dim3(1024);
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream;
    config.attrs = &cluster;
    config.numAttrs = 1;
    int clusters = -1;
    BOOST_TEST(cudaOccupancyMaxActiveClusters(&clusters, address, &config) == cudaSuccess);
    return clusters;
  };
  BOOST_TEST(status(16, 8) == cudaSuccess);
  BOOST_TEST(status(17, 8) == cudaErrorInvalidClusterSize);
  BOOST_TEST(status(18, 9) == cudaErrorInvalidClusterSize);
  BOOST_TEST(status(2, 0) == cudaErrorInvalidClusterSize);
  BOOST_TEST(active_clusters(2, 0) == 4);
  BOOST_TEST(active_clusters(8, 48 * 1024) == 1);
  BOOST_TEST(active_clusters(16, 0) == 0);
  BOOST_TEST(active_clusters(2, 48 * 1024 + 1) == 0);

  cudaFuncAttribute const allowed = cudaFuncAttributeNonPortableClusterSizeAllowed;
  BOOST_TEST(cudaFuncSetAttribute(address, allowed, 2) == cudaErrorInvalidValue);
  BOOST_TEST(cudaFuncSetAttribute(address, allowed, 1) == cudaSuccess);
  cudaFuncAttributes attributes{};
  BOOST_TEST(cudaFuncGetAttributes(&attributes, address) == cudaSuccess);
  BOOST_TEST(attributes.nonPortableClusterSizeAllowed == 1);
  BOOST_TEST(status(32, 16) == cudaSuccess);
  BOOST_TEST(status(17, 17) == cudaErrorInvalidClusterSize);
  BOOST_TEST(active_clusters(16, 0) == 1);

  BOOST_TEST(cudaStreamCreate(&stream) == cudaSuccess);
  runtime::largest_cluster(stream, 4);  // as in a green context
  BOOST_TEST(status(8, 4) == cudaSuccess);
  BOOST_TEST(status(8, 8) == cudaErrorInvalidClusterSize);
  BOOST_TEST(active_clusters(4, 0) > 0);
  BOOST_TEST(active_clusters(8, 0) == 0);
  BOOST_TEST(cudaStreamDestroy(stream) == cudaSuccess);
  stream = nullptr;
  BOOST_TEST(cudaFuncSetAttribute(address, allowed, 0) == cudaSuccess);
  BOOST_TEST(status(32, 16) == cudaErrorInvalidClusterSize);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace self_test
