// This is how each library is called on the two clocks, and how a benchmark file adds its problems.
#pragma once
#include <harness/problem.h>
#include <mgpu/execution_policy.h>
#include <thrust/system/cuda/execution_policy.h>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace perf {

// The self-tests' programs do without the other libraries, which take long to compile.
#ifdef PERF_ONLY_MGPU
constexpr bool has_peers = false;
#else
constexpr bool has_peers = true;
#endif

// run(policy, job) makes mgpu's call and returns where the result is. On the device clock calls are stream-ordered,
// with scratch memory at hand as for CUB's; on the wall clock they block, with scratch memory from the library's warm
// pool, as for a user.
template <class Run>
candidate with_mgpu(Run run) {
  auto const prepare = [run](job& of) {
    run(mgpu::par.query_scratch(of.temp_bytes), of);
    of.temp = device_memory(of.temp_bytes);
  };
  auto const enqueue = [run](job& of) {
    return run(mgpu::par_nosync.on(of.stream).with_scratch(of.temp.get(), of.temp_bytes), of);
  };
  auto const call = [run](job& of) { return run(mgpu::par.on(of.stream), of); };
  return {"mgpu", prepare, enqueue, call};
}

// run(policy, job) makes Thrust's call: on the device clock with scratch memory that is kept, on the wall clock as it
// comes, with cudaMalloc.
template <class Run>
candidate with_thrust(Run run, std::string const& name = "thrust") {
  auto const enqueue = [run](job& of) { return run(thrust::cuda::par_nosync(of.kept).on(of.stream), of); };
  auto const call = [run](job& of) { return run(thrust::cuda::par.on(of.stream), of); };
  return {name, [](job&) {}, enqueue, call};
}

// run(temp, bytes, n, job) makes CUB's call, with n in the type by which CUB shall count, or if temp is null, sets
// `bytes`. Scratch memory is at hand on both clocks, as for a user who keeps it.
template <class Count, class Run>
candidate with_cub(Run run, std::string const& suffix = "") {
  auto const prepare = [run](job& of) {
    run(nullptr, of.temp_bytes, static_cast<Count>(of.data.n), of);
    of.temp = device_memory(of.temp_bytes);
  };
  auto const enqueue = [run](job& of) {
    std::size_t bytes = of.temp_bytes;
    return run(of.temp.get(), bytes, static_cast<Count>(of.data.n), of);
  };
  return {(sizeof(Count) == 4 ? "cub32" : "cub64") + suffix, prepare, enqueue, and_wait(enqueue)};
}

// Adds the peers to what solves a problem: Thrust, and CUB by each type for counts that it is given.
template <class... Counts, class Thrust, class Cub>
void add_peers(std::vector<candidate>& found, Thrust thrust, Cub cub, std::string const& suffix = "") {
  if constexpr (has_peers) {
    found.push_back(with_thrust(thrust, "thrust" + suffix));
    (found.push_back(with_cub<Counts>(cub, suffix)), ...);
  }
}

// Adds make(Of{}) for each type of a part of the list, and returns true, so that a variable can be initialised by it.
// A benchmark file is compiled PERF_PARTS times, each time with another PERF_PART, so that its problems compile side
// by side.
template <std::size_t index = PERF_PART, class... Of, class Make>
bool add_problems(std::tuple<Of...> const all, Make make) {
  if constexpr (index < sizeof...(Of)) {
    problems.push_back(make(std::get<index>(all)));
    add_problems<index + PERF_PARTS>(all, make);
  }
  return true;
}

}  // namespace perf
