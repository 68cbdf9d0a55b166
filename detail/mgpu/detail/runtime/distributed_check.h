// An error of NCCL becomes an exception that names the call.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/runtime/check.h>
#include <nccl.h>
#if !defined(__CUDA_ARCH__)
#include <thrust/system_error.h>
#include <cstdio>
#include <string>
#endif

namespace mgpu::detail {

#if !defined(__CUDA_ARCH__)

// The codes of an exception's error are those of ncclResult_t.
class nccl_error_category : public THRUST_NS_QUALIFIER::error_category {
 public:
  char const* name() const override { return "nccl"; }
  std::string message(int code) const override { return ncclGetErrorString(static_cast<ncclResult_t>(code)); }
};
inline THRUST_NS_QUALIFIER::error_category const& nccl_category() {
  static nccl_error_category const category;
  return category;
}

// Throws what `result`, that of NCCL's function `what`, stands for.
MGPU_NOINLINE inline void fail(ncclResult_t result, ncclComm_t comm, char const* name, char const* what) {
  char message[max_message_bytes];
  std::snprintf(message, sizeof(message), "%s: %s: %s", name, what, ncclGetLastError(comm));
  throw THRUST_NS_QUALIFIER::system_error(static_cast<int>(result), nccl_category(), message);
}

// Throws because a rank of the call had no memory.
MGPU_NOINLINE inline void fail_for_other_rank(char const* name) {
  char message[max_message_bytes];
  std::snprintf(message, sizeof(message), "%s: out of memory on another rank", name);
  throw allocation_error(message);
}

#else

void fail(ncclResult_t result, ncclComm_t comm, char const* name, char const* what);
void fail_for_other_rank(char const* name);

#endif

}  // namespace mgpu::detail
