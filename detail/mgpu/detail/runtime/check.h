// A CUDA error becomes an exception that names the call.
#pragma once
#include <mgpu/detail/core/config.h>
#include <cstddef>
// Errors are raised on the host. nvcc parses the file for each architecture too, but there leaves out what raising
// them takes, which is more to parse than the rest of the library.
#if !defined(__CUDA_ARCH__)
#include <thrust/system/cuda/error.h>
#include <thrust/system_error.h>
#include <new>
#include <string>
#endif

namespace mgpu::detail {

// Takes back the mark that a failed runtime call left, so that the next one to look for errors is not misled. A mark
// of another kind was left by other code and stays.
inline void forget(cudaError_t ours) noexcept {
  if (ours != cudaSuccess && cudaPeekAtLastError() == ours) static_cast<void>(cudaGetLastError());
}

#if !defined(__CUDA_ARCH__)

// The exception for a failed allocation. Its message names the call.
class allocation_error : public std::bad_alloc {
 public:
  explicit allocation_error(std::string message) : message_(std::move(message)) {}
  char const* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

// Throws what `status`, the result of the runtime call `what`, stands for: allocation_error or thrust::system_error.
MGPU_NOINLINE inline void fail(cudaError_t status, char const* name, char const* what) {
  detail::forget(status);
  std::string const message = std::string(name) + ": " + what;
  if (status == cudaErrorMemoryAllocation) throw allocation_error(message + ": out of device memory");
  throw THRUST_NS_QUALIFIER::system_error(status, THRUST_NS_QUALIFIER::cuda_category(), message);
}

// Throws because the caller's own memory is too small for the call.
MGPU_NOINLINE inline void fail_for_room(char const* name, std::size_t needed, std::size_t got) {
  throw allocation_error(std::string(name) + ": needs " + std::to_string(needed) + " bytes of scratch, got " +
                         std::to_string(got));
}

inline std::string capability(int arch) { return std::to_string(arch / 10) + '.' + std::to_string(arch % 10); }

// Throws because the kernel's code, compiled for another architecture, runs on this device, but needs larger blocks
// than it allows.
MGPU_NOINLINE inline void fail_for_shared(char const* name, int arch, std::size_t needed, int got) {
  std::string const what = "compiled for compute capability " + detail::capability(arch) + " it needs " +
                           std::to_string(needed) + " bytes of shared memory for a block, this device has " +
                           std::to_string(got) + "; compile for the device's own";
  detail::fail(cudaErrorNoKernelImageForDevice, name, what.c_str());
}

// Throws because the linker made the code for one architecture from code for another, and does not tell from which.
MGPU_NOINLINE inline void fail_for_linking(char const* name, int arch) {
  std::string const linked = detail::capability(arch);
  std::string const what = "linked for compute capability " + linked +
                           " (-dlto) from code for several others; compile for " + linked +
                           ", too, or for one architecture alone";
  detail::fail(cudaErrorNoKernelImageForDevice, name, what.c_str());
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
