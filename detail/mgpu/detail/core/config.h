// What kind of build this is, and the few words that every layer needs.
//
// The library is compiled in one of three ways:
//   by nvcc                          kernels and host code, for a GPU;
//   by a C++ compiler                host code: only the host policy can run;
//   the same with MGPU_EMULATED      kernels as C++ over the emulator in test/emulator (tests only).
#pragma once
#include <cuda/std/version>
#include <cuda_runtime_api.h>  // also gives __host__ and its kin a meaning (none) outside nvcc

#if defined(__CUDACC__) || defined(MGPU_EMULATED)
#define MGPU_HAS_DEVICE 1
#else
#define MGPU_HAS_DEVICE 0
#endif

#if !defined(__launch_bounds__)
#define __launch_bounds__(...)
#endif

// A function that stays one, so that its callers are smaller and sooner compiled.
#if defined(_MSC_VER)
#define MGPU_NOINLINE __declspec(noinline)
#else
#define MGPU_NOINLINE __attribute__((noinline))
#endif

// All of mgpu stands in an inline namespace that names what the file at hand is compiled for: architectures, and the
// kind of default stream. Kernels belong to their file, but of the functions that launch them the linker keeps one of
// each name for the whole program: it would call the kernels of another file, which may not be there for the device.
// From here on `namespace mgpu::detail` is the one in there.
#if !defined(__CUDA_ARCH_LIST__)
#define MGPU_ABI_NAMESPACE no_sm
#elif defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define MGPU_ABI_NAMESPACE _CCCL_PP_SPLICE_WITH(_, sm, __CUDA_ARCH_LIST__, per_thread)
#else
#define MGPU_ABI_NAMESPACE _CCCL_PP_SPLICE_WITH(_, sm, __CUDA_ARCH_LIST__)
#endif
namespace mgpu {
inline namespace MGPU_ABI_NAMESPACE {
namespace detail {}
}  // namespace MGPU_ABI_NAMESPACE
}  // namespace mgpu

namespace mgpu::detail {

constexpr int threads_per_warp = 32;

// Architecture that the code at hand is compiled for, as ten times the compute capability (90 for 9.0).
// In nvcc's host pass, where nothing is launched by this number, it is 0.
__host__ __device__ constexpr int current_arch() {
#if defined(__CUDA_ARCH__)
  return __CUDA_ARCH__ / 10;
#elif defined(MGPU_EMULATED)
  return MGPU_EMULATED;
#else
  return 0;
#endif
}

// What a block may have of shared memory wherever code compiled for that architecture runs as it is: that for 8.0 runs
// on 8.6 and 8.9, too.
__host__ __device__ constexpr int max_shared_bytes(int arch) {
  int const kilobytes = arch < 80 ? 64 : arch < 90 || arch >= 120 ? 99 : 227;
  return kilobytes * 1024;
}
// Whether tiles may be as large as on the chips of data centres.
__host__ __device__ constexpr bool has_large_blocks(int arch) { return max_shared_bytes(arch) > 200 * 1024; }

}  // namespace mgpu::detail
