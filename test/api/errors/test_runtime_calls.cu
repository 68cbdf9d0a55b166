// What a call asks of the CUDA runtime, counted by the emulator's stand-in: nothing for empty ranges, one launch and no
// memory up to a tile, one allocation beyond it, no synchronisation under par_nosync.
#include <mgpu/merge.h>
#include <mgpu/sort.h>
#include <support/items.h>
#include <support/memory.h>
#include <support/tunings.h>
#include <emulator/runtime.h>
#include <thrust/pair.h>
#include <cstdint>
#include <tuple>
#include <vector>

BOOST_AUTO_TEST_SUITE(runtime_calls, *boost::unit_test::precondition(test::can_run{}))

namespace {

namespace runtime = mgpu::emulator::runtime;
constexpr std::size_t tile = test::small_sort::tile_items;
using merge_selector = test::merge_tuning<64, 5>;
constexpr std::size_t larger_tile = merge_selector::tile_items;
static_assert(tile <= larger_tile);

// What run() called.
template <class Run>
runtime::counts calls_of(Run run) {
  runtime::counts const before = runtime::counters();
  run();
  runtime::counts const after = runtime::counters();
  runtime::counts made;
  made.calls = after.calls - before.calls;
  made.allocations = after.allocations - before.allocations;
  made.frees = after.frees - before.frees;
  made.launches = after.launches - before.launches;
  made.copies = after.copies - before.copies;
  made.stream_synchronizations = after.stream_synchronizations - before.stream_synchronizations;
  made.device_synchronizations = after.device_synchronizations - before.device_synchronizations;
  return made;
}

// Every function on `count` items, one after the other; check() gets what each called.
template <class Sort, class Merge, class Check>
void for_each_function(Sort const& sort, Merge const& merge, std::size_t count, Check check) {
  using large = test::item<200, 4>;
  test::buffer<std::int32_t> keys(test::keys<std::int32_t>(test::pattern::random, count));
  test::buffer<std::uint32_t> values(test::numbered<std::uint32_t>(count));
  test::buffer<large> large_values(test::numbered<large>(count));
  test::buffer<std::int32_t> out(count);
  test::buffer<std::uint32_t> values_out(count);
  auto const run = [&](char const* name, auto function) {
    BOOST_TEST_CONTEXT(name << " of " << count << " items") check(calls_of(function));
  };
  auto const first = keys.begin();
  auto const last = keys.end();
  run("sort_copy", [&] { mgpu::sort_copy(sort, first, last, out.begin()); });
  run("sort_by_key_copy",
      [&] { mgpu::sort_by_key_copy(sort, first, last, values.begin(), out.begin(), values_out.begin()); });
  run("argsort", [&] { mgpu::argsort(sort, first, last, values_out.begin()); });
  run("sort_by_key", [&] { mgpu::sort_by_key(sort, first, last, values.begin()); });
  run("sort_with_indices", [&] { mgpu::sort_with_indices(sort, first, last, values.begin()); });
  run("sort", [&] { mgpu::sort(sort, first, last); });
  auto const middle = first + count / 2;
  run("merge", [&] { mgpu::merge(merge, first, middle, middle, last, out.begin()); });
  run("merge_by_key", [&] {
    mgpu::merge_by_key(merge, first, middle, middle, last, values.begin(), values.begin(), out.begin(),
                       values_out.begin());
  });
}

// With tiles of about one size for sorting and merging.
template <class Policy, class Check>
void for_each_function(Policy const& policy, std::size_t count, Check check) {
  for_each_function(policy.with_tuning(test::small_sort{}), policy.with_tuning(merge_selector{}), count, check);
}

}  // namespace

BOOST_AUTO_TEST_CASE(empty_ranges_call_nothing) {
  auto const check = [](runtime::counts const& made) { BOOST_TEST(made.calls == 0u); };
  for_each_function(mgpu::par_nosync, 0, check);
  auto const check_blocking = [](runtime::counts const& made) {
    BOOST_TEST(made.launches == 0u);
    BOOST_TEST(made.allocations == 0u);
  };
  for_each_function(mgpu::par, 0, check_blocking);
}

BOOST_AUTO_TEST_CASE(up_to_a_tile_one_launch_and_no_memory) {
  for (std::size_t const count : {std::size_t{1}, std::size_t{2}, tile - 1, tile}) {
    for_each_function(mgpu::par, count, [](runtime::counts const& made) {
      BOOST_TEST(made.launches == 1u);
      BOOST_TEST(made.allocations == 0u);
      BOOST_TEST(made.copies == 0u);
    });
  }
}

BOOST_AUTO_TEST_CASE(beyond_a_tile_one_allocation) {
  for (std::size_t const count : {larger_tile + 1, 5 * tile + 3}) {
    for_each_function(mgpu::par, count, [](runtime::counts const& made) {
      BOOST_TEST(made.launches > 1u);
      BOOST_TEST(made.allocations == 1u);
      BOOST_TEST(made.frees == 1u);
      BOOST_TEST(made.copies == 0u);
      BOOST_TEST(made.stream_synchronizations == 1u);
    });
  }
}

// A merge beyond a tile is two launches, a sort's number grows each time that there are four times as many tiles.
BOOST_AUTO_TEST_CASE(launches) {
  test::buffer<std::int32_t> keys(test::keys<std::int32_t>(test::pattern::random, 64 * tile));
  test::buffer<std::int32_t> out(2 * tile);
  auto const sort = mgpu::par.with_tuning(test::small_sort{});
  std::uint64_t before = 1;
  for (std::size_t tiles = 4; tiles <= 64; tiles *= 4) {
    auto const made = calls_of([&] { mgpu::sort(sort, keys.begin(), keys.begin() + tiles * tile); });
    BOOST_TEST(made.launches > before);
    before = made.launches;
  }
  auto const merge = mgpu::par.with_tuning(merge_selector{});
  auto const middle = keys.begin() + tile;
  auto const made = calls_of([&] { mgpu::merge(merge, keys.begin(), middle, middle, middle + tile, out.begin()); });
  BOOST_TEST(made.launches == 2u);
}

BOOST_AUTO_TEST_CASE(par_nosync_never_synchronises) {
  auto const check = [](runtime::counts const& made) {
    BOOST_TEST(made.stream_synchronizations == 0u);
    BOOST_TEST(made.device_synchronizations == 0u);
  };
  for (std::size_t const count : {std::size_t{0}, std::size_t{5}, tile, 5 * tile + 3}) {
    for_each_function(mgpu::par_nosync, count, check);
    mgpu::release_scratch();  // with an empty pool too
    for_each_function(mgpu::par_nosync, count, check);
  }
}

BOOST_AUTO_TEST_CASE(par_nosync_within_a_capture) {
  // The stand-in runs what it captures, but refuses to synchronise.
  auto const input = test::keys<std::int32_t>(test::pattern::random, 5 * tile + 3);
  test::buffer<std::int32_t> keys(input);
  test::captured_stream stream;
  BOOST_CHECK_NO_THROW(
      mgpu::sort(mgpu::par_nosync.on(stream).with_tuning(test::small_sort{}), keys.begin(), keys.end()));
  test::require(stream.end());
  auto expected = input;
  std::stable_sort(expected.begin(), expected.end());
  BOOST_TEST(test::same_bytes(keys.get(), expected));
}

BOOST_AUTO_TEST_CASE(a_size_query_launches_and_allocates_nothing) {
  std::size_t bytes = 0;
  for_each_function(mgpu::par.query_scratch(bytes), 5 * tile + 3, [&](runtime::counts const& made) {
    BOOST_TEST(made.launches == 0u);
    BOOST_TEST(made.allocations == 0u);
    BOOST_TEST(made.stream_synchronizations == 0u);
    BOOST_TEST(made.device_synchronizations == 0u);
    BOOST_TEST(bytes > 0u);
    bytes = 0;
  });
}

BOOST_AUTO_TEST_SUITE_END()
