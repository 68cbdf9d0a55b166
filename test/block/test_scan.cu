// A block's scans are right in blocks of some numbers of warps, full and partial: over types of many sizes by an
// operator that is only given neighbours, by one that does not commute, and by usual ones.
#include <support/reductions.h>
#include <mgpu/detail/block/scan.cuh>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/reorderable_operators.h>
#include <mgpu/detail/simt/simt.cuh>
#include <support/device.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <vector>

BOOST_AUTO_TEST_SUITE(block_scan, *boost::unit_test::precondition(test::can_run{}))

namespace {

namespace simt = mgpu::detail::simt;
constexpr int lanes = mgpu::detail::threads_per_warp;
constexpr unsigned max_warps = 32;

template <class T, unsigned num_warps = max_warps>
struct storage {
  T warps[num_warps];
};

// Gives what the first `count` threads get, which have values[thread]. The others have the last value, which op must
// not see. The second scan is in the same shared memory.
template <class T, class Op>
__global__ void __launch_bounds__(max_warps* lanes)
    scan_kernel(T const* values, int count, T init, T* inclusive, T* exclusive, Op op) {
  auto& shared = simt::shared<storage<T>>();
  auto const thread = static_cast<int>(simt::thread_rank());
  T const value = values[thread < count ? thread : count];
  T const up_to = mgpu::detail::block_inclusive_scan(value, count, shared.warps, op);
  simt::sync_block();
  T const before = mgpu::detail::block_exclusive_scan(value, init, count, shared.warps, op);
  if (thread < count) {
    inclusive[thread] = up_to;
    exclusive[thread] = before;
  }
}

template <class T>
std::vector<T> scanned(test::buffer<unsigned char> const& memory, std::size_t count, T const& some) {
  auto const bytes = memory.get();
  std::vector<T> items(count, some);
  std::memcpy(static_cast<void*>(items.data()), bytes.data(), count * sizeof(T));
  return items;
}

// Checks both scans of `count` values of a block; values[count] is none of them. are_same() compares two values.
template <class T, class Op, class Same>
void check(unsigned warps, int count, std::vector<T> const& values, T const& init, Op op, Same are_same) {
  auto const size = static_cast<std::size_t>(count);
  test::buffer<T> in(values);
  test::buffer<unsigned char> inclusive(size * sizeof(T)), exclusive(size * sizeof(T));
  test::run_kernel(scan_kernel<T, Op>, 1, warps * lanes, sizeof(storage<T>), static_cast<T const*>(in.begin()), count,
                   init, reinterpret_cast<T*>(inclusive.begin()), reinterpret_cast<T*>(exclusive.begin()), op);
  auto const up_to = scanned(inclusive, size, init);
  auto const before = scanned(exclusive, size, init);
  bool are_right = true;
  std::vector<T> sum{values[0]}, sum_of_init{init};
  for (std::size_t i = 0; i < size; ++i) {
    if (i > 0) sum.push_back(static_cast<T>(op(sum.back(), values[i])));
    are_right = are_right && are_same(up_to[i], sum.back()) && are_same(before[i], sum_of_init.back());
    sum_of_init.push_back(static_cast<T>(op(sum_of_init.back(), values[i])));
  }
  BOOST_TEST(are_right, count << " values of " << sizeof(T) << " bytes in " << warps << " warps");
}

// Calls run(warps, count) for blocks of some sizes, full and partial.
template <class Run>
void for_some_blocks(Run run) {
  for (unsigned const warps : {1u, 2u, 7u, 8u, 9u, 32u}) {
    int const threads = static_cast<int>(warps) * lanes;
    for (int const count : {1, 2, 31, 32, 33, 64, 65, threads - lanes, threads - 1, threads}) {
      if (0 < count && count <= threads) run(warps, count);
    }
  }
}

using intervals = std::tuple<test::interval<8>, test::interval<12>, test::interval<16, 16>, test::interval<33, 1>>;
using numbers = std::tuple<std::uint8_t, std::int16_t, std::uint32_t, std::uint64_t>;

// Thread t of the first num_warps warps has t % 7 * scale; the block has one warp more, which has no part in it.
template <class T, unsigned num_warps>
__global__ void sums_kernel(T* sums, T scale) {
  auto& shared = simt::shared<storage<T, num_warps>>();
  bool const has_part = simt::warp() < num_warps;
  T const mine = has_part ? static_cast<T>(simt::thread_rank() % 7 * scale) : static_cast<T>(1000);
  T const before = mgpu::detail::block_exclusive_scan(mine, shared.warps);
  if (has_part) sums[simt::thread_rank()] = before;
}

template <class T, unsigned num_warps>
void check_sums() {
  constexpr unsigned threads = num_warps * lanes;
  auto const scale = static_cast<T>(0x9E3779B97F4A7C15u);
  test::buffer<T> sums(threads);
  test::run_kernel(sums_kernel<T, num_warps>, 1, threads + lanes, sizeof(storage<T, num_warps>), sums.begin(), scale);
  std::vector<T> expected;
  T sum = 0;
  for (unsigned i = 0; i < threads; ++i) {
    expected.push_back(sum);
    sum = static_cast<T>(sum + static_cast<T>(i % 7 * scale));
  }
  BOOST_TEST(sums.get() == expected, boost::test_tools::per_element());
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(neighbours, T, intervals) {
  for_some_blocks([](unsigned warps, int count) {
    auto const last = static_cast<std::uint32_t>(count);
    std::vector<T> values;
    for (std::uint32_t i = 0; i <= last; ++i) values.emplace_back(i < last ? i + 2 : 1000000);
    check(warps, count, values, T(1), test::join_intervals{}, test::same_value<T>);
  });
}

BOOST_AUTO_TEST_CASE(functions) {
  for_some_blocks([](unsigned warps, int count) {
    std::vector<test::affine64> values;
    for (std::uint32_t i = 0; i <= static_cast<std::uint32_t>(count); ++i)
      values.push_back({2 * i + 3, i * 2654435761u});
    check(warps, count, values, test::affine64{5, 7}, test::compose64{}, test::same_value<test::affine64>);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(usual_operators, T, numbers) {
  for_some_blocks([](unsigned warps, int count) {
    std::vector<T> values;
    for (std::uint64_t i = 0; i <= static_cast<std::uint64_t>(count); ++i)
      values.push_back(static_cast<T>((i + 1) * 0x9E3779B97F4A7C15u >> 9));
    auto const are_same = [](T a, T b) { return a == b; };
    check(warps, count, values, T{3}, cuda::std::plus<>{}, are_same);
    check(warps, count, values, T{3}, cuda::maximum<>{}, are_same);
  });
}

BOOST_AUTO_TEST_CASE(sums_of_the_first_warps) {
  check_sums<std::uint32_t, 1>();
  check_sums<std::uint32_t, 8>();
  check_sums<std::uint32_t, 9>();
  check_sums<std::uint32_t, 31>();
  check_sums<std::uint64_t, 8>();
  check_sums<std::uint64_t, 31>();
}

BOOST_AUTO_TEST_SUITE_END()
