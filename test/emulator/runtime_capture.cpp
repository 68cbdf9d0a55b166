// Here the stand-in runtime captures streams into graphs. What is captured is carried out at once all the same; what
// it models is which calls a capture forbids, and that such a call, beside failing, invalidates the capture.
#include <emulator/runtime_state.h>
#include <utility>

using namespace mgpu::emulator::impl;

namespace {
thread_local cudaStreamCaptureMode own_mode = cudaStreamCaptureModeGlobal;

// Tells whether the capture forbids this thread what could be unsafe.
bool forbids(capture const& running) {
  if (own_mode == cudaStreamCaptureModeRelaxed || running.mode == cudaStreamCaptureModeRelaxed) return false;
  if (running.thread == std::this_thread::get_id()) return true;
  return own_mode == cudaStreamCaptureModeGlobal && running.mode == cudaStreamCaptureModeGlobal;
}
}  // namespace

namespace mgpu::emulator::impl {

bool invalidates_captures() {
  bool any = false;
  for (auto& [stream, running] : state().captures) {
    if (!forbids(running)) continue;
    running.valid = false;
    any = true;
  }
  return any;
}

bool invalidates_capture_of(cudaStream_t stream) {
  auto const found = state().captures.find(stream);
  if (found == state().captures.end()) return false;
  found->second.valid = false;
  return true;
}

}  // namespace mgpu::emulator::impl

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return answer([&] {
    if (stream == nullptr || stream == cudaStreamLegacy) return cudaErrorStreamCaptureUnsupported;
    if (!known(stream)) return cudaErrorInvalidResourceHandle;
    bool const begun = state().captures.insert({stream, {mode, std::this_thread::get_id(), true}}).second;
    return begun ? cudaSuccess : cudaErrorIllegalState;
  });
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return answer([&] {
    *graph = nullptr;
    auto const found = state().captures.find(stream);
    if (found == state().captures.end()) return cudaErrorIllegalState;
    capture const ended = found->second;
    if (ended.mode != cudaStreamCaptureModeRelaxed && ended.thread != std::this_thread::get_id())
      return cudaErrorStreamCaptureWrongThread;
    state().captures.erase(found);
    if (!ended.valid) return cudaErrorStreamCaptureInvalidated;
    *graph = reinterpret_cast<cudaGraph_t>(new char);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return answer(call_kind::plain, 0, [&] { return delete reinterpret_cast<char*>(graph), cudaSuccess; });
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return answer([&] {
    if (!known(stream)) return cudaErrorInvalidResourceHandle;
    auto const found = state().captures.find(stream);
    *status = found == state().captures.end() ? cudaStreamCaptureStatusNone
              : found->second.valid           ? cudaStreamCaptureStatusActive
                                              : cudaStreamCaptureStatusInvalidated;
    return cudaSuccess;
  });
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return answer(call_kind::plain, 0, [&] { return std::swap(*mode, own_mode), cudaSuccess; });
}

}  // extern "C"
