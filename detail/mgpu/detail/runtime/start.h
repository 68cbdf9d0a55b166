// How the launches of a backend start: by themselves. Another backend's can come before them, which then has a class of
// the same functions.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/skip.h>

namespace mgpu::detail {

struct plain_start {
  static constexpr bool launches_kernels() { return false; }  // after a kernel, a launch can be early
  // Launches what comes before the first kernel, and returns what that is told. The memory holds nothing yet. What
  // comes before may plan the passes, whose state is that of Passes, and is zero.
  template <class Passes, class T>
  never_skip begin(T* /*memory*/, void* /*passes*/) const {
    return {};
  }
  never_skip others() const { return {}; }  // what the other kernels are told
  // Launches what comes after the last kernel, which can use this memory.
  template <class Keys, class Values>
  void end(Keys /*keys*/, Values /*values*/) const {}
};

}  // namespace mgpu::detail
