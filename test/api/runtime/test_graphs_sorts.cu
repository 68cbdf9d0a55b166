// Every way of sorting can be captured into a CUDA graph and replayed on other data each time.
#include <api/runtime/graphs.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>

BOOST_AUTO_TEST_SUITE(graphs_sorts, *boost::unit_test::precondition(test::can_run{}))

namespace {

// Orders by the remainder, so that many keys are equal and only their places tell them apart.
struct by_remainder {
  template <class T>
  __host__ __device__ bool operator()(T a, T b) const {
    return a % 1000 < b % 1000;
  }
};

template <class Key, class Value, class Comp = cuda::std::less<>>
using sorted_items = test::items_of<Key, Value, test::operators<Comp>>;

}  // namespace

BOOST_AUTO_TEST_CASE(radix_sorts) {
  test::check_captured<sorted_items<std::uint32_t, std::uint64_t, cuda::std::greater<>>>(100003);
}
BOOST_AUTO_TEST_CASE(counting_sorts) { test::check_captured<sorted_items<std::uint8_t, std::uint32_t>>(300003); }
BOOST_AUTO_TEST_CASE(merge_sorts_in_a_block) {
  test::check_captured<sorted_items<std::uint32_t, std::uint32_t, by_remainder>>(1000);
}
BOOST_AUTO_TEST_CASE(merge_sorts) {
  test::check_captured<sorted_items<std::uint64_t, std::uint32_t, by_remainder>>(100003);
}
BOOST_AUTO_TEST_CASE(large_values) { test::check_captured<sorted_items<std::uint32_t, test::item<40, 4>>>(50003); }
BOOST_AUTO_TEST_CASE(large_keys) {
  test::check_captured<sorted_items<test::item<40, 4>, std::uint32_t, test::by_key>>(50003);
}

BOOST_AUTO_TEST_SUITE_END()
