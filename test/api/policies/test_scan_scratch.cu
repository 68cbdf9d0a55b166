// Scans over many tiles take the scratch memory that query_scratch tells: for items smaller and larger than a word,
// and tiles that a pipeline reads.
#include <support/scratch.h>
#include <cstdint>
#include <tuple>

BOOST_AUTO_TEST_SUITE(scan_scratch, *boost::unit_test::precondition(test::can_run{}))

namespace {

static_assert(test::pipelined_scan::tile_items == test::plain_scan::tile_items);

template <class Item, class Tuning, class Op = cuda::std::plus<Item>>
using scan_call =
    test::tuned_call<test::call_of::inclusive_scan_2,
                     test::items_of<Item, std::uint32_t, test::operators<cuda::std::less<>, Op>>, Tuning>;
using calls = std::tuple<scan_call<std::uint8_t, test::plain_scan>, scan_call<std::uint64_t, test::pipelined_scan>,
                         scan_call<test::matrix<4>, test::plain_scan, test::multiply>>;

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(none_up_to_a_tile, Call, calls) { test::check_none_up_to_a_tile<Call>(); }

BOOST_AUTO_TEST_CASE_TEMPLATE(query_is_exact, Call, calls) {
  for (std::size_t const count : {Call::tile + 1, 2 * Call::tile, 20 * Call::tile + 3}) {
    test::check_query_is_exact<Call>(count);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(at_any_address, Call, calls) {
  test::check_scratch_at_any_address<Call>(9 * Call::tile + 1, 0xFF);
}

BOOST_AUTO_TEST_SUITE_END()
