// The stand-in for the CUDA runtime has streams and events, and captures streams into graphs.
#include "launch.h"
#include <emulator/runtime.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <thread>
#include <vector>

namespace self_test {
namespace {

namespace runtime = mgpu::emulator::runtime;

struct fresh_runtime {
  fresh_runtime() { runtime::reset(); }
  ~fresh_runtime() { runtime::reset(); }
};

BOOST_FIXTURE_TEST_SUITE(streams, fresh_runtime)

BOOST_AUTO_TEST_CASE(streams_and_events) {
  auto const before = runtime::live();
  cudaStream_t stream = nullptr;
  cudaEvent_t start = nullptr, end = nullptr;
  BOOST_TEST(cudaStreamCreate(&stream) == cudaSuccess);
  BOOST_TEST(cudaEventCreate(&start) == cudaSuccess);
  BOOST_TEST(cudaEventCreate(&end) == cudaSuccess);
  BOOST_TEST(runtime::live().streams == before.streams + 1);
  BOOST_TEST(runtime::live().events == before.events + 2);
  BOOST_TEST(cudaEventRecord(start, stream) == cudaSuccess);
  BOOST_TEST(cudaEventRecord(end, stream) == cudaSuccess);
  float milliseconds = -1;
  BOOST_TEST(cudaEventElapsedTime(&milliseconds, start, end) == cudaSuccess);
  BOOST_TEST(milliseconds >= 0);
  BOOST_TEST(cudaEventDestroy(start) == cudaSuccess);
  BOOST_TEST(cudaEventDestroy(end) == cudaSuccess);
  BOOST_TEST(cudaStreamDestroy(stream) == cudaSuccess);
  BOOST_TEST(cudaStreamSynchronize(stream) == cudaErrorInvalidResourceHandle);
  BOOST_TEST(runtime::live().streams == before.streams);
}

BOOST_AUTO_TEST_CASE(numbers_of_streams) {
  auto const id = [](cudaStream_t stream) {
    unsigned long long number = 0;
    BOOST_TEST(cudaStreamGetId(stream, &number) == cudaSuccess);
    return number;
  };
  BOOST_TEST(id(cudaStreamLegacy) != id(cudaStreamPerThread));
  cudaStream_t first = nullptr, second = nullptr;
  BOOST_TEST(cudaStreamCreate(&first) == cudaSuccess);
  auto const id_of_first = id(first);
  BOOST_TEST(id(first) == id_of_first);
  BOOST_TEST(cudaStreamDestroy(first) == cudaSuccess);
  BOOST_TEST(cudaStreamCreate(&second) == cudaSuccess);
  BOOST_TEST(first == second);  // the handle, but another stream
  BOOST_TEST(id(second) != id_of_first);
  BOOST_TEST(cudaStreamDestroy(second) == cudaSuccess);
  BOOST_TEST(cudaStreamDestroy(nullptr) == cudaErrorInvalidResourceHandle);
}

// Captures a stream; end() ends that, and returns whether the capture was still valid.
struct captured_stream {
  cudaStream_t stream = nullptr;
  explicit captured_stream(cudaStreamCaptureMode mode) {
    BOOST_TEST(cudaStreamCreate(&stream) == cudaSuccess);
    BOOST_TEST(cudaStreamBeginCapture(stream, mode) == cudaSuccess);
  }
  ~captured_stream() { BOOST_TEST(cudaStreamDestroy(stream) == cudaSuccess); }
  cudaError_t end() const {
    cudaGraph_t graph = nullptr;
    cudaError_t const status = cudaStreamEndCapture(stream, &graph);
    BOOST_TEST((graph != nullptr) == (status == cudaSuccess));
    BOOST_TEST(cudaGraphDestroy(graph) == cudaSuccess);
    return status;
  }
};

BOOST_AUTO_TEST_CASE(captures) {
  captured_stream const captured(cudaStreamCaptureModeRelaxed);
  BOOST_TEST(cudaStreamBeginCapture(captured.stream, cudaStreamCaptureModeRelaxed) == cudaErrorIllegalState);
  BOOST_TEST(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeRelaxed) == cudaErrorStreamCaptureUnsupported);
  void* memory = nullptr;
  BOOST_TEST(cudaMallocAsync(&memory, 8, captured.stream) == cudaSuccess);
  BOOST_TEST(cudaFreeAsync(memory, captured.stream) == cudaSuccess);
  BOOST_TEST(cudaStreamSynchronize(nullptr) == cudaSuccess);  // another stream
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  BOOST_TEST(cudaStreamIsCapturing(captured.stream, &status) == cudaSuccess);
  BOOST_TEST(status == cudaStreamCaptureStatusActive);
  BOOST_TEST(captured.end() == cudaSuccess);
  cudaGraph_t graph = nullptr;
  BOOST_TEST(cudaStreamEndCapture(captured.stream, &graph) == cudaErrorIllegalState);

  BOOST_TEST(cudaStreamBeginCapture(captured.stream, cudaStreamCaptureModeRelaxed) == cudaSuccess);
  BOOST_TEST(cudaStreamSynchronize(captured.stream) == cudaErrorStreamCaptureUnsupported);
  BOOST_TEST(cudaStreamIsCapturing(captured.stream, &status) == cudaSuccess);
  BOOST_TEST(status == cudaStreamCaptureStatusInvalidated);
  BOOST_TEST(captured.end() == cudaErrorStreamCaptureInvalidated);
}

// Makes a call that could be unsafe, in a thread with a mode of its own, and returns its status.
cudaError_t unsafe_call(cudaStreamCaptureMode own) {
  cudaMemPool_t pool = nullptr;
  cudaMemPoolProps const properties{};
  BOOST_TEST(cudaThreadExchangeStreamCaptureMode(&own) == cudaSuccess);
  cudaError_t const status = cudaMemPoolCreate(&pool, &properties);
  if (status == cudaSuccess) BOOST_TEST(cudaMemPoolDestroy(pool) == cudaSuccess);
  BOOST_TEST(cudaThreadExchangeStreamCaptureMode(&own) == cudaSuccess);
  return status;
}

BOOST_AUTO_TEST_CASE(captures_forbid_what_could_be_unsafe) {
  constexpr auto global = cudaStreamCaptureModeGlobal;
  constexpr auto local = cudaStreamCaptureModeThreadLocal;
  constexpr auto relaxed = cudaStreamCaptureModeRelaxed;
  struct {
    cudaStreamCaptureMode of_capture, own;
    bool same_thread, allowed;
  } const cases[] = {{global, global, true, false},  {global, local, true, false},   {global, relaxed, true, true},
                     {local, global, true, false},   {local, local, true, false},    {local, relaxed, true, true},
                     {relaxed, global, true, true},  {global, global, false, false}, {global, local, false, true},
                     {global, relaxed, false, true}, {local, global, false, true},   {relaxed, global, false, true}};
  for (auto const& [of_capture, own, same_thread, allowed] : cases) {
    captured_stream const captured(of_capture);
    cudaError_t status = cudaSuccess;
    if (same_thread) status = unsafe_call(own);
    if (!same_thread) std::thread([&, mode = own] { status = unsafe_call(mode); }).join();
    BOOST_TEST(status == (allowed ? cudaSuccess : cudaErrorStreamCaptureUnsupported));
    BOOST_TEST(captured.end() == (allowed ? cudaSuccess : cudaErrorStreamCaptureInvalidated));
  }
  // A call that synchronises is one that could be unsafe.
  captured_stream const captured(global);
  void* memory = nullptr;
  BOOST_TEST(cudaMalloc(&memory, 8) == cudaErrorStreamCaptureUnsupported);
  BOOST_TEST(cudaDeviceSynchronize() == cudaErrorStreamCaptureUnsupported);
}

// A number is copied from place to place, by two streams that one event orders, or nothing.
BOOST_AUTO_TEST_CASE(late_streams) {
  int num_late = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (bool const is_ordered : {false, true}) {
      cudaStream_t first = nullptr, second = nullptr;
      cudaEvent_t between = nullptr;
      runtime::late_streams(seed);
      BOOST_TEST(cudaStreamCreate(&first) == cudaSuccess);
      BOOST_TEST(cudaStreamCreate(&second) == cudaSuccess);
      BOOST_TEST(cudaEventCreate(&between) == cudaSuccess);
      runtime::late_streams(0);
      std::vector<word> const in = numbers(threads);
      std::vector<word> there(threads), out(threads), last(threads);
      auto const copy = [](std::vector<word>& to, std::vector<word> const& from, cudaStream_t stream) {
        BOOST_TEST(cudaMemcpyAsync(to.data(), from.data(), threads * sizeof(word), cudaMemcpyDefault, stream) ==
                   cudaSuccess);
      };
      simt::enqueue(double_kernel, {1, threads, 0}, first, in.data(), there.data());
      BOOST_TEST(cudaEventRecord(between, first) == cudaSuccess);
      copy(last, in, first);
      if (is_ordered) BOOST_TEST(cudaStreamWaitEvent(second, between, 0) == cudaSuccess);
      copy(out, there, second);
      BOOST_TEST(cudaStreamSynchronize(second) == cudaSuccess);
      if (is_ordered) BOOST_TEST((out == there && there[1] == 2 * in[1]));
      bool const is_late = last != in;
      BOOST_TEST((is_ordered || out[1] == (is_late ? 0 : 2 * in[1])));
      num_late += is_late ? 1 : 0;
      BOOST_TEST(cudaEventDestroy(between) == cudaSuccess);
      BOOST_TEST(cudaStreamDestroy(second) == cudaSuccess);
      BOOST_TEST(cudaStreamDestroy(first) == cudaSuccess);
      BOOST_TEST((last == in));
    }
  }
  BOOST_TEST(num_late > 5);
  BOOST_TEST(num_late < 35);
}

// Memory that a late stream still uses is freed behind that.
BOOST_AUTO_TEST_CASE(late_streams_free_late) {
  auto const before = runtime::live();
  runtime::late_streams(3);
  std::vector<cudaStream_t> streams(8);
  for (cudaStream_t& stream : streams) {
    BOOST_TEST(cudaStreamCreate(&stream) == cudaSuccess);
    void* memory = nullptr;
    BOOST_TEST(cudaMallocAsync(&memory, 100, stream) == cudaSuccess);
    BOOST_TEST(cudaMemsetAsync(memory, 1, 100, stream) == cudaSuccess);
    BOOST_TEST(cudaFreeAsync(memory, stream) == cudaSuccess);
  }
  BOOST_TEST(runtime::live().allocations > before.allocations);
  BOOST_TEST(cudaDeviceSynchronize() == cudaSuccess);
  BOOST_TEST(runtime::live().allocations == before.allocations);
  for (cudaStream_t const stream : streams) BOOST_TEST(cudaStreamDestroy(stream) == cudaSuccess);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace self_test
