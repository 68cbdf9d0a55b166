// Scans captured into a CUDA graph, and replayed on other data each time.
#include <api/memory.h>
#include <grid/scans.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <optional>
#include <vector>

namespace {

// Captures run(policy), and checks what comes of each of 20 replays.
template <class Run, class Refill, class Check>
void capture_and_replay(Run run, Refill refill, Check check) {
  test::stream const stream;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t runnable = nullptr;
  test::require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  run(mgpu::par_nosync.on(stream));
  test::require(cudaStreamEndCapture(stream, &graph));
  test::require(cudaGraphInstantiate(&runnable, graph, 0));
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
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

template <class T, class Op>
void check_type(std::size_t count, T const& init, Op op) {
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
        BOOST_TEST(test::same_items(out.get(), after.exclusive));
        BOOST_TEST(test::same_items(total.get(), {*after.total}));
        BOOST_TEST(test::same_items(in.get(), test::scan_one_by_one<T>(items, {}, op).inclusive));
      });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(scan_graph, *boost::unit_test::precondition(test::can_run{}))

BOOST_AUTO_TEST_CASE(one_tile) { check_type<std::uint32_t>(1000, 5, cuda::std::plus<>{}); }
BOOST_AUTO_TEST_CASE(many_tiles) { check_type<std::uint32_t>(1000003, 5, cuda::std::plus<>{}); }
BOOST_AUTO_TEST_CASE(in_order) { check_type<test::matrix<2>>(200003, test::matrix<2>::make(999), test::multiply{}); }

// The captured total of no items.
BOOST_AUTO_TEST_CASE(none) {
  test::buffer<std::uint32_t> total(1);
  std::uint32_t* const none = total.begin();
  capture_and_replay(
      [&](auto const& policy) {
        mgpu::exclusive_scan_with_total(policy, none, none, none, total.begin(), std::uint32_t{42});
      },
      [&](std::uint32_t seed) { total.set({seed}); }, [&](std::uint32_t) { BOOST_TEST(total.get()[0] == 42u); });
}

BOOST_AUTO_TEST_SUITE_END()
