// What the host knows of a kernel and of its device.
#pragma once
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/check.h>
#include <cstddef>
#include <cstdint>

namespace mgpu::detail {

// A thread remembers these facts of a kernel on a device, as asking the runtime takes as long as a tenth of a small call.
struct kernel_facts {
  void const* kernel;
  int device;
  int arch;                  // the one it was compiled for, which need not be the device's own
  std::size_t shared_bytes;  // how many a block may have
};

// Returns what the thread knows of the kernel on the call's device, and asks the runtime if that is nothing yet.
MGPU_NOINLINE inline kernel_facts& facts_of(device_call const& call, void const* kernel) {
  constexpr std::size_t num_kernels = 256, bytes_of_any = 48 * 1024;
  thread_local kernel_facts kernels[num_kernels] = {};
  int const device = call.device();
  auto const is_it = [&](kernel_facts const& known) { return known.kernel == kernel && known.device == device; };
  // Kernels that want the same place take one of the next, the last of which is given up if all are taken.
  std::size_t place = reinterpret_cast<std::uintptr_t>(kernel) / 16 % num_kernels;
  for (int i = 0; i < 8 && kernels[place].kernel != nullptr && !is_it(kernels[place]); ++i)
    place = (place + 1) % num_kernels;
  kernel_facts& known = kernels[place];
  if (!is_it(known)) {
    cudaFuncAttributes attributes{};
    detail::check(cudaFuncGetAttributes(&attributes, kernel), call.name(), "cudaFuncGetAttributes");
    int const arch = arch_of_code(attributes.ptxVersion, compiled_archs{});
    if (arch == 0) fail_for_linking(call.name(), attributes.ptxVersion);
    known = {kernel, device, arch, bytes_of_any};
  }
  return known;
}

// Returns the architecture the kernel was compiled for, by which its tuning was chosen.
template <class... Params>
int compiled_arch(device_call const& call, void (*kernel)(Params...)) {
  return facts_of(call, reinterpret_cast<void const*>(kernel)).arch;
}

// Returns how many multiprocessors the call's device has.
MGPU_NOINLINE inline int num_multiprocessors(device_call const& call) {
  thread_local int device = -1, count = 0;
  if (device != call.device()) {
    detail::check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, call.device()), call.name(),
                  "cudaDeviceGetAttribute");
    device = call.device();
  }
  return count;
}

// Sets an attribute of the kernel on the call's device. cudaFuncSetAttribute would take back an earlier error's mark.
MGPU_NOINLINE inline void set_attribute(device_call const& call, void const* kernel, cudaFuncAttribute which,
                                        int value) {
  cudaKernel_t handle = nullptr;
  detail::check(cudaGetKernel(&handle, kernel), call.name(), "cudaGetKernel");
  detail::check(cudaKernelSetAttributeForDevice(handle, which, value, call.device()), call.name(),
                "cudaKernelSetAttributeForDevice");
}

// Lets blocks of the kernel have `bytes` bytes of shared memory, or throws where the device has less.
MGPU_NOINLINE inline void allow_shared(device_call const& call, void const* kernel, std::size_t bytes) {
  kernel_facts& known = facts_of(call, kernel);
  if (bytes <= known.shared_bytes) return;
  int most = 0;
  detail::check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, call.device()), call.name(),
                "cudaDeviceGetAttribute");
  if (bytes > static_cast<std::size_t>(most)) fail_for_shared(call.name(), known.arch, bytes, most);
  set_attribute(call, kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  known.shared_bytes = bytes;
}

}  // namespace mgpu::detail
