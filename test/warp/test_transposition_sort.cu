// As many rounds as numbers lie in wrong order side by side put them in order, wherever they lie: shown for all zeros
// and ones, which proves it for all numbers (Knuth, 5.3.4, theorem Z).
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/warp/transposition_sort.cuh>
#include <support/device.h>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

BOOST_AUTO_TEST_SUITE(transposition_sort, *boost::unit_test::precondition(test::can_run{}))

namespace {

constexpr int lanes = mgpu::detail::threads_per_warp;

struct no_storage {};

// Each block sorts its warp's share of the numbers.
template <class T, int num_items>
__global__ void sort_kernel(T* numbers, int rounds) {
  T mine[num_items];
  T* const first = numbers + (mgpu::detail::simt::block_rank() * lanes + mgpu::detail::simt::lane()) * num_items;
  for (int i = 0; i < num_items; ++i) mine[i] = first[i];
  mgpu::detail::warp_transposition_sort(mine, rounds);
  for (int i = 0; i < num_items; ++i) first[i] = mine[i];
}

template <class T, int num_items>
std::vector<T> sorted_by(std::vector<T> const& numbers, int rounds) {
  test::buffer<T> on_device(numbers);
  auto const blocks = static_cast<unsigned>(numbers.size()) / (lanes * num_items);
  test::run_kernel(sort_kernel<T, num_items>, blocks, lanes, sizeof(no_storage), on_device.begin(), rounds);
  return on_device.get();
}

// Puts each string of zeros and ones of a length at a place, between twos on the right and zeros on the left of it.
template <class T, int num_items>
void check(int length, int place) {
  constexpr std::size_t warp_items = lanes * num_items;
  std::vector<T> numbers;
  for (std::uint32_t bits = 0; bits < 1u << length; ++bits) {
    for (int i = 0; i < static_cast<int>(warp_items); ++i) {
      int const at = i - place;
      numbers.push_back(static_cast<T>(at < 0 ? 0 : at < length ? bits >> at & 1 : 2));
    }
  }
  auto expected = numbers;
  for (std::size_t i = 0; i < numbers.size(); i += warp_items) {
    std::sort(expected.begin() + static_cast<std::ptrdiff_t>(i),
              expected.begin() + static_cast<std::ptrdiff_t>(i + warp_items));
  }
  BOOST_TEST((sorted_by<T, num_items>(numbers, length) == expected), length << " numbers from " << place << " on");
}

}  // namespace

BOOST_AUTO_TEST_CASE(zeros_and_ones) {
  for (int length = 1; length <= 6; ++length) {
    for (int const place : {0, 1, 2, 3, 4, 5, 6, 7, lanes * 4 - length}) {
      check<std::uint32_t, 4>(length, place);
      check<std::uint64_t, 2>(length, place % (lanes * 2 - length));
    }
  }
  check<std::uint32_t, 4>(9, 3);
}

// All of a warp's numbers, in reverse.
BOOST_AUTO_TEST_CASE(reversed) {
  std::vector<std::uint64_t> numbers(lanes * 6), expected;
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = (numbers.size() - i) << 33;
  expected.assign(numbers.rbegin(), numbers.rend());
  BOOST_TEST((sorted_by<std::uint64_t, 6>(numbers, static_cast<int>(numbers.size())) == expected));
}

// No round changes nothing.
BOOST_AUTO_TEST_CASE(none) {
  std::vector<std::uint32_t> const numbers(lanes * 2, 3);
  BOOST_TEST((sorted_by<std::uint32_t, 2>(numbers, 0) == numbers));
}

BOOST_AUTO_TEST_SUITE_END()
