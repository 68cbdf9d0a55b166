// Tests capture calls into CUDA graphs, and replay these on other data each time.
#pragma once
#include <support/calls.h>
#include <support/memory.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace test {

// Captures run(policy), and checks what comes of each of 100 replays.
template <class Run, class Refill, class Check>
void capture_and_replay(Run run, Refill refill, Check check) {
  stream const captured;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t runnable = nullptr;
  require(cudaStreamBeginCapture(captured, cudaStreamCaptureModeThreadLocal));
  run(mgpu::par_nosync.on(captured));
  require(cudaStreamEndCapture(captured, &graph));
  require(cudaGraphInstantiate(&runnable, graph, 0));
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    BOOST_TEST_CONTEXT("replay " << seed) {
      refill(seed);
      require(cudaDeviceSynchronize());
      require(cudaGraphLaunch(runnable, captured));
      require(cudaStreamSynchronize(captured));
      check(seed);
    }
  }
  require(cudaGraphExecDestroy(runnable));
  require(cudaGraphDestroy(graph));
}

// Captures all functions of a list in one graph, but for those that return a value, for which a call has to wait.
template <class Data, class Functions = sort_functions>
void check_captured(std::size_t count) {
  auto calls = make_calls<calls_of<Functions, Data>>(count);
  auto const for_each_captured = [&](auto use) {
    auto const one = [&](auto& call) {
      if constexpr (!std::decay_t<decltype(call)>::returns_value()) use(call);
    };
    std::apply([&](auto&... call) { (one(call), ...); }, calls);
  };
  capture_and_replay(
      [&](auto const& policy) { for_each_captured([&](auto& call) { call.run(policy); }); },
      [&](std::uint32_t seed) {
        // The given columns are shared, for the sake of the order that is computed from them.
        auto const plain = call<call_of::sort, Data>::given(count, count, seed);
        auto const runs = call<call_of::merge, Data>::given(count, count, seed);
        for_each_captured([&](auto& call) { call.refill(std::decay_t<decltype(call)>::takes_runs ? runs : plain); });
      },
      [&](std::uint32_t) { for_each_captured([](auto& call) { BOOST_TEST(call.done()); }); });
}

}  // namespace test
