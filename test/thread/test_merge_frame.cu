// find_merge_frame tells which two runs a thread merges in a round, and from which diagonal on.
#include <mgpu/detail/thread/merge_path.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <support/device.h>
#include <boost/test/unit_test.hpp>
#include <rapidcheck.h>
#include <algorithm>
#include <cstdint>
#include <vector>

BOOST_AUTO_TEST_SUITE(merge_frame, *boost::unit_test::precondition(test::can_run{}))

namespace {

__global__ void frames_kernel(int first_thread, int width, int items_per_thread, int num_items,
                              mgpu::detail::merge_frame* frames) {
  auto const thread = static_cast<int>(mgpu::detail::simt::thread_rank());
  frames[thread] = mgpu::detail::find_merge_frame(first_thread + thread, width, items_per_thread, num_items);
}

std::vector<mgpu::detail::merge_frame> frames(int first_thread, unsigned num_threads, int width, int items_per_thread,
                                              int num_items) {
  test::buffer<mgpu::detail::merge_frame> found(num_threads);
  test::run_kernel(frames_kernel, 1, num_threads, 0, first_thread, width, items_per_thread, num_items, found.begin());
  return found.get();
}

struct row {
  int a_begin, a_end, b_end, diagonal;
};

// These are the rounds of 8 threads with 7 items each.
std::vector<row> const width_1{{0, 7, 14, 0},   {0, 7, 14, 7},   {14, 21, 28, 0}, {14, 21, 28, 7},
                               {28, 35, 42, 0}, {28, 35, 42, 7}, {42, 49, 56, 0}, {42, 49, 56, 7}};
std::vector<row> const width_2{{0, 14, 28, 0},  {0, 14, 28, 7},  {0, 14, 28, 14},  {0, 14, 28, 21},
                               {28, 42, 56, 0}, {28, 42, 56, 7}, {28, 42, 56, 14}, {28, 42, 56, 21}};
std::vector<row> const width_4{{0, 28, 56, 0},  {0, 28, 56, 7},  {0, 28, 56, 14}, {0, 28, 56, 21},
                               {0, 28, 56, 28}, {0, 28, 56, 35}, {0, 28, 56, 42}, {0, 28, 56, 49}};

// Returns the row where only so many items exist: no bound and no diagonal lies beyond them.
row clamped(row full, int num_items) {
  row const bounds{std::min(full.a_begin, num_items), std::min(full.a_end, num_items),
                   std::min(full.b_end, num_items), 0};
  return {bounds.a_begin, bounds.a_end, bounds.b_end, std::min(full.diagonal, bounds.b_end - bounds.a_begin)};
}

void check_table(std::vector<row> const& table, int width, int num_items) {
  BOOST_TEST_CONTEXT("width " << width << ", " << num_items << " items") {
    auto const found = frames(0, 8, width, 7, num_items);
    for (std::size_t thread = 0; thread < 8; ++thread) {
      BOOST_TEST_CONTEXT("thread " << thread) {
        row const expected = clamped(table[thread], num_items);
        BOOST_TEST(found[thread].a_begin == expected.a_begin);
        BOOST_TEST(found[thread].a_end == expected.a_end);
        BOOST_TEST(found[thread].b_end == expected.b_end);
        BOOST_TEST(found[thread].diagonal == expected.diagonal);
      }
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(rounds_of_eight_threads) {
  for (int num_items = 0; num_items <= 56; ++num_items) {
    check_table(width_1, 1, num_items);
    check_table(width_2, 2, num_items);
    check_table(width_4, 4, num_items);
  }
}

// The rows are written out for 49 of 56 items, so that not only the test's own arithmetic says what a missing thread
// does.
BOOST_AUTO_TEST_CASE(last_thread_without_items) {
  auto const narrow = frames(0, 8, 1, 7, 49);
  BOOST_TEST(narrow[6].a_begin == 42);
  BOOST_TEST(narrow[6].a_end == 49);
  BOOST_TEST(narrow[6].b_end == 49);
  BOOST_TEST(narrow[6].diagonal == 0);
  BOOST_TEST(narrow[7].a_begin == 42);
  BOOST_TEST(narrow[7].a_end == 49);
  BOOST_TEST(narrow[7].b_end == 49);
  BOOST_TEST(narrow[7].diagonal == 7);
  auto const wide = frames(0, 8, 4, 7, 49);
  BOOST_TEST(wide[7].a_end == 28);
  BOOST_TEST(wide[7].b_end == 49);
  BOOST_TEST(wide[7].diagonal == 49);
}

// Whatever the numbers are, a frame is in order and within the items, threads of a pair of runs share its bounds, and
// the outputs of all threads lie one behind the other.
BOOST_AUTO_TEST_CASE(any_round) {
  auto const property = [] {
    int const width = 1 << *rc::gen::inRange(0, 10);
    int const per_thread = *rc::gen::inRange(1, 100);
    int const first = *rc::gen::inRange(0, 1024);
    int const num_items = *rc::gen::inRange(0, (first + 64) * per_thread * 2);
    auto const found = frames(first, 32, width, per_thread, num_items);
    for (int i = 0; i < 32; ++i) {
      int const thread = first + i;
      auto const& frame = found[static_cast<std::size_t>(i)];
      int const pair = thread / (2 * width);
      RC_ASSERT(frame.a_begin == std::min(2 * pair * width * per_thread, num_items));
      RC_ASSERT(frame.a_end == std::min((2 * pair + 1) * width * per_thread, num_items));
      RC_ASSERT(frame.b_end == std::min((2 * pair + 2) * width * per_thread, num_items));
      RC_ASSERT(frame.a_begin + frame.diagonal == std::min(thread * per_thread, num_items));
    }
  };
  BOOST_TEST(rc::check("frames tile the items", property));
}

BOOST_AUTO_TEST_SUITE_END()
