// block_reduce is right in blocks of every number of warps: by operators that do not commute, on values of many
// sizes, and by those whose order nobody can tell.
#include <support/reductions.h>
#include <mgpu/detail/block/reduce.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <support/device.h>
#include <boost/test/unit_test.hpp>
#include <cuda/functional>
#include <cstdint>
#include <tuple>
#include <vector>

BOOST_AUTO_TEST_SUITE(block_reduce, *boost::unit_test::precondition(test::can_run{}))

namespace {

constexpr unsigned max_warps = 32;
template <class T>
struct storage {
  T warps[max_warps];
};

// Reduces twice in the same shared memory.
template <class T, class Op>
__global__ void __launch_bounds__(max_warps* mgpu::detail::threads_per_warp)
    reduce_kernel(T const* values, T* results) {
  namespace simt = mgpu::detail::simt;
  auto& shared = simt::shared<storage<T>>();
  unsigned const thread = simt::thread_rank();
  Op op;
#pragma unroll 1
  for (unsigned round = 0; round < 2; ++round) {
    T const result = mgpu::detail::block_reduce(values[round * simt::threads_per_block() + thread], shared.warps, op);
    if (thread == 0) results[round] = result;
    simt::sync_block();
  }
}

// Checks that each round gives what the CPU makes of its values.
template <class Op, class T>
void check(std::vector<T> const& values, unsigned warps) {
  std::size_t const threads = warps * mgpu::detail::threads_per_warp;
  test::buffer<T> in(values);
  test::buffer<unsigned char> out(2 * sizeof(T));  // T need not have a default constructor
  test::run_kernel(reduce_kernel<T, Op>, 1, static_cast<unsigned>(threads), sizeof(storage<T>),
                   static_cast<T const*>(in.begin()), reinterpret_cast<T*>(out.begin()));
  std::vector<unsigned char> const bytes = out.get();
  auto const* const results = reinterpret_cast<T const*>(bytes.data());
  for (std::size_t round = 0; round < 2; ++round) {
    T expected = values[round * threads];
    for (std::size_t i = 1; i < threads; ++i) expected = Op{}(expected, values[round * threads + i]);
    BOOST_TEST(test::same_value(results[round], expected), warps << " warps, round " << round);
  }
}

using intervals = std::tuple<test::interval<8>, test::interval<12>, test::interval<33, 1>, test::interval<64, 16>,
                             test::interval<200, 8>>;
using numbers = std::tuple<std::int8_t, std::uint16_t, std::int32_t, std::uint32_t, std::int64_t, float, double>;

}  // namespace

BOOST_AUTO_TEST_CASE(every_number_of_warps) {
  for (unsigned warps = 1; warps <= max_warps; ++warps) {
    std::vector<test::affine64> values;
    for (std::uint32_t i = 0; i < 2 * warps * mgpu::detail::threads_per_warp; ++i) {
      values.push_back({2 * i + 3, i * 2654435761u});
    }
    check<test::compose64>(values, warps);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(values_of_many_sizes, T, intervals) {
  for (unsigned const warps : {1u, 2u, 7u, 32u}) {
    check<test::join_intervals>(test::numbers_from<T>(1, 2 * warps * mgpu::detail::threads_per_warp), warps);
  }
}

// Sums of floats are exact here.
BOOST_AUTO_TEST_CASE_TEMPLATE(operators_in_any_order, T, numbers) {
  for (unsigned const warps : {1u, 2u, 7u, 32u}) {
    std::vector<T> values(2 * warps * mgpu::detail::threads_per_warp);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>(static_cast<int>(i * 7919 % 97) - 48);
    check<cuda::std::plus<>>(values, warps);
    check<cuda::maximum<>>(values, warps);
    check<cuda::minimum<>>(values, warps);
  }
}

BOOST_AUTO_TEST_SUITE_END()
