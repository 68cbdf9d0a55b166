// A warp's offsets from counts: every edge of a row, of the rows that are read together and of the counts, with a first
// index and a first offset of its own; sums beyond 32 bits; nothing is written past the warp's rows.
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/warp/offsets_from_counts.cuh>
#include <support/device.h>
#include <support/memory.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <vector>

BOOST_AUTO_TEST_SUITE(offsets_from_counts, *boost::unit_test::precondition(test::can_run{}))

namespace {

constexpr int lanes = mgpu::detail::threads_per_warp;
constexpr std::uint64_t untouched = ~std::uint64_t{0};

struct no_storage {};

template <int num_counts>
struct arrays {
  std::uint64_t counts[num_counts];
  std::uint64_t offsets[num_counts];
};

// Also writes seen[i] = what f got for index first + i.
template <int num_rows, int num_counts>
__global__ void offsets_kernel(arrays<num_counts>* of, std::uint64_t* seen, int first, std::uint64_t offset) {
  mgpu::detail::warp_offsets_from_counts<num_rows>(
      of->counts, of->offsets, first, offset,
      [&](int index, std::uint64_t count) { seen[index - first] = count + 1; });
}

template <int num_rows, int num_counts>
void check(int first, std::uint64_t offset) {
  BOOST_TEST_CONTEXT(num_rows << " rows of " << num_counts << " counts from " << first << " on") {
    arrays<num_counts> given;
    for (int i = 0; i < num_counts; ++i) {
      auto const number = static_cast<std::uint64_t>(i);
      given.counts[i] = i % 5 == 3 ? 0 : (number * number << (i % 7 == 0 ? 33 : 0)) + 1;
      given.offsets[i] = untouched;
    }
    std::vector<std::uint64_t> expected(num_counts, untouched), expected_seen(num_rows * lanes, 1);
    std::uint64_t sum = offset;
    for (int i = first; i < num_counts && i < first + num_rows * lanes; ++i) {
      expected[static_cast<std::size_t>(i)] = sum;
      expected_seen[static_cast<std::size_t>(i - first)] = given.counts[i] + 1;
      sum += given.counts[i];
    }

    test::buffer<arrays<num_counts>> memory(std::vector<arrays<num_counts>>{given});
    test::buffer<std::uint64_t> seen(std::vector<std::uint64_t>(num_rows * lanes, 0));
    test::run_kernel(offsets_kernel<num_rows, num_counts>, 1, lanes, sizeof(no_storage), memory.begin(), seen.begin(),
                     first, offset);
    auto const result = memory.get();
    auto const got = result[0].offsets;
    BOOST_TEST(std::vector<std::uint64_t>(got, got + num_counts) == expected, boost::test_tools::per_element());
    BOOST_TEST(seen.get() == expected_seen, boost::test_tools::per_element());
  }
}

// As many rows as the counts have, or fewer, or more.
template <int num_counts>
void check_counts() {
  constexpr int rows = mgpu::detail::divide_up(num_counts, lanes);
  check<rows, num_counts>(0, 0);
  check<rows + 1, num_counts>(0, 7);
  check<1, num_counts>(num_counts / 2, std::uint64_t{1} << 40);
  check<rows, num_counts>(num_counts - 1, 1);
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_edge) {
  check_counts<1>();
  check_counts<2>();
  check_counts<31>();
  check_counts<32>();
  check_counts<33>();
  check_counts<255>();
  check_counts<256>();
  check_counts<257>();
  check_counts<2048>();
}

// A warp of several begins where the one before it ends, as when a block's warps share the counts.
BOOST_AUTO_TEST_CASE(rows_of_several_warps) {
  check<9, 4096>(0, 0);
  check<9, 4096>(9 * lanes, 12);
  check<9, 4096>(4096 - lanes, 3);
  check<9, 4096>(4096, 3);
  check<9, 4096>(4096 + 9 * lanes, 3);
}

BOOST_AUTO_TEST_SUITE_END()
