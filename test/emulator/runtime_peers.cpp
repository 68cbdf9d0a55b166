// Here the stand-in runtime has memory of other processes and devices. There is one of each: so what a process opens is
// memory of its own, and whether it may depends on what a test says of processes. A program is to react to nothing that
// fails here, so nothing is made to fail.
#include <emulator/runtime_state.h>
#include <cstring>

using namespace mgpu::emulator::impl;

extern "C" {

cudaError_t cudaDeviceCanAccessPeer(int* can_access, int, int) {
  return answer(call_kind::plain, 0, [&] {
    *can_access = state().peer_access != cudaErrorPeerAccessUnsupported;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
  return answer(call_kind::plain, 0, [] { return state().peer_access; });
}

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* memory) {
  return answer(call_kind::plain, 0, [&] {
    auto const found = state().memory.find(memory);
    if (found == state().memory.end() || found->second.pool != nullptr) return cudaErrorInvalidValue;
    *handle = {};
    std::memcpy(handle->reserved, &memory, sizeof(memory));
    return cudaSuccess;
  });
}
cudaError_t cudaIpcOpenMemHandle(void** opened, cudaIpcMemHandle_t handle, unsigned) {
  return answer(call_kind::plain, 0, [&] {
    void* memory = nullptr;
    std::memcpy(&memory, handle.reserved, sizeof(memory));
    auto const found = state().memory.find(memory);
    if (found == state().memory.end()) return cudaErrorInvalidValue;
    ++found->second.num_openings;
    *opened = memory;
    return cudaSuccess;
  });
}
cudaError_t cudaIpcCloseMemHandle(void* memory) {
  return answer(call_kind::plain, 0, [&] {
    auto const found = state().memory.find(memory);
    if (found == state().memory.end() || found->second.num_openings == 0) return cudaErrorInvalidValue;
    --found->second.num_openings;
    return cudaSuccess;
  });
}

}  // extern "C"
