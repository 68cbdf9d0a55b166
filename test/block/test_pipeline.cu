// Roles of one thread, of several warps in turns, and of one warp pass pieces of work on through the stages of a
// pipeline, more pieces than there are stages. Under no schedule is a stage read before it is filled, or filled
// before it is free.
#include <support/schedules.h>
#include <mgpu/detail/block/pipeline.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <support/device.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <vector>

BOOST_AUTO_TEST_SUITE(pipeline, *boost::unit_test::precondition(test::can_run{}))

namespace {

constexpr int lanes = mgpu::detail::threads_per_warp;

template <int stages, int workers>
struct storage {
  int numbers[stages];
  std::uint32_t items[stages][workers * lanes];
  mgpu::detail::stage_barriers<stages> filled;
  mgpu::detail::stage_barriers<stages> worked;
  mgpu::detail::stage_barriers<stages> empty;
};

__host__ __device__ std::uint32_t item_of(int number, int thread) {
  return static_cast<std::uint32_t>(number) * 2654435761u + static_cast<std::uint32_t>(thread) * 40503u;
}

// One thread writes a number to each stage, groups of `workers` warps make items of it in turns, and one warp adds up
// what each of its lanes has there: sums[number * 32 + lane].
template <int stages, int workers, int groups>
__global__ void pipeline_kernel(int count, std::uint32_t* sums) {
  namespace simt = mgpu::detail::simt;
  auto& shared = simt::shared<storage<stages, workers>>();
  mgpu::detail::stage_cursor<stages> at;
  auto const lane = static_cast<int>(simt::lane());
  auto const warp = static_cast<int>(simt::warp());
  if (simt::thread_rank() == 0) {
    for (int s = 0; s < stages; ++s) {
      shared.filled.init_for_thread(s);
      shared.worked.init_for_warps(s, workers);
      shared.empty.init_for_warps(s, 1);
    }
  }
  simt::sync_block();
  if (warp == workers * groups) {
    if (lane != 0) return;
    for (int i = 0; i < count; ++i, at.advance()) {
      if (i >= stages) shared.empty.wait_for_last_round(at);
      shared.numbers[at.stage] = i + 1;
      shared.filled.arrive(at);
    }
  } else if (warp < workers * groups) {
    int const thread = warp % workers * lanes + lane;
    at.advance(warp / workers);
    for (int i = warp / workers; i < count; i += groups, at.advance(groups)) {
      shared.filled.wait(at);
      shared.items[at.stage][thread] = item_of(shared.numbers[at.stage], thread);
      shared.worked.arrive_warp(at);
    }
  } else {
    for (int i = 0; i < count; ++i, at.advance()) {
      shared.worked.wait(at);
      std::uint32_t sum = 0;
      for (int w = 0; w < workers; ++w) sum += shared.items[at.stage][w * lanes + (lane + 1) % lanes];
      shared.empty.arrive_warp(at);
      sums[i * lanes + lane] = sum;
    }
  }
}

template <int stages, int workers, int groups>
void check(int count) {
  test::buffer<std::uint32_t> sums(static_cast<std::size_t>(count * lanes));
  test::run_kernel(pipeline_kernel<stages, workers, groups>, 1, (workers * groups + 2) * lanes,
                   sizeof(storage<stages, workers>), count, sums.begin());
  std::vector<std::uint32_t> expected;
  for (int i = 0; i < count; ++i) {
    for (int lane = 0; lane < lanes; ++lane) {
      std::uint32_t sum = 0;
      for (int w = 0; w < workers; ++w) sum += item_of(i + 1, w * lanes + (lane + 1) % lanes);
      expected.push_back(sum);
    }
  }
  BOOST_TEST_CONTEXT(stages << " stages, " << groups << " groups of " << workers << " warps, " << count
                            << " pieces") {
    BOOST_TEST(sums.get() == expected, boost::test_tools::per_element());
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_stages_in_turns) {
  test::for_each_schedule(100, [](std::uint32_t seed) {
    int const count = 1 + static_cast<int>(seed * 7919 % 13);
    check<1, 1, 1>(count);
    check<2, 2, 1>(count);
    check<3, 1, 2>(count);
    check<4, 2, 2>(count);
  });
}

BOOST_AUTO_TEST_SUITE_END()
