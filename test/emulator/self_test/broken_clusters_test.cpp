// Each defect of a kernel in clusters is found, and the report names it.
#include "checks.h"

namespace self_test {
namespace {

#if !defined(MGPU_EMULATOR_TSAN)  // to which these are races, see planted.cpp
BOOST_AUTO_TEST_CASE(missing_wait) {
  BOOST_TEST(times_wrong([] { return pushed(push_kernel<false>, 4, 8); }, expected_pushed(4, 8)) > 100u);
}

BOOST_AUTO_TEST_CASE(missing_barrier_before_the_next_round) {
  BOOST_TEST(times_wrong([] { return relayed(relay_kernel<false>, 4, 8); }, expected_relayed(4, 8)) > 100u);
}
#endif

BOOST_AUTO_TEST_CASE(block_ends_while_others_read) {
  check_report([] { reduced(reduce_cluster_kernel<false>, 4, 8); },
               {"in_cluster_block: block ", " has ended", "reduce_cluster_kernel<false, true>", "clusters of 4"});
}

#if !defined(MGPU_EMULATOR_TSAN) && !defined(MGPU_EMULATOR_ASAN)  // which stop the program, see planted.cpp
BOOST_AUTO_TEST_CASE(block_ends_before_others_write) {
  check_report([] { launch_in_clusters<sum_storage>(2, 2, 32, late_write_kernel, 100u); },
               {"shared memory of block 1 written after the block had ended"});
}
#endif

BOOST_AUTO_TEST_CASE(words_that_are_not_waited_for) {
  check_report([] { pushed<counted_boxes_storage>(store_async_kernel<false>, 2, 2); },
               {"the block ends before words have arrived that others store in it", "store_async_kernel<false>"});
}

BOOST_AUTO_TEST_CASE(two_arrivals) {
  check_report([] { launch_in_clusters(2, 4, 32, arrive_twice_kernel); },
               {"arrives at the cluster barrier again without having waited", "thread 5 of block 1"});
}

BOOST_AUTO_TEST_CASE(wait_without_arrival) {
  check_report([] { launch_in_clusters(2, 4, 32, wait_only_kernel); },
               {"waits at the cluster barrier without having arrived", "thread 5 of block 1",
                "block 0: threads 0-31 at the cluster barrier"});
}

BOOST_AUTO_TEST_CASE(arrival_without_wait) {
  check_report([] { launch_in_clusters(2, 4, 32, leave_without_waiting_kernel); },
               {"ends without having waited at the cluster barrier", "thread 5 of block 1"});
}

BOOST_AUTO_TEST_CASE(cluster_barrier_in_divergent_code) {
  check_report([] { launch_in_clusters(2, 2, 32, divergent_arrival_kernel); },
               {"cluster barrier in divergent code", "sync_warp with mask 0xffffffff"});
}

BOOST_AUTO_TEST_CASE(deadlock) {
  check_report([] { launch_in_clusters(2, 2, 64, deadlock_in_cluster_kernel); },
               {"deadlock: no thread can run",
                "block 0: threads 0-31 at the cluster barrier; threads 32-63 at the block barrier",
                "block 1: threads 0-31 at the cluster barrier; threads 32-63 at the block barrier"});
}

BOOST_AUTO_TEST_CASE(no_such_block) {
  check_report([] { launch_in_clusters<sum_storage>(2, 4, 32, no_such_block_kernel); },
               {"in_cluster_block: no block 2 in a cluster of 2"});
}

BOOST_AUTO_TEST_CASE(not_in_shared_memory) {
  word place = 0;
  check_report([&] { launch_in_clusters<sum_storage>(2, 2, 32, not_shared_kernel, &place); },
               {"in_cluster_block: what is asked for is not in the caller's shared memory"});
  check_report([] { launch_in_clusters<sum_storage>(4, 4, 32, mapped_twice_kernel); },
               {"in_cluster_block: what is asked for is not in the caller's shared memory"});
}

BOOST_AUTO_TEST_CASE(block_that_need_not_have_started) {
  check_report([] { launch_in_clusters<sum_storage>(2, 2, 32, too_early_kernel); },
               {"in_cluster_block: block ", "need not have started before wait_cluster()"});
}

// After a failure, with blocks ended and not, the next launch runs as if nothing had been.
BOOST_AUTO_TEST_CASE(goes_on_after_failures) {
  for (unsigned i = 0; i < 20; ++i) {
    check_report([] { reduced(reduce_cluster_kernel<false>, 4, 8); }, {"has ended"});
    BOOST_TEST((reduced(reduce_cluster_kernel<>, 4, 8) == expected_reduced(4, 8)));
  }
}

}  // namespace
}  // namespace self_test
