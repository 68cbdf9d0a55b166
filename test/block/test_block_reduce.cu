// A block's reductions: any number of threads or warps that have a value, in blocks of many sizes, in order.
#include <api/reductions.h>
#include <mgpu/detail/block/reduce.cuh>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/simt.cuh>
#include <support/device.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <tuple>
#include <vector>

namespace {

namespace simt = mgpu::detail::simt;
constexpr int lanes = mgpu::detail::threads_per_warp;

// results[0]: the first num_threads threads, results[1]: the first num_warps warps; the others hold what must not be
// used. The second reduction uses the same storage, after a barrier.
template <class T, int threads>
__global__ void __launch_bounds__(1024) reduce_kernel(T* results, int num_threads, int num_warps) {
  using block = mgpu::detail::block_reduce<T, threads>;
  auto& temp = simt::shared<typename block::temp_storage>();
  test::join_intervals op;
  auto const thread = static_cast<int>(simt::thread_rank());
  T const mine(thread < num_threads ? static_cast<std::uint32_t>(thread + 1) : 100000u);
  T const of_threads = block::reduce(temp, mine, num_threads, op);
  simt::sync_block();
  bool const first_lane = thread % lanes == 0 && thread / lanes < num_warps;
  T const of_warp(first_lane ? static_cast<std::uint32_t>(thread / lanes + 1) : 200000u);
  T const of_warps = block::reduce_warps(temp, of_warp, num_warps, op);
  if (thread == 0) {
    results[0] = of_threads;
    results[1] = of_warps;
  }
}

template <class T, int threads>
void check() {
  constexpr int warps = threads / lanes;
  test::buffer<unsigned char> memory(2 * sizeof(T));
  for (int const count : {1, 2, 31, 32, 33, 64, threads / 2 + 1, threads - 1, threads}) {
    if (count > threads) continue;
    int const num_warps = 1 + count % warps;
    BOOST_TEST_CONTEXT(count << " of " << threads << " threads, " << num_warps << " warps, " << sizeof(T) << " B") {
      test::run_kernel(reduce_kernel<T, threads>, 1, threads,
                       sizeof(typename mgpu::detail::block_reduce<T, threads>::temp_storage),
                       reinterpret_cast<T*>(memory.begin()), count, num_warps);
      auto const bytes = memory.get();
      auto const* const got = reinterpret_cast<T const*>(bytes.data());
      BOOST_TEST(test::same_value(got[0], T(1, static_cast<std::uint32_t>(count))));
      BOOST_TEST(test::same_value(got[1], T(1, static_cast<std::uint32_t>(num_warps))));
    }
  }
}

using value_types = std::tuple<test::interval<8>, test::interval<12>, test::interval<16, 16>, test::interval<33, 1>,
                               test::interval<64, 16>>;

}  // namespace

BOOST_AUTO_TEST_SUITE(block_reduce, *boost::unit_test::precondition(test::can_run{}))

BOOST_AUTO_TEST_CASE_TEMPLATE(every_size, T, value_types) {
  check<T, 32>();
  check<T, 64>();
  check<T, 96>();
  check<T, 256>();
  check<T, 1024>();
}

BOOST_AUTO_TEST_SUITE_END()
