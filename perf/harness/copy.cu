// This measures how fast the GPU copies its own memory, in the same run as everything that is held against that.
#include <harness/data.cuh>

namespace perf {

problem copy_problem() {
  auto const copy = [](job& of) {
    check(cudaMemcpyAsync(of.data.work.keys, of.data.in.keys, of.data.key_bytes, cudaMemcpyDeviceToDevice, of.stream),
          "cudaMemcpyAsync");
    return of.data.work;
  };
  problem of{"copy", "u32", "none", "none", sizeof(u32), generate_to_be_sorted<u32, none, false>};
  of.candidates = {{"cuda", [](job&) {}, copy, and_wait(copy)}};
  of.distributions = {distribution::sorted};  // so that the result stands the same test as all others
  of.by_default = [](distribution, std::int64_t) { return true; };
  of.sizes = {std::int64_t{1} << 28};
  return of;
}

}  // namespace perf
