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

std::vector<std::uint32_t> as_they_are(std::vector<std::uint32_t> const& numbers) { return numbers; }
using long_key = test::long_key<std::uint64_t, 2, 16>;
std::vector<long_key> as_long_keys(std::vector<std::uint32_t> const& numbers) {
  return test::long_keys_of<long_key>(numbers, 50);
}

template <class Tuning, class Keys>
void check(std::uint64_t schedules, Keys keys) {
  test::for_each_schedule(schedules, [&](std::uint32_t seed) {
    std::size_t const count = 256 + seed * 97 % 257;
    test::check_merge_cluster<Tuning>(keys(test::radix_keys<std::uint32_t>(count, seed)), test::by_low_digits{});
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(one_block) { check<test::merge_cluster_of<1024, 1024>>(16, as_they_are); }
BOOST_AUTO_TEST_CASE(small_clusters) { check<test::merge_cluster_of<64, 16, 1 << 11>>(12, as_they_are); }
BOOST_AUTO_TEST_CASE(large_clusters) { check<test::merge_cluster_of<32, 16>>(8, as_they_are); }
BOOST_AUTO_TEST_CASE(small_clusters_by_shares) { check<test::merge_cluster_of<64, 16, 1 << 11, 0>>(12, as_they_are); }
BOOST_AUTO_TEST_CASE(large_clusters_by_shares) { check<test::merge_cluster_of<32, 16, 0, 0>>(8, as_they_are); }
BOOST_AUTO_TEST_CASE(long_keys_by_shares) { check<test::shares_of_16>(4, as_long_keys); }

BOOST_AUTO_TEST_SUITE_END()
