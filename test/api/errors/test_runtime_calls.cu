// A call asks little of the CUDA runtime, as the emulator's stand-in counts: nothing for empty ranges, one launch and
// no memory up to a tile, one allocation beyond it, no synchronisation under par_nosync.
#include <support/calls.h>
#include <support/failures.h>
#include <support/items.h>
#include <support/memory.h>
#include <emulator/runtime.h>
#include <cstdint>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(runtime_calls, *boost::unit_test::precondition(test::can_run{}))

namespace {

namespace runtime = mgpu::emulator::runtime;
using functions = test::tuned_calls_of<test::functions>;
using sorts_and_merges = test::tuned_calls_of<test::joined<test::sort_functions, test::merge_functions>>;

template <class Run>
runtime::counts calls_during(Run run) {
  runtime::reset();
  run();
  return runtime::counters();
}

// Returns what the function asks for, once whatever is kept is there.
template <class Call, class Policy>
runtime::counts calls_of(Call& call, Policy const& policy) {
  call.run(policy);
  call.refill();
  auto const made = calls_during([&] { call.run(policy); });
  BOOST_TEST(call.done());
  BOOST_TEST(made.device_synchronizations == 0u);  // cudaMalloc and cudaFree included
  return made;
}

}  // namespace

// Only the total of an empty range takes a launch.
BOOST_AUTO_TEST_CASE_TEMPLATE(empty_ranges_call_nothing, Call, functions) {
  Call call(0);
  bool const writes = call.has_effect() && !Call::returns_value();
  auto made = calls_of(call, mgpu::par_nosync);
  if (!writes) BOOST_TEST(made.calls == 0u);
  BOOST_TEST(made.launches == (writes ? 1u : 0u));
  BOOST_TEST(made.allocations == 0u);
  made = calls_of(call, mgpu::par);
  BOOST_TEST(made.launches == (writes ? 1u : 0u));
  BOOST_TEST(made.allocations == 0u);
  BOOST_TEST(made.copies == 0u);
  if (!Call::returns_value()) return;
  runtime::reset();
  runtime::no_device(true);
  auto const came = test::attempt(call, mgpu::par);
  auto const asked = runtime::counters().calls;
  runtime::reset();
  BOOST_TEST((came == test::outcome::done));
  BOOST_TEST(asked == 0u);
  BOOST_TEST(call.done());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(up_to_a_tile_one_launch_and_no_memory, Call, functions) {
  for (std::size_t const count : {std::size_t{1}, std::size_t{2}, Call::tile - 1, Call::tile}) {
    BOOST_TEST_CONTEXT(Call::name << " of " << count << " items") {
      Call call(count);
      auto const made = calls_of(call, mgpu::par);
      BOOST_TEST(made.launches == 1u);
      BOOST_TEST(made.allocations == 0u);
      BOOST_TEST(made.copies == 0u);
      BOOST_TEST(made.stream_synchronizations == 1u);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(beyond_a_tile_one_allocation, Call, functions) {
  for (std::size_t const count : {Call::tile + 1, 5 * Call::tile + 3}) {
    BOOST_TEST_CONTEXT(Call::name << " of " << count << " items") {
      Call call(count);
      auto const made = calls_of(call, mgpu::par);
      BOOST_TEST(made.launches >= 1u);
      BOOST_TEST(made.allocations == 1u);
      BOOST_TEST(made.frees == 1u);
      BOOST_TEST(made.stream_synchronizations == 1u);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(sorts_and_merges_copy_nothing, Call, sorts_and_merges) {
  Call call(5 * Call::tile + 3);
  auto const made = calls_of(call, mgpu::par);
  BOOST_TEST(made.launches > 1u);
  BOOST_TEST(made.copies == 0u);
}

// A merge beyond a tile takes two launches. A sort takes more of them each time that there are four times as many
// tiles.
BOOST_AUTO_TEST_CASE(launches) {
  constexpr std::size_t tile = test::small_sort::tile_items;
  test::buffer<std::int32_t> keys(test::keys<std::int32_t>(test::pattern::random, 64 * tile));
  test::buffer<std::int32_t> out(2 * tile);
  auto const sort = mgpu::par.with_tuning(test::small_sort{});
  std::uint64_t before = 1;
  for (std::size_t tiles = 4; tiles <= 64; tiles *= 4) {
    auto const made = calls_during([&] { mgpu::sort(sort, keys.begin(), keys.begin() + tiles * tile); });
    BOOST_TEST(made.launches > before);
    before = made.launches;
  }
  auto const merge = mgpu::par.with_tuning(test::merge_tuning<64, 5>{});
  auto const middle = keys.begin() + tile;
  auto const made =
      calls_during([&] { mgpu::merge(merge, keys.begin(), middle, middle, middle + tile, out.begin()); });
  BOOST_TEST(made.launches == 2u);
}

// Only a call that returns a value synchronises.
BOOST_AUTO_TEST_CASE_TEMPLATE(par_nosync_never_synchronises, Call, functions) {
  for (std::size_t const count : {std::size_t{0}, std::size_t{5}, Call::tile, 5 * Call::tile + 3}) {
    BOOST_TEST_CONTEXT(Call::name << " of " << count << " items") {
      Call call(count);
      for (int pool_is_empty = 0; pool_is_empty < 2; ++pool_is_empty) {
        if (pool_is_empty != 0) mgpu::release_scratch();
        call.refill();
        auto const made = calls_during([&] { call.run(mgpu::par_nosync); });
        BOOST_TEST(call.done());
        BOOST_TEST(made.stream_synchronizations == (Call::returns_value() && count > 0 ? 1u : 0u));
        BOOST_TEST(made.device_synchronizations == 0u);
      }
    }
  }
}

// The stand-in runs what it captures, but refuses to synchronise, so no value can be returned.
BOOST_AUTO_TEST_CASE_TEMPLATE(par_nosync_within_a_capture, Call, functions) {
  for (std::size_t const count : {std::size_t{0}, Call::tile, 5 * Call::tile + 3}) {
    BOOST_TEST_CONTEXT(Call::name << " of " << count << " items") {
      Call call(count);
      mgpu::release_scratch();
      runtime::reset();
      test::captured_stream stream;
      auto const came = test::attempt(call, mgpu::par_nosync.on(stream));
      if (Call::returns_value() && count > 0) {
        BOOST_TEST((came == test::outcome::system_error));
        BOOST_TEST(stream.end() == cudaErrorStreamCaptureInvalidated);
        runtime::reset();
        BOOST_TEST((test::attempt(call, mgpu::par_nosync) == test::outcome::done));
      } else {
        BOOST_TEST((came == test::outcome::done));
        BOOST_TEST(runtime::counters().stream_synchronizations == 0u);
        BOOST_TEST(runtime::counters().device_synchronizations == 0u);
        test::require(stream.end());
      }
      BOOST_TEST(call.done());
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_size_query_launches_and_allocates_nothing, Call, functions) {
  Call call(5 * Call::tile + 3);
  std::size_t bytes = 0;
  auto const made = calls_during([&] { call.run(mgpu::par.query_scratch(bytes)); });
  BOOST_TEST(made.launches == 0u);
  BOOST_TEST(made.allocations == 0u);
  BOOST_TEST(made.stream_synchronizations == 0u);
  BOOST_TEST(made.device_synchronizations == 0u);
  BOOST_TEST(bytes > 0u);
  BOOST_TEST(call.untouched());
}

BOOST_AUTO_TEST_SUITE_END()
