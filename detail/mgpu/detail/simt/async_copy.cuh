// The hardware seam, part of asynchronous copies: copies into shared memory that go on while the thread does other
// work.
#pragma once
#include <mgpu/detail/core/config.h>

#if defined(MGPU_EMULATED)
#include <emulator/async_copy.h>
#elif defined(__CUDACC__)

namespace mgpu::detail::simt {

// The copies of one thread from global to shared memory. After wait() this thread sees what they brought; other
// threads see it after a barrier.
class async_copies {
 public:
  // Starts to copy 4, 8 or 16 bytes; both addresses are multiples of that.
  template <int bytes>
  __device__ __forceinline__ void start(void* to_shared, void const* from) {
    static_assert(bytes == 4 || bytes == 8 || bytes == 16);
#if __CUDA_ARCH__ >= 800
    auto const target = static_cast<unsigned>(__cvta_generic_to_shared(to_shared));
    if constexpr (bytes == 16) {
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(target), "l"(from) : "memory");
    } else {
      asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(target), "l"(from), "n"(bytes) : "memory");
    }
#else
    struct alignas(bytes) piece {
      unsigned words[bytes / 4];
    };
    *static_cast<piece*>(to_shared) = *static_cast<piece const*>(from);
#endif
  }

  // Returns when all copies that this thread has started are done.
  __device__ __forceinline__ void wait() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
  }
};

}  // namespace mgpu::detail::simt
#endif
