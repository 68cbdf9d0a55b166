// A CUDA error becomes an exception that names the call. Device code is spared what that takes, as it is much to parse.
#pragma once
#include <mgpu/detail/core/config.h>
#include <cstddef>
#if !defined(__CUDA_ARCH__)
#include <thrust/system/cuda/error.h>
#include <thrust/system_error.h>
#include <cstdio>
#include <new>
#endif

namespace mgpu::detail {
// Takes back the mark that a failed runtime call left, so that the next one to look for errors is not misled. A mark
// of another kind was left by other code and stays.
inline void forget(cudaError_t ours) noexcept {
  if (ours != cudaSuccess && cudaPeekAtLastError() == ours) static_cast<void>(cudaGetLastError());
}

#if !defined(__CUDA_ARCH__)
constexpr std::size_t max_message_bytes = 512;  // std::string would be compiled anew for each file
// The exception for a failed allocation. Its message names the call.
class allocation_error : public std::bad_alloc {
 public:
  explicit allocation_error(char const* message) { std::snprintf(message_, sizeof(message_), "%s", message); }
  char const* what() const noexcept override { return message_; }

 private:
  char message_[max_message_bytes];
};

// Throws what `status`, the result of the runtime call `what`, stands for: allocation_error or thrust::system_error.
MGPU_NOINLINE inline void fail(cudaError_t status, char const* name, char const* what) {
  detail::forget(status);
  char message[max_message_bytes];
  bool const is_memory = status == cudaErrorMemoryAllocation;
  std::snprintf(message, sizeof(message), "%s: %s%s", name, what, is_memory ? ": out of device memory" : "");
  if (is_memory) throw allocation_error(message);
  throw THRUST_NS_QUALIFIER::system_error(status, THRUST_NS_QUALIFIER::cuda_category(), message);
}

// Throws because the caller's own memory is too small for the call.
MGPU_NOINLINE inline void fail_for_room(char const* name, std::size_t needed, std::size_t got) {
  char message[max_message_bytes];
  std::snprintf(message, sizeof(message), "%s: needs %zu bytes of scratch, got %zu", name, needed, got);
  throw allocation_error(message);
}

// Throws because the kernel's code for another architecture runs here, but needs larger blocks than the device allows.
MGPU_NOINLINE inline void fail_for_shared(char const* name, int arch, std::size_t needed, int got) {
  char what[max_message_bytes];
  auto const form =
      "compiled for compute capability %d.%d it needs %zu bytes of shared memory for a block, this "
      "device has %d; compile for the device's own";
  std::snprintf(what, sizeof(what), form, arch / 10, arch % 10, needed, got);
  detail::fail(cudaErrorNoKernelImageForDevice, name, what);
}

// Throws because the linker made the code for one architecture from code for another, and does not tell from which.
MGPU_NOINLINE inline void fail_for_linking(char const* name, int arch) {
  char what[max_message_bytes];
  auto const form =
      "linked for compute capability %d.%d (-dlto) from code for several others; compile for %d.%d, "
      "too, or for one architecture alone";
  std::snprintf(what, sizeof(what), form, arch / 10, arch % 10, arch / 10, arch % 10);
  detail::fail(cudaErrorNoKernelImageForDevice, name, what);
}

#else

void fail(cudaError_t, char const* name, char const* what);
void fail_for_room(char const* name, std::size_t needed, std::size_t got);
void fail_for_shared(char const* name, int arch, std::size_t needed, int got);
void fail_for_linking(char const* name, int arch);

#endif

// Throws unless the runtime call `what`, made for the user's call `name`, succeeded.
inline void check(cudaError_t status, char const* name, char const* what) {
  if (status != cudaSuccess) detail::fail(status, name, what);
}

// Marks a scope in which the library sets up what it keeps for later calls, or gives it back. Otherwise such runtime
// calls fail while a stream is captured, by this thread or in the global mode by any, and invalidate the capture,
// even though they have nothing to do with it.
class relaxed_capture_mode {
 public:
  explicit relaxed_capture_mode(char const* name) {
    detail::check(cudaThreadExchangeStreamCaptureMode(&mode_), name, "cudaThreadExchangeStreamCaptureMode");
  }
  ~relaxed_capture_mode() { static_cast<void>(cudaThreadExchangeStreamCaptureMode(&mode_)); }
  relaxed_capture_mode(relaxed_capture_mode const&) = delete;
  relaxed_capture_mode& operator=(relaxed_capture_mode const&) = delete;

 private:
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

}  // namespace mgpu::detail
