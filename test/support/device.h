// By these a test source runs over the emulator, on the host policy, and on a GPU alike.
#pragma once
#include <mgpu/detail/simt/launch.h>
#include <mgpu/execution_policy.h>
#include <cuda_runtime_api.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <vector>

namespace test {

// Tells whether a device can run kernels, which is a GPU or the emulator, but never in the build for the host policy.
inline bool has_device() {
#if defined(MGPU_TEST_HOST)
  return false;
#else
  int devices = 0;
  return cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
#endif
}

// As a suite's precondition it skips the suite, with a message, where the build wants a device and the machine has
// none.
struct can_run {
  boost::test_tools::assertion_result operator()(boost::unit_test::test_unit_id) const {
#if defined(MGPU_TEST_HOST)
    return true;
#else
    boost::test_tools::assertion_result result(has_device());
    if (!result) result.message() << "no GPU on this machine";
    return result;
#endif
  }
};

// As a precondition it also skips a suite where the device launches no clusters of blocks.
struct can_run_clusters {
  boost::test_tools::assertion_result operator()(boost::unit_test::test_unit_id id) const {
    auto result = can_run()(id);
    int clusters = 0;
    if (result && (cudaDeviceGetAttribute(&clusters, cudaDevAttrClusterLaunch, 0) != cudaSuccess || clusters == 0)) {
      result = false;
      result.message() << "this device launches no clusters";
    }
    return result;
  }
};

// This is the policy under test.
#if defined(MGPU_TEST_HOST)
inline auto const& policy = mgpu::host;
#else
inline auto const& policy = mgpu::par;
#endif

// Returns the policy under test with a tuning, which the host does not have.
template <class Selector>
auto tuned([[maybe_unused]] Selector selector) {
#if defined(MGPU_TEST_HOST)
  return policy;
#else
  return policy.with_tuning(selector);
#endif
}

// Threads of a test call this at the same time, which Boost.Test does not allow: so it is not told of successes.
inline void require(cudaError_t status) {
  if (status != cudaSuccess) BOOST_REQUIRE_EQUAL(cudaGetErrorString(status), cudaGetErrorString(cudaSuccess));
}

// A buffer is a range in the memory that the policy works on. `shift` items lie unused before it, so that it can
// start at any alignment of its type.
template <class T>
class buffer {
 public:
  explicit buffer(std::size_t count, std::size_t shift = 0) : count_(count), shift_(shift) {
#if defined(MGPU_TEST_HOST)
    memory_ = static_cast<T*>(::operator new ((count + shift) * sizeof(T) + 1, std::align_val_t{256}));
#else
    void* memory = nullptr;
    require(cudaMalloc(&memory, (count + shift) * sizeof(T) + 1));
    memory_ = static_cast<T*>(memory);
#endif
  }
  explicit buffer(std::vector<T> const& items, std::size_t shift = 0) : buffer(items.size(), shift) { set(items); }
  buffer(buffer const&) = delete;
  buffer& operator=(buffer const&) = delete;
  ~buffer() {
#if defined(MGPU_TEST_HOST)
    ::operator delete (memory_, std::align_val_t{256});
#else
    cudaFree(memory_);
#endif
  }

  T* begin() { return memory_ + shift_; }
  T* end() { return begin() + count_; }
  std::size_t size() const { return count_; }

  void set(std::vector<T> const& items) {
    if (items.size() != count_) BOOST_REQUIRE_EQUAL(items.size(), count_);
    copy(begin(), items.data(), items.size() * sizeof(T), cudaMemcpyHostToDevice);
#if !defined(MGPU_TEST_HOST) && !defined(MGPU_EMULATED)
    // A copy from pageable memory may still be under way, and streams that do not wait for the default one do not
    // know.
    require(cudaStreamSynchronize(nullptr));
#endif
  }
  // Waits for the default stream, and returns the items.
  std::vector<T> get() const {
    std::vector<T> items(count_);
    copy(items.data(), memory_ + shift_, count_ * sizeof(T), cudaMemcpyDeviceToHost);
    return items;
  }

 private:
  static void copy(void* to, void const* from, std::size_t bytes, [[maybe_unused]] cudaMemcpyKind kind) {
    if (bytes == 0) return;
#if defined(MGPU_TEST_HOST)
    std::memcpy(to, from, bytes);
#else
    require(cudaMemcpy(to, from, bytes, kind));
#endif
  }

  std::size_t count_;
  std::size_t shift_;
  T* memory_;
};

#if MGPU_HAS_DEVICE
// Runs a test's own kernel to its end.
template <class... Params, class... Args>
void run_kernel(void (*kernel)(Params...), std::int64_t num_blocks, int threads_per_block, std::size_t shared_bytes,
                Args const&... args) {
  require(
      mgpu::detail::simt::enqueue(kernel, {num_blocks, threads_per_block, shared_bytes}, cudaStreamLegacy, args...));
  require(cudaDeviceSynchronize());
}
#endif

}  // namespace test
