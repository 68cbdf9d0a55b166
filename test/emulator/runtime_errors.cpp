// Here the stand-in runtime has its errors.
#include <emulator/runtime_state.h>

using namespace mgpu::emulator::impl;

extern "C" {

// Reading an error is no call that could fail.
cudaError_t cudaGetLastError() {
  std::lock_guard<std::recursive_mutex> const lock(state().access);
  cudaError_t const last = state().last_error;
  if (!state().no_device) state().last_error = cudaSuccess;
  return last;
}
cudaError_t cudaPeekAtLastError() {
  std::lock_guard<std::recursive_mutex> const lock(state().access);
  return state().last_error;
}

char const* cudaGetErrorName(cudaError_t error) {
#define MGPU_EMULATOR_NAME(name) \
  case name:                     \
    return #name;
  switch (error) {
    MGPU_EMULATOR_NAME(cudaSuccess)
    MGPU_EMULATOR_NAME(cudaErrorInvalidValue)
    MGPU_EMULATOR_NAME(cudaErrorMemoryAllocation)
    MGPU_EMULATOR_NAME(cudaErrorInitializationError)
    MGPU_EMULATOR_NAME(cudaErrorInvalidConfiguration)
    MGPU_EMULATOR_NAME(cudaErrorInsufficientDriver)
    MGPU_EMULATOR_NAME(cudaErrorNoDevice)
    MGPU_EMULATOR_NAME(cudaErrorInvalidDevice)
    MGPU_EMULATOR_NAME(cudaErrorInvalidDeviceFunction)
    MGPU_EMULATOR_NAME(cudaErrorInvalidResourceHandle)
    MGPU_EMULATOR_NAME(cudaErrorIllegalAddress)
    MGPU_EMULATOR_NAME(cudaErrorLaunchOutOfResources)
    MGPU_EMULATOR_NAME(cudaErrorLaunchFailure)
    MGPU_EMULATOR_NAME(cudaErrorNotSupported)
    MGPU_EMULATOR_NAME(cudaErrorStreamCaptureUnsupported)
    MGPU_EMULATOR_NAME(cudaErrorStreamCaptureInvalidated)
    MGPU_EMULATOR_NAME(cudaErrorInvalidClusterSize)
    MGPU_EMULATOR_NAME(cudaErrorUnknown)
    default:
      return "unrecognized error code";
  }
#undef MGPU_EMULATOR_NAME
}
char const* cudaGetErrorString(cudaError_t error) { return cudaGetErrorName(error); }

}  // extern "C"
