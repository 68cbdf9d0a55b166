// Small merge sorts by a cluster run under a race checker, which judges by the barriers between two accesses.
#include <backend/merge_cluster/merge_cluster_sorts.h>
#include <backend/radix_sorts.h>
#include <support/device.h>
#include <support/schedules.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <vector>

BOOST_AUTO_TEST_SUITE(merge_cluster_races, *boost::unit_test::precondition(test::can_run_clusters{}))

namespace {

template <class Tuning, class Key = std::uint32_t>
void check(std::uint64_t schedules) {
  test::for_each_schedule(schedules, [](std::uint32_t seed) {
    std::size_t const count = 256 + seed * 97 % 257;
    auto const numbers = test::radix_keys<std::uint32_t>(count, seed);
    test::check_merge_cluster<Tuning>(std::vector<Key>(numbers.begin(), numbers.end()), test::by_low_digits{});
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(one_block) { check<test::merge_cluster_of<1024, 1024>>(16); }
BOOST_AUTO_TEST_CASE(small_clusters) { check<test::merge_cluster_of<64, 16, 1 << 11>>(12); }
BOOST_AUTO_TEST_CASE(large_clusters) { check<test::merge_cluster_of<32, 16>>(8); }
BOOST_AUTO_TEST_CASE(small_clusters_by_shares) { check<test::merge_cluster_of<64, 16, 1 << 11, 0>>(12); }
BOOST_AUTO_TEST_CASE(large_clusters_by_shares) { check<test::merge_cluster_of<32, 16, 0, 0>>(8); }
BOOST_AUTO_TEST_CASE(long_keys_by_shares) { check<test::only_shares, test::long_key<std::uint64_t, 2, 16>>(4); }

BOOST_AUTO_TEST_SUITE_END()
