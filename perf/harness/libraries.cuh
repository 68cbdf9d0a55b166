// This is how each library is called on the two clocks, and how a benchmark file adds its problems.
//
// call(policy, job) makes a call of mgpu or of Thrust, whose functions are declared alike. It names the function
// without a namespace, after `using thrust::merge`, say: a policy of mgpu's brings mgpu's function along, which is
// the better match for it.
#pragma once
#include <harness/problem.h>
#include <mgpu/execution_policy.h>
#include <cub/util_type.cuh>
#include <thrust/mr/disjoint_pool.h>
#include <thrust/mr/new.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/system/cuda/memory_resource.h>
#include <tuple>

namespace perf {

// The self-tests' programs have the first problem alone, without the other libraries, which take long to compile.
#ifndef PERF_SELF_TEST
#define PERF_SELF_TEST false
#endif
constexpr bool is_self_test = PERF_SELF_TEST;

// On the device clock calls of mgpu are stream-ordered, with scratch memory at hand as for CUB's; on the wall clock
// they block, with scratch memory from the library's warm pool, as for a user.
template <class Call>
candidate with_mgpu(Call call) {
  auto const enqueue = [call](job& of) {
    if (of.temp == nullptr) {
      call(mgpu::par.query_scratch(of.temp_bytes), of);
      of.temp = device_memory(of.temp_bytes);
    }
    call(mgpu::par_nosync.on(stream()).with_scratch(of.temp.get(), of.temp_bytes), of);
  };
  return {"mgpu", enqueue, [call](job& of) { call(mgpu::par.on(stream()), of); }};
}

// On the device clock Thrust has scratch memory from a pool that is warm after the first call, on the wall clock as
// it comes, with cudaMalloc.
template <class Call>
candidate with_thrust(Call call, std::string const& name = "thrust") {
  using pool = thrust::mr::disjoint_unsynchronized_pool_resource<thrust::cuda::memory_resource,
                                                                 thrust::mr::new_delete_resource>;
  auto const enqueue = [call](job& of) {
    if (of.more == nullptr) of.more = std::make_shared<pool>();
    call(thrust::cuda::par_nosync(static_cast<pool*>(of.more.get())).on(stream()), of);
  };
  return {name, enqueue, [call](job& of) { call(thrust::cuda::par.on(stream()), of); }};
}

// CUB sorts and merges keys alone as pairs with such values, and its functions for keys are nothing else.
template <class Value>
using cub_value = std::conditional_t<std::is_same_v<Value, none>, cub::NullType, Value>;

// call(temp, bytes, n, job) returns what CUB's call does, which is made with n in the type by which CUB shall count,
// or, if temp is null, sets `bytes`. Scratch memory is at hand on both clocks, as for a user who keeps it.
template <class Count, class Call>
candidate with_cub(Call call, std::string const& suffix = "") {
  auto const enqueue = [call](job& of) {
    auto const n = static_cast<Count>(of.data.n);
    if (of.temp == nullptr) {
      check(call(nullptr, of.temp_bytes, n, of), "CUB");
      of.temp = device_memory(of.temp_bytes);
    }
    check(call(of.temp.get(), of.temp_bytes, n, of), "CUB");
  };
  return {(sizeof(Count) == 4 ? "cub32" : "cub64") + suffix, enqueue};
}

// Returns mgpu's way and its peers': Thrust's, and CUB's by each type for counts that it is given.
template <class... Counts, class Call, class CubCall>
std::vector<candidate> with_peers(candidate const& mgpu, Call call, CubCall cub_call,
                                  std::string const& suffix = "") {
  if constexpr (is_self_test) {
    return {mgpu};
  } else {
    return {mgpu, with_thrust(call, "thrust" + suffix), with_cub<Counts>(cub_call, suffix)...};
  }
}

// Adds make(Of{}) for each type of a part of the list, and returns true, so that a variable can be initialised by it.
// A benchmark file is compiled PERF_PARTS times, each time with another PERF_PART, so that its problems compile side
// by side.
template <std::size_t index = PERF_PART, class... Of, class Make>
bool add_problems(std::tuple<Of...> const all, Make make) {
  if constexpr (index < (is_self_test ? 1 : sizeof...(Of))) {
    problems.push_back(make(std::get<index>(all)));
    add_problems<index + PERF_PARTS>(all, make);
  }
  return true;
}

}  // namespace perf
