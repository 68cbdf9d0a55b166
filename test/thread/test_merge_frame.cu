// find_merge_frame: which two runs a worker merges in a round, and from which diagonal on.
#include <mgpu/detail/thread/merge_path.cuh>
#include <support/device.h>
#include <boost/test/unit_test.hpp>
#include <rapidcheck.h>
#include <algorithm>
#include <cstdint>
#include <vector>

namespace {

template <class Offset>
__global__ void frames_kernel(Offset first_worker, Offset width, Offset items_per_worker, Offset num_items,
                              mgpu::detail::merge_frame<Offset>* frames) {
  auto const thread = static_cast<Offset>(mgpu::detail::simt::thread_rank());
  frames[thread] = mgpu::detail::find_merge_frame(first_worker + thread, width, items_per_worker, num_items);
}

template <class Offset>
std::vector<mgpu::detail::merge_frame<Offset>> frames(Offset first_worker, unsigned num_workers, Offset width,
                                                      Offset items_per_worker, Offset num_items) {
  test::buffer<mgpu::detail::merge_frame<Offset>> found(num_workers);
  test::run_kernel(frames_kernel<Offset>, 1, num_workers, 0, first_worker, width, items_per_worker, num_items,
                   found.begin());
  return found.get();
}

struct row {
  int a_begin, a_end, b_end, diagonal;
};

// The rounds of 8 threads with 7 items each.
std::vector<row> const width_1{{0, 7, 14, 0},   {0, 7, 14, 7},   {14, 21, 28, 0}, {14, 21, 28, 7},
                               {28, 35, 42, 0}, {28, 35, 42, 7}, {42, 49, 56, 0}, {42, 49, 56, 7}};
std::vector<row> const width_2{{0, 14, 28, 0},  {0, 14, 28, 7},  {0, 14, 28, 14},  {0, 14, 28, 21},
                               {28, 42, 56, 0}, {28, 42, 56, 7}, {28, 42, 56, 14}, {28, 42, 56, 21}};
std::vector<row> const width_4{{0, 28, 56, 0},  {0, 28, 56, 7},  {0, 28, 56, 14}, {0, 28, 56, 21},
                               {0, 28, 56, 28}, {0, 28, 56, 35}, {0, 28, 56, 42}, {0, 28, 56, 49}};

// The same where only so many items exist: no bound and no diagonal lies beyond them.
row clamped(row full, int num_items) {
  row const bounds{std::min(full.a_begin, num_items), std::min(full.a_end, num_items),
                   std::min(full.b_end, num_items), 0};
  return {bounds.a_begin, bounds.a_end, bounds.b_end, std::min(full.diagonal, bounds.b_end - bounds.a_begin)};
}

template <class Offset>
void check_table(std::vector<row> const& table, int width, int num_items, Offset scale) {
  BOOST_TEST_CONTEXT("width " << width << ", " << num_items << " items") {
    auto const found = frames<Offset>(0, 8, Offset{width}, 7 * scale, num_items * scale);
    for (std::size_t thread = 0; thread < 8; ++thread) {
      BOOST_TEST_CONTEXT("thread " << thread) {
        row const expected = clamped(table[thread], num_items);
        BOOST_TEST(found[thread].a_begin == expected.a_begin * scale);
        BOOST_TEST(found[thread].a_end == expected.a_end * scale);
        BOOST_TEST(found[thread].b_end == expected.b_end * scale);
        BOOST_TEST(found[thread].diagonal == expected.diagonal * scale);
      }
    }
  }
}

template <class Offset>
void check_tables(Offset scale) {
  for (int num_items = 0; num_items <= 56; ++num_items) {
    check_table(width_1, 1, num_items, scale);
    check_table(width_2, 2, num_items, scale);
    check_table(width_4, 4, num_items, scale);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(merge_frame, *boost::unit_test::precondition(test::can_run{}))

BOOST_AUTO_TEST_CASE(threads_of_a_block) { check_tables<int>(1); }

BOOST_AUTO_TEST_CASE(tiles_of_a_grid) { check_tables<std::int64_t>((std::int64_t{1} << 40) + 1); }

// Written out for 49 of 56 items, so that not only the test's own arithmetic says what a missing thread does.
BOOST_AUTO_TEST_CASE(last_thread_without_items) {
  auto const narrow = frames<int>(0, 8, 1, 7, 49);
  BOOST_TEST(narrow[6].a_begin == 42);
  BOOST_TEST(narrow[6].a_end == 49);
  BOOST_TEST(narrow[6].b_end == 49);
  BOOST_TEST(narrow[6].diagonal == 0);
  BOOST_TEST(narrow[7].a_begin == 42);
  BOOST_TEST(narrow[7].a_end == 49);
  BOOST_TEST(narrow[7].b_end == 49);
  BOOST_TEST(narrow[7].diagonal == 7);
  auto const wide = frames<int>(0, 8, 4, 7, 49);
  BOOST_TEST(wide[7].a_end == 28);
  BOOST_TEST(wide[7].b_end == 49);
  BOOST_TEST(wide[7].diagonal == 49);
}

// Whatever the numbers: a frame is in order and within the items, workers of a pair of runs share its bounds, and the
// outputs of all workers lie one behind the other.
BOOST_AUTO_TEST_CASE(any_round) {
  auto const property = [] {
    auto const width = std::int64_t{1} << *rc::gen::inRange(0, 20);
    auto const per_worker = *rc::gen::inRange<std::int64_t>(1, 10000);
    auto const first = *rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 34);
    auto const num_items = *rc::gen::inRange<std::int64_t>(0, (first + 64) * per_worker * 2);
    auto const found = frames<std::int64_t>(first, 32, width, per_worker, num_items);
    for (std::int64_t i = 0; i < 32; ++i) {
      auto const worker = first + i;
      auto const& frame = found[static_cast<std::size_t>(i)];
      auto const pair = worker / (2 * width);
      RC_ASSERT(frame.a_begin == std::min(2 * pair * width * per_worker, num_items));
      RC_ASSERT(frame.a_end == std::min((2 * pair + 1) * width * per_worker, num_items));
      RC_ASSERT(frame.b_end == std::min((2 * pair + 2) * width * per_worker, num_items));
      RC_ASSERT(frame.a_begin + frame.diagonal == std::min(worker * per_worker, num_items));
    }
  };
  BOOST_TEST(rc::check("frames tile the items", property));
}

BOOST_AUTO_TEST_SUITE_END()
