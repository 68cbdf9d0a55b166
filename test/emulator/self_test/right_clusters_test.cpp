// Right kernels in clusters give the right result, and the policies keep what they promise of clusters.
#include "checks.h"
#include <algorithm>

namespace self_test {
namespace {

#if defined(MGPU_EMULATOR_TSAN)
constexpr unsigned cluster_schedules = 10;
#else
constexpr unsigned cluster_schedules = 300;
#endif

struct launch_shape {
  unsigned blocks_per_cluster, num_blocks;
};
constexpr launch_shape shapes[] = {{1, 5}, {2, 10}, {3, 6}, {8, 8}, {8, 24}, {16, 16}, {16, 32}};

template <class Run>
void in_all_shapes(Run run) {
  for (launch_shape const shape : shapes) {
    BOOST_TEST_CONTEXT(shape.num_blocks << " blocks in clusters of " << shape.blocks_per_cluster) {
      under_all_schedules([&] { run(shape.blocks_per_cluster, shape.num_blocks); }, true, cluster_schedules);
    }
  }
}

BOOST_AUTO_TEST_CASE(push_to_every_block) {
  in_all_shapes([](unsigned size, unsigned num_blocks) {
    CHECK_SAME(pushed(push_kernel<>, size, num_blocks), expected_pushed(size, num_blocks));
  });
}

BOOST_AUTO_TEST_CASE(store_to_every_block) {
  in_all_shapes([](unsigned size, unsigned num_blocks) {
    CHECK_SAME(pushed<counted_boxes_storage>(store_async_kernel<>, size, num_blocks),
               expected_pushed(size, num_blocks));
  });
}

BOOST_AUTO_TEST_CASE(read_boxes_behind_words) {
  in_all_shapes([](unsigned size, unsigned num_blocks) {
    CHECK_SAME(pushed<counted_boxes_storage>(boxes_behind_words_kernel<>, size, num_blocks),
               expected_pushed(size, num_blocks));
  });
}

BOOST_AUTO_TEST_CASE(reduce_across_a_cluster) {
  in_all_shapes([](unsigned size, unsigned num_blocks) {
    CHECK_SAME(reduced(reduce_cluster_kernel<>, size, num_blocks), expected_reduced(size, num_blocks));
  });
}

BOOST_AUTO_TEST_CASE(one_barrier_a_round) {
  in_all_shapes([](unsigned size, unsigned num_blocks) {
    CHECK_SAME(relayed(relay_kernel<>, size, num_blocks), expected_relayed(size, num_blocks));
  });
}

// A hand-over works under all policies, as the blocks of a cluster are in flight together.
BOOST_AUTO_TEST_CASE(hand_over_in_a_cluster) {
  in_all_shapes([](unsigned size, unsigned num_blocks) {
    unsigned const clusters = num_blocks / size;
    std::vector<word> data(clusters), flags(clusters), out(clusters);
    allow_large_clusters(hand_over_in_cluster_kernel);
    launch_in_clusters(size, num_blocks, 32, hand_over_in_cluster_kernel, data.data(), flags.data(), out.data());
    CHECK_SAME(out, std::vector<word>(clusters, 42));
  });
}

BOOST_AUTO_TEST_CASE(ended_threads_are_not_waited_for) {
  under_all_schedules(
      [] {
        word count = 0;
        launch_in_clusters(4, 8, 32, early_exits_kernel, &count);
        BOOST_TEST(count == 6 * 7u);
      },
      true, cluster_schedules);
}

// Returns the clusters that the entries of log_kernel are of, in order, and how many of the entries are.
std::vector<word> logged_clusters(unsigned size, unsigned num_blocks) {
  std::vector<word> entries(num_blocks * 32 * 2);
  word count = 0;
  launch_in_clusters(size, num_blocks, 32, log_kernel, entries.data(), &count);
  for (word& entry : entries) entry /= size;
  return entries;
}

BOOST_AUTO_TEST_CASE(exclusive_clusters) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    emulator::options chosen = emulator::schedule(seed);
    chosen.blocks = emulator::block_policy::exclusive;
    emulator::with_options const scope(chosen);
    std::vector<word> clusters = logged_clusters(4, 12);
    clusters.erase(std::unique(clusters.begin(), clusters.end()), clusters.end());
    BOOST_TEST(clusters.size() == 3u);  // one after the other
  }
}

// The victim's cluster is last, though its barrier and pauses leave room for the others to run beside it.
BOOST_AUTO_TEST_CASE(starved_clusters) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    emulator::options chosen = emulator::schedule(seed);
    chosen.blocks = emulator::block_policy::starve;
    chosen.victim = 5;
    chosen.starve_after = 40;  // between the first entry and the last
    emulator::with_options const scope(chosen);
    std::vector<word> const clusters = logged_clusters(4, 12);
    auto const of_victim = [](word cluster) { return cluster == 1; };
    auto const last_other = std::find_if_not(clusters.rbegin(), clusters.rend(), of_victim);
    auto const after = last_other - clusters.rbegin();
    BOOST_TEST(after > 0);
    BOOST_TEST(after < 4 * 32 * 2);
  }
}

BOOST_AUTO_TEST_CASE(counts) {
  reduced(reduce_cluster_kernel<>, 4, 12);
  emulator::stats const stats = emulator::last_stats();
  BOOST_TEST(stats.blocks == 12u);
  BOOST_TEST(stats.barriers == 2 * 12u);
  BOOST_TEST(stats.cluster_barriers == 3 * 2u);
}

BOOST_AUTO_TEST_CASE(seeds_reproduce) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    emulator::with_options const scope(emulator::schedule(seed));
    CHECK_SAME(logged_clusters(4, 12), logged_clusters(4, 12));
  }
}

}  // namespace
}  // namespace self_test
