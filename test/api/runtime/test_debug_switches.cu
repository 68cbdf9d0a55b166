// A program sets MGPU_SYNC_LAUNCHES and MGPU_NVTX for finding faults. This source is compiled with both.
#include <support/calls.h>
#include <support/device.h>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>
#if defined(MGPU_EMULATED)
#include <support/memory.h>
#include <emulator/runtime.h>
#include <thrust/system_error.h>
#endif

BOOST_AUTO_TEST_SUITE(debug_switches, *boost::unit_test::precondition(test::can_run{}))

using functions = test::tuned_calls_of<test::functions>;

BOOST_AUTO_TEST_CASE_TEMPLATE(results_of_every_function, Call, functions) {
  Call call(Call::several_tiles);
  call.run(mgpu::par);
  BOOST_TEST(call.done());
}

BOOST_AUTO_TEST_CASE(results_are_the_same) {
  std::vector<std::uint32_t> items(20'000);
  for (std::size_t i = 0; i < items.size(); ++i) items[i] = static_cast<std::uint32_t>(i * 2654435761u);
  test::buffer<std::uint32_t> data(items);
  mgpu::sort(mgpu::par, data.begin(), data.end());
  std::uint32_t const sum = mgpu::reduce(mgpu::par, data.begin(), data.end());
  std::uint32_t expected = 0;
  for (std::uint32_t const item : items) expected += item;
  BOOST_TEST(sum == expected);
  std::sort(items.begin(), items.end());
  BOOST_TEST((data.get() == items));
}

#if defined(MGPU_EMULATED)
namespace runtime = mgpu::emulator::runtime;

BOOST_AUTO_TEST_CASE_TEMPLATE(each_kernel_is_waited_for, Call, functions) {
  Call call(Call::several_tiles);
  runtime::reset();
  call.run(mgpu::par_nosync);
  BOOST_TEST(call.done());
  auto const made = runtime::counters();
  BOOST_TEST(made.launches >= 1u);
  BOOST_TEST(made.stream_synchronizations == made.launches + (Call::returns_value() ? 1 : 0));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_kernel_that_failed_is_named, Call, functions) {
  Call call(Call::several_tiles);
  call.run(mgpu::par_nosync);
  int named = 0;
  for (std::uint64_t k = 1; k < 100; ++k) {
    call.refill();
    runtime::fail_at(k, cudaErrorIllegalAddress);
    try {
      call.run(mgpu::par_nosync);
    } catch (thrust::system_error const& error) {
      std::string const what = error.what();
      BOOST_TEST(what.rfind(std::string(Call::name) + ": ", 0) == 0u, what);
      if (what.find("_kernel") != std::string::npos) ++named;
    }
    if (runtime::failure_pending()) break;
  }
  runtime::reset();
  BOOST_TEST(named >= 1);
}

BOOST_AUTO_TEST_CASE(the_kernel_that_failed_is_named) {
  test::buffer<std::uint32_t> data(std::vector<std::uint32_t>(100, 1));
  mgpu::sort(mgpu::par_nosync, data.begin(), data.end());
  int named = 0;
  for (std::uint64_t k = 1; k < 100; ++k) {
    runtime::fail_at(k, cudaErrorIllegalAddress);
    try {
      mgpu::sort(mgpu::par_nosync, data.begin(), data.end());
    } catch (thrust::system_error const& error) {
      std::string const what = error.what();
      BOOST_TEST(what.rfind("mgpu::sort: ", 0) == 0u, what);
      if (what.find("radix_cluster_kernel") != std::string::npos) ++named;
    }
    if (runtime::failure_pending()) break;
  }
  runtime::reset();
  BOOST_TEST(named == 1);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(nothing_is_waited_for_in_a_capture, Call, functions) {
  if (Call::returns_value()) return;
  Call call(Call::several_tiles);
  test::captured_stream captured(cudaStreamCaptureModeGlobal);
  runtime::reset();
  call.run(mgpu::par_nosync.on(captured));
  BOOST_TEST(runtime::counters().stream_synchronizations == 0u);
  BOOST_TEST((captured.end() == cudaSuccess));
  BOOST_TEST(call.done());
}
#endif

BOOST_AUTO_TEST_SUITE_END()
