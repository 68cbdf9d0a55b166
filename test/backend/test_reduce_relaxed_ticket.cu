// Shows what the order of the blocks' counter is for: with it relaxed, the last block may read results that are not
// there yet. A race checker finds that; this program is to be run under one, and must fail.
#include <api/reductions.h>
#include <backend/schedules.h>
#include <mgpu/detail/core/atomic.cuh>
#include <boost/test/unit_test.hpp>
#include <cstdint>

namespace {
struct relaxed_reduce : test::reduce_tuning<32, 1> {};
}  // namespace

template <>
struct mgpu::detail::block_ticket<relaxed_reduce> {
  static __device__ bool is_last(std::uint64_t& blocks_done) {
    return simt::add_relaxed<std::uint64_t>(blocks_done, 1) == simt::block_count() - 1;
  }
};

BOOST_AUTO_TEST_SUITE(reduce_relaxed_ticket, *boost::unit_test::precondition(test::can_run{}))

BOOST_AUTO_TEST_CASE(blocks) {
  test::for_each_schedule(10, [](std::uint32_t) {
    test::check_intervals<test::interval<8, 8>>(test::tuned_reduce(relaxed_reduce{}), 900);
  });
}

BOOST_AUTO_TEST_SUITE_END()
