// A step of a call that could be a call by itself gets a piece of the call's scratch memory for its own.
#pragma once
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/scratch.h>
#include <mgpu/detail/runtime/user_scratch.h>
#include <cstddef>

namespace mgpu::detail {

class inner_call {
 public:
  // Adds the scratch memory that run(call) asks for to the layout: `run` is called as a size query, in which it
  // launches nothing. What comes before or after the step can use the same piece of memory, of at least
  // `least_bytes`.
  template <class Run>
  inner_call(device_call const& outer, scratch_layout& layout, Run run, std::size_t least_bytes = 0) {
    scratch_of query(query_scratch{bytes_});
    device_call sizing(outer, query);
    run(sizing);
    piece_ = layout.add<unsigned char>(static_cast<std::int64_t>(larger(bytes_, least_bytes)));
  }

  // Runs the step, once the outer call has its memory.
  template <class Run>
  void run(device_call const& outer, Run run) const {
    scratch_of memory(buffer_scratch{this->memory(outer), bytes_});
    device_call inner(outer, memory);
    run(inner);
  }

  unsigned char* memory(device_call const& outer) const { return outer.scratch<unsigned char>(piece_); }

 private:
  std::size_t bytes_ = 0;
  std::size_t piece_ = 0;
};

}  // namespace mgpu::detail
