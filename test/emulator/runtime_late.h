// The parts of the stand-in runtime leave the work of late streams for later by this.
#pragma once
#include <cuda_runtime_api.h>
#include <cstdint>
#include <deque>
#include <functional>

namespace mgpu::emulator::impl {

struct late_work {
  std::deque<std::function<void()>> steps;  // that are still to be done
  std::uint64_t num_done = 0;
};
// The end of the first steps of a stream, late or not.
struct stream_place {
  unsigned long long stream_id;
  std::uint64_t num_steps;
};

// Makes a new stream late, or not.
void draw_lateness(cudaStream_t stream);
stream_place place_in(cudaStream_t stream);
bool is_late(cudaStream_t stream);
// Leaves the step for later, if the stream is late. If not, or while it is captured, the caller does it.
bool defer(cudaStream_t stream, std::function<void()> step);
// Lets what comes later in the stream wait for that place in another.
void wait_in(cudaStream_t stream, stream_place const& place);
void catch_up_with(stream_place const& place);
void catch_up_with_all();
// The stream is to be destroyed.
void end_lateness(cudaStream_t stream);

}  // namespace mgpu::emulator::impl
