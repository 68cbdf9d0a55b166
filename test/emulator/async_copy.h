// This is the emulated twin of simt/async_copy.cuh: copies are made as late as may be, when they are waited for.
#pragma once
#include <cstddef>
#include <cstring>
#include <vector>

namespace mgpu::detail::simt {

class async_copies {
 public:
  template <int bytes>
  void start(void* to_shared, void const* from) {
    static_assert(bytes == 4 || bytes == 8 || bytes == 16);
    started_.push_back({to_shared, from, bytes});
  }
  void wait() {
    for (copy const& each : started_) std::memcpy(each.to, each.from, each.bytes);
    started_.clear();
  }

 private:
  struct copy {
    void* to;
    void const* from;
    std::size_t bytes;
  };
  std::vector<copy> started_;
};

}  // namespace mgpu::detail::simt
