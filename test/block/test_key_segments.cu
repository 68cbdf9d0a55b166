// One block cuts the range of keys into segments and cells, which follow one another without a gap.
#include <support/device.h>
#include <mgpu/detail/block/key_segments.cuh>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

BOOST_AUTO_TEST_SUITE(key_segments, *boost::unit_test::precondition(test::can_run{}))

namespace {

namespace detail = mgpu::detail;

template <class Storage>
__global__ void cut_kernel(std::uint32_t const* counts, int num_keys, int max_cells, int max_divisor,
                           std::uint32_t* words, std::uint32_t* num_cells) {
  auto& shared = detail::simt::shared<Storage>();
  unsigned const thread = detail::simt::thread_rank();
  if (thread < Storage::num_segments) shared.counts[thread] = counts[thread];
  detail::simt::sync_block();
  std::uint32_t const cells = detail::block_cut_segments(shared, num_keys, max_cells, max_divisor, words);
  if (thread == 0) *num_cells = cells;
}

// Checks that the cells of segments with so many keys follow one another, and returns the words.
template <int threads, int bits>
std::vector<std::uint32_t> cut(std::vector<std::uint32_t> const& counts, int max_cells, int max_divisor) {
  using storage = detail::key_segments_storage<threads, bits>;
  std::uint32_t num_keys = 0;
  for (std::uint32_t const count : counts) num_keys += count;
  test::buffer<std::uint32_t> in(counts), words(std::vector<std::uint32_t>(counts.size())),
      num_cells(std::vector<std::uint32_t>(1));
  test::run_kernel(cut_kernel<storage>, 1, threads, sizeof(storage), static_cast<std::uint32_t const*>(in.begin()),
                   static_cast<int>(num_keys), max_cells, max_divisor, words.begin(), num_cells.begin());
  auto const made = words.get();
  std::uint32_t const cells = num_cells.get()[0];
  BOOST_TEST(cells <= static_cast<std::uint32_t>(max_cells));
  // The segments have a quarter of the cells that there may be, or more.
  BOOST_TEST(4 * cells >= static_cast<std::uint32_t>(max_cells));
  std::uint32_t next = 0;
  for (std::size_t i = 0; i < made.size(); ++i) {
    detail::key_segment const segment(made[i]);
    auto const first = static_cast<std::uint32_t>(i) << (32 - bits);
    std::uint32_t const last = first + (0xffffffffu >> bits);
    BOOST_TEST(segment.shift() >= 1);
    BOOST_TEST(segment.cell_of(first) == next);
    next = segment.cell_of(last) + 1;
  }
  BOOST_TEST(next == cells);
  return made;
}

}  // namespace

BOOST_AUTO_TEST_CASE(counts_of_all_kinds) {
  for (int const max_cells : {16, 40, 1000}) {
    std::vector<std::uint32_t> counts(8, 0);
    for (std::size_t i = 0; i < counts.size(); ++i) {
      counts[i] = 1000;
      cut<32, 3>(counts, max_cells, 1 << 30);
    }
    counts = {1, 0, 0, 5, 800'000, 3, 0, 1};
    cut<32, 3>(counts, max_cells, 256);
    cut<64, 3>(counts, max_cells, 16);
  }
  std::mt19937 random(1);
  std::vector<std::uint32_t> counts(128);
  for (std::uint32_t& count : counts) count = random() % 4 == 0 ? random() % 10'000 : 0;
  cut<128, 7>(counts, 500, 256);
  cut<256, 7>(counts, 256, 16);
}

// A segment with more keys has more cells, and one that has few gets what it is worth at least.
BOOST_AUTO_TEST_CASE(shares) {
  auto const words = cut<32, 2>({64'000, 1'000, 0, 1}, 1000, 64);
  auto const log_cells = [&](std::size_t i) { return 30 - detail::key_segment(words[i]).shift(); };
  BOOST_TEST(log_cells(0) == log_cells(1) + 3);
  BOOST_TEST(log_cells(1) == log_cells(3));
  BOOST_TEST(log_cells(2) == 0);
}

namespace {

__global__ void lowest_kernel(std::uint32_t const* edges, int count, std::uint32_t* found) {
  // How many of the edges, which ascend, are not above the key.
  auto const below = [&](std::uint32_t key) {
    std::uint32_t number = 0;
    for (int i = 0; i < count; ++i) number += edges[i] <= key ? 1 : 0;
    return number;
  };
  for (int i = 0; i <= count; ++i) found[i] = detail::lowest_key(below, static_cast<std::uint32_t>(i));
}

}  // namespace

BOOST_AUTO_TEST_CASE(lowest_keys) {
  std::vector<std::uint32_t> const edges{1, 2, 3, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff};
  test::buffer<std::uint32_t> in(edges), found(std::vector<std::uint32_t>(edges.size() + 1));
  test::run_kernel(lowest_kernel, 1, 1, 0, static_cast<std::uint32_t const*>(in.begin()),
                   static_cast<int>(edges.size()), found.begin());
  auto expected = edges;
  expected.insert(expected.begin(), 0);
  BOOST_TEST(found.get() == expected, boost::test_tools::per_element());
}

namespace {

__global__ void highest_kernel(std::uint64_t bits, int width, std::uint32_t* keys, std::uint64_t* back) {
  keys[0] = detail::highest_bits(bits, width);
  back[0] = detail::bits_of_highest<std::uint64_t>(keys[0], width);
  if (width > 32) return;
  keys[1] = detail::highest_bits(static_cast<std::uint32_t>(bits), width);
  back[1] = detail::bits_of_highest<std::uint32_t>(keys[1], width);
}

}  // namespace

BOOST_AUTO_TEST_CASE(highest_bits) {
  for (int const width : {32, 33, 47, 63, 64}) {
    std::uint64_t const bits = 0xfedcba9876543210u >> (64 - width);
    test::buffer<std::uint32_t> keys(std::vector<std::uint32_t>(2));
    test::buffer<std::uint64_t> back(std::vector<std::uint64_t>(2));
    test::run_kernel(highest_kernel, 1, 1, 0, bits, width, keys.begin(), back.begin());
    BOOST_TEST(keys.get()[0] == 0xfedcba98u);
    BOOST_TEST(back.get()[0] == bits >> (width - 32) << (width - 32));
    if (width > 32) continue;
    BOOST_TEST(keys.get()[1] == 0xfedcba98u);
    BOOST_TEST(back.get()[1] == bits);
  }
}

BOOST_AUTO_TEST_SUITE_END()
