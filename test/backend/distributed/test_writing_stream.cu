// A rank writes to others in a stream of its own, between what was in the call's stream before and what comes there later.
#include <mgpu/detail/backend/distributed/exchange.cuh>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/scratch.h>
#include <mgpu/detail/runtime/user_scratch.h>
#include <support/device.h>
#include <support/memory.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <vector>
#if defined(MGPU_EMULATED)
#include <emulator/runtime.h>
#endif

BOOST_AUTO_TEST_SUITE(writing_stream, *boost::unit_test::precondition(test::can_run{}))

BOOST_AUTO_TEST_CASE(order) {
  namespace detail = mgpu::detail;
  for (std::uint32_t seed = 1; seed < 20; ++seed) {
#if defined(MGPU_EMULATED)
    mgpu::emulator::runtime::late_streams(seed);
#endif
    for (bool const is_used : {true, false}) {
      test::buffer<unsigned char> from(std::vector<unsigned char>{1}), to(std::vector<unsigned char>{2});
      test::stream stream;
      detail::scratch_of<detail::buffer_scratch> none(detail::buffer_scratch(nullptr, 0));
      detail::device_call const call("a test", stream, false, none);
      detail::writing_stream writing(call, is_used);
      test::require(cudaMemsetAsync(from.begin(), 3, 1, stream));
      writing.fork([&](detail::device_call const& beside) {
        test::require(cudaMemcpyAsync(to.begin(), from.begin(), 1, cudaMemcpyDefault, beside.stream()));
      });
      writing.join();
      test::require(cudaMemsetAsync(from.begin(), 4, 1, stream));
      test::require(cudaStreamSynchronize(stream));
      BOOST_TEST(static_cast<int>(to.get()[0]) == (is_used ? 3 : 2));
      BOOST_TEST(static_cast<int>(from.get()[0]) == 4);
    }
  }
#if defined(MGPU_EMULATED)
  mgpu::emulator::runtime::late_streams(0);
#endif
}

BOOST_AUTO_TEST_SUITE_END()
