// What mgpu's candidates have in common: on the device clock they are stream-ordered, with scratch memory at hand as for
// CUB's; on the wall clock they block, with scratch memory from the library's warm pool, as for a user.
#pragma once
#include <harness/candidate.h>
#include <harness/cuda.h>
#include <mgpu/execution_policy.h>
#include <cstddef>

namespace perf {

// Derived has run(policy), which makes the call; Base is the candidate of its family.
template <class Derived, class Base>
class mgpu_candidate : public Base {
 public:
  columns enqueue(cudaStream_t stream) final {
    run(mgpu::par_nosync.on(stream).with_scratch(scratch_.get(), scratch_.bytes()));
    return this->work();
  }
  columns call(cudaStream_t stream) override {
    run(mgpu::par.on(stream));
    return this->work();
  }

 private:
  template <class Policy>
  void run(Policy const& policy) const {
    static_cast<Derived const&>(*this).run(policy);
  }
  void prepare_scratch(cudaStream_t) final {
    std::size_t bytes = 0;
    run(mgpu::par.query_scratch(bytes));
    scratch_.reserve(bytes);
  }

  device_memory scratch_;
};

}  // namespace perf
