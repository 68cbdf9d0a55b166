// MGPU_SYNC_LAUNCHES and MGPU_NVTX, which a program sets for finding faults. This source is compiled with both.
#include <mgpu/mgpu.h>
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

BOOST_AUTO_TEST_CASE(each_kernel_is_waited_for) {
  test::buffer<std::uint32_t> data(std::vector<std::uint32_t>(20'000, 1));
  runtime::reset();
  mgpu::sort(mgpu::par_nosync, data.begin(), data.end());
  BOOST_TEST(runtime::counters().launches > 1u);
  BOOST_TEST(runtime::counters().stream_synchronizations == runtime::counters().launches);
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
      if (what.find("radix_block_kernel") != std::string::npos) ++named;
    }
    if (runtime::failure_pending()) break;
  }
  runtime::reset();
  BOOST_TEST(named == 1);
}

BOOST_AUTO_TEST_CASE(nothing_is_waited_for_in_a_capture) {
  test::buffer<std::uint32_t> data(std::vector<std::uint32_t>(20'000, 1));
  test::captured_stream captured(cudaStreamCaptureModeGlobal);
  runtime::reset();
  mgpu::sort(mgpu::par_nosync.on(captured), data.begin(), data.end());
  BOOST_TEST(runtime::counters().stream_synchronizations == 0u);
  BOOST_TEST((captured.end() == cudaSuccess));
}
#endif

BOOST_AUTO_TEST_SUITE_END()
