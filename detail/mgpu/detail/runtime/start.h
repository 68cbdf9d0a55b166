// How the launches of a backend begin: by themselves, or after another backend's, which may have sorted already.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/skip.h>

namespace mgpu::detail {

// By themselves: nothing is skipped.
struct plain_start {
  static constexpr bool by_kernels = false;  // whether the launch before is a kernel, after which one can be early
  // Launches what comes before the first kernel, and returns what that is told. The memory holds nothing yet.
  template <class T>
  never_skip begin(T* /*memory*/) const {
    return {};
  }
  never_skip others() const { return {}; }  // what the other kernels are told
};

// After another backend's kernels, which begin(memory) launches. Where these have sorted, the first kernel finishes
// what they left over.
template <class Begin>
struct start_after {
  static constexpr bool by_kernels = true;
  skip_if skip;
  Begin begin;
  skip_if others() const { return skip; }
};

// By themselves, but by the kernels that come after another backend's.
template <class Finish>
struct start_alone {
  static constexpr bool by_kernels = false;
  template <class T>
  Finish begin(T* /*memory*/) const {
    return {};
  }
  skip_if others() const { return {}; }
};

}  // namespace mgpu::detail
