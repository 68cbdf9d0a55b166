// A kernel tells the host by this, once the stream has been waited for, that another rank had no memory.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/distributed_check.h>
#include <mgpu/detail/runtime/result_slot.h>
#include <cstdint>
#include <optional>

namespace mgpu::detail {

class failure_flag {
 public:
  // A call that does not wait has no such flag, but a null.
  failure_flag(device_call const& call, bool waits) : name_(call.name()) {
    if (!waits) return;
    slot_.emplace(call, sizeof(std::uint32_t));
    *memory() = 0;
  }
  std::uint32_t* memory() const { return slot_ ? static_cast<std::uint32_t*>(slot_->memory()) : nullptr; }
  // Throws if the flag was raised.
  void check() const {
    if (slot_ && *memory() != 0) fail_for_other_rank(name_);
  }

 private:
  char const* name_;
  std::optional<result_slot> slot_;
};

}  // namespace mgpu::detail
