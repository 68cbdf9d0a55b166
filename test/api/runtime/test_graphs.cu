// Every function that returns at once under par_nosync can be captured into a CUDA graph and replayed on other data
// each time.
#include <support/calls.h>
#include <support/memory.h>
#include <support/scans.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <vector>

BOOST_AUTO_TEST_SUITE(graphs, *boost::unit_test::precondition(test::can_run{}))

namespace {

// Captures run(policy), and checks what comes of each of 100 replays.
template <class Run, class Refill, class Check>
void capture_and_replay(Run run, Refill refill, Check check) {
  test::stream const stream;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t runnable = nullptr;
  test::require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  run(mgpu::par_nosync.on(stream));
  test::require(cudaStreamEndCapture(stream, &graph));
  test::require(cudaGraphInstantiate(&runnable, graph, 0));
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    BOOST_TEST_CONTEXT("replay " << seed) {
      refill(seed);
      test::require(cudaDeviceSynchronize());
      test::require(cudaGraphLaunch(runnable, stream));
      test::require(cudaStreamSynchronize(stream));
      check(seed);
    }
  }
  test::require(cudaGraphExecDestroy(runnable));
  test::require(cudaGraphDestroy(graph));
}

// Orders by the remainder, so that many keys are equal and only their places tell them apart.
struct by_remainder {
  template <class T>
  __host__ __device__ bool operator()(T a, T b) const {
    return a % 1000 < b % 1000;
  }
};

// Captures all functions of a list in one graph, but for those that return a value, for which a call has to wait.
template <class Data, class Functions = test::sort_functions>
void check_all(std::size_t count) {
  auto calls = test::make_calls<test::calls_of<Functions, Data>>(count);
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
        auto const plain = test::call<test::call_of::sort, Data>::given(count, count, seed);
        auto const runs = test::call<test::call_of::merge, Data>::given(count, count, seed);
        for_each_captured([&](auto& call) { call.refill(std::decay_t<decltype(call)>::takes_runs ? runs : plain); });
      },
      [&](std::uint32_t) { for_each_captured([](auto& call) { BOOST_TEST(call.done()); }); });
}
template <class Key, class Value, class Comp = cuda::std::less<>>
using sorted_items = test::items_of<Key, Value, test::operators<Comp>>;

// Captures a reduction to memory, and another one that reads what the first wrote.
template <class T, class Op>
void check_reductions(std::size_t count, T const& init, Op op) {
  test::buffer<T> in(count);
  test::buffer<T> result(std::vector<T>{init});
  test::buffer<T> again(std::vector<T>{init});
  std::vector<T> items;
  capture_and_replay(
      [&](auto const& policy) {
        mgpu::reduce_into(policy, in.begin(), in.end(), result.begin(), init, op);
        mgpu::reduce_into(policy, result.begin(), result.end(), again.begin(), init, op);
      },
      [&](std::uint32_t seed) {
        items = test::make_items<T>(count, seed);
        in.set(items);
      },
      [&](std::uint32_t) {
        T const sum = *test::scan_one_by_one<T>(items, std::optional<T>(init), op).total;
        BOOST_TEST(test::same_bytes(result.get(), {sum}));
        BOOST_TEST(test::same_bytes(again.get(), {op(init, sum)}));
      });
}

template <class T, class Op>
void check_scans(std::size_t count, T const& init, Op op) {
  test::buffer<T> in(count);
  test::buffer<T> out(count);
  test::buffer<T> total(1);
  std::vector<T> items;
  capture_and_replay(
      [&](auto const& policy) {
        mgpu::exclusive_scan_with_total(policy, in.begin(), in.end(), out.begin(), total.begin(), init, op);
        mgpu::inclusive_scan(policy, in.begin(), in.end(), in.begin(), op);
      },
      [&](std::uint32_t seed) {
        items = test::make_items<T>(count, seed);
        in.set(items);
      },
      [&](std::uint32_t) {
        auto const after = test::scan_one_by_one<T>(items, std::optional<T>(init), op);
        BOOST_TEST(test::same_bytes(out.get(), after.exclusive));
        BOOST_TEST(test::same_bytes(total.get(), {*after.total}));
        BOOST_TEST(test::same_bytes(in.get(), test::scan_one_by_one<T>(items, {}, op).inclusive));
      });
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_function_of_nothing) { check_all<test::words, test::functions>(0); }
BOOST_AUTO_TEST_CASE(every_function_in_a_block) { check_all<test::words, test::functions>(1000); }
BOOST_AUTO_TEST_CASE(every_function) { check_all<test::words, test::functions>(100003); }

BOOST_AUTO_TEST_CASE(radix_sorts) {
  check_all<sorted_items<std::uint32_t, std::uint64_t, cuda::std::greater<>>>(100003);
}
BOOST_AUTO_TEST_CASE(counting_sorts) { check_all<sorted_items<std::uint8_t, std::uint32_t>>(300003); }
BOOST_AUTO_TEST_CASE(merge_sorts_in_a_block) {
  check_all<sorted_items<std::uint32_t, std::uint32_t, by_remainder>>(1000);
}
BOOST_AUTO_TEST_CASE(merge_sorts) { check_all<sorted_items<std::uint64_t, std::uint32_t, by_remainder>>(100003); }
BOOST_AUTO_TEST_CASE(large_values) { check_all<sorted_items<std::uint32_t, test::item<40, 4>>>(50003); }
BOOST_AUTO_TEST_CASE(large_keys) { check_all<sorted_items<test::item<40, 4>, std::uint32_t, test::by_key>>(50003); }

BOOST_AUTO_TEST_CASE(reductions) {
  for (std::size_t const count : {0, 1000, 1000003}) check_reductions<std::uint32_t>(count, 5, cuda::std::plus<>{});
}
BOOST_AUTO_TEST_CASE(reductions_in_order) {
  check_reductions<test::matrix<2>>(200003, test::matrix<2>::make(999), test::multiply{});
}

BOOST_AUTO_TEST_CASE(scans_of_one_tile) { check_scans<std::uint32_t>(1000, 5, cuda::std::plus<>{}); }
BOOST_AUTO_TEST_CASE(scans) { check_scans<std::uint32_t>(1000003, 5, cuda::std::plus<>{}); }
BOOST_AUTO_TEST_CASE(scans_in_order) {
  check_scans<test::matrix<2>>(200003, test::matrix<2>::make(999), test::multiply{});
}

// The total of no items can be captured.
BOOST_AUTO_TEST_CASE(scans_of_nothing) {
  test::buffer<std::uint32_t> total(1);
  std::uint32_t* const none = total.begin();
  capture_and_replay(
      [&](auto const& policy) {
        mgpu::exclusive_scan_with_total(policy, none, none, none, total.begin(), std::uint32_t{42});
      },
      [&](std::uint32_t seed) { total.set({seed}); }, [&](std::uint32_t) { BOOST_TEST(total.get()[0] == 42u); });
}

BOOST_AUTO_TEST_SUITE_END()
