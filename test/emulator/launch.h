// This is the emulated twin of the seam's host part, simt/launch.h: a kernel runs at once, each of its threads a
// fiber.
#pragma once
#include <emulator/device.h>
#include <mgpu/detail/simt/launch.h>

// A launch is the emulator's, not the library's: ASan need not look at how each thread gets its arguments.
#if defined(__clang__) && defined(MGPU_EMULATOR_ASAN)
#pragma clang attribute push(__attribute__((no_sanitize("address", "undefined"))), apply_to = function)
#endif

namespace mgpu::detail::simt {

template <class... Params>
cudaError_t enqueue(void (*kernel)(Params...), grid_shape shape, cudaStream_t stream,
                    argument_of<Params>... arguments) {
  // A thread that has its arguments reads nothing of the host's any more, which may go on: so the kernel is one of them.
  auto const call = [](void (*function)(Params...), Params... own) {
    emulator::device::has_arguments();
    function(own...);
  };
  auto thread = [=] { call(kernel, arguments...); };
  using thread_type = decltype(thread);
  auto const run = [](void* function) { (*static_cast<thread_type*>(function))(); };
  auto const copy = [](void* function) -> void* { return new thread_type(*static_cast<thread_type*>(function)); };
  auto const discard = [](void* function) { delete static_cast<thread_type*>(function); };
  return emulator::device::launch({reinterpret_cast<void const*>(kernel), static_cast<unsigned>(shape.num_blocks),
                                   static_cast<unsigned>(shape.threads_per_block), shape.shared_bytes,
                                   static_cast<unsigned>(shape.blocks_per_cluster), shape.early, stream, run, &thread,
                                   copy, discard});
}

}  // namespace mgpu::detail::simt

#if defined(__clang__) && defined(MGPU_EMULATOR_ASAN)
#pragma clang attribute pop
#endif
