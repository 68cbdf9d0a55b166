// The kind of build is found out here, and the few names that every layer needs are defined.
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

// Keeps a function from being inlined, so that its callers are smaller and compile faster.
#if defined(_MSC_VER)
#define MGPU_NOINLINE __declspec(noinline)
#else
#define MGPU_NOINLINE __attribute__((noinline))
#endif

// All of mgpu stands in an inline namespace that names what this file is compiled for: the architectures, and the
// kind of default stream. Kernels belong to their file, but of the functions that launch them the linker keeps one of
// each name for the whole program: without such a name it would call the kernels of another file, which may not be
// there for the device. From here on `namespace mgpu::detail` means the one in that inline namespace.
#if !defined(__CUDA_ARCH_LIST__)
#define MGPU_ABI_TARGET no_sm
#elif defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define MGPU_ABI_TARGET _CCCL_PP_SPLICE_WITH(_, sm, __CUDA_ARCH_LIST__, per_thread)
#else
#define MGPU_ABI_TARGET _CCCL_PP_SPLICE_WITH(_, sm, __CUDA_ARCH_LIST__)
#endif
// The name also tells the switches that a program may set for finding faults: MGPU_SYNC_LAUNCHES, with which the
// library waits for each kernel and names the one that failed, and MGPU_NVTX, with which profilers show each call by
// its name.
#if defined(MGPU_SYNC_LAUNCHES) && defined(MGPU_NVTX)
#define MGPU_ABI_NAMESPACE _CCCL_PP_SPLICE_WITH(_, MGPU_ABI_TARGET, sync_nvtx)
#elif defined(MGPU_SYNC_LAUNCHES)
#define MGPU_ABI_NAMESPACE _CCCL_PP_SPLICE_WITH(_, MGPU_ABI_TARGET, sync)
#elif defined(MGPU_NVTX)
#define MGPU_ABI_NAMESPACE _CCCL_PP_SPLICE_WITH(_, MGPU_ABI_TARGET, nvtx)
#else
#define MGPU_ABI_NAMESPACE MGPU_ABI_TARGET
#endif
namespace mgpu {
inline namespace MGPU_ABI_NAMESPACE {
namespace detail {}
}  // namespace MGPU_ABI_NAMESPACE
}  // namespace mgpu

namespace mgpu::detail {

constexpr int threads_per_warp = 32;
constexpr int max_threads_per_block = 1024;

}  // namespace mgpu::detail
