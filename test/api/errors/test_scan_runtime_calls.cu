// Scans ask little of the CUDA runtime, as the emulator's stand-in counts: nothing for empty ranges, one launch and
// no memory up to a tile, a memset and a launch beyond it, no synchronisation under par_nosync. Each of these calls
// is made to fail.
#include <support/failures.h>
#include <support/memory.h>
#include <emulator/runtime.h>
#include <support/scans.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

BOOST_AUTO_TEST_SUITE(scan_runtime_calls)

namespace {

namespace runtime = mgpu::emulator::runtime;
using test::attempt;
using test::outcome;
using tunings = std::tuple<test::plain_scan, test::pipelined_scan, test::clustered_scan>;
using item = std::uint64_t;
constexpr std::size_t tile = test::plain_scan::tile_items;
constexpr std::size_t several_tiles = 5 * tile + 3;

// A test repeats this scan.
struct scan_call {
  static constexpr char const* name = "mgpu::exclusive_scan_with_total";
  std::vector<item> items;
  test::scanned<item> expected;
  test::guarded_items<item> in;
  test::guarded_items<item> out;
  test::guarded_items<item> total;

  explicit scan_call(std::size_t count)
      : items(test::make_items<item>(count)),
        expected(test::scan_one_by_one<item>(items, std::optional<item>(5), cuda::std::plus<>{})),
        in(items),
        out(count),
        total(1) {
    refill();
  }
  void refill() {
    out.set(std::vector<item>(items.size(), 77));
    total.set({77});
  }
  template <class Policy>
  void run(Policy const& policy) {
    mgpu::exclusive_scan_with_total(policy, in.begin(), in.end(), out.begin(), total.begin(), item{5});
  }
  bool done() const { return bool(out.holds(expected.exclusive)) && bool(total.holds({*expected.total})); }
  bool untouched() const {
    return bool(out.holds(std::vector<item>(items.size(), 77))) && bool(total.holds({77})) && bool(in.holds(items));
  }
};

// Returns what run() called.
template <class Run>
runtime::counts calls_of(Run run) {
  runtime::counts const before = runtime::counters();
  run();
  runtime::counts made = runtime::counters();
  made.calls -= before.calls;
  made.allocations -= before.allocations;
  made.frees -= before.frees;
  made.launches -= before.launches;
  made.copies -= before.copies;
  made.stream_synchronizations -= before.stream_synchronizations;
  made.device_synchronizations -= before.device_synchronizations;
  return made;
}

template <class Policy>
void check_every_failure(Policy const& policy) {
  for (std::size_t const count : {std::size_t{0}, tile, several_tiles}) {
    BOOST_TEST_CONTEXT(count << " items") {
      scan_call call(count);
      bool const has_scratch = count == several_tiles;
      test::check_every_failure(call, policy, has_scratch ? 3 : 1, has_scratch ? 1 : 0);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_empty_range_without_a_total_calls_nothing) {
  std::uint32_t* const none = nullptr;
  auto const check = [&](auto const& policy) {
    auto const made = calls_of([&] {
      mgpu::inclusive_scan(policy, none, none, none);
      mgpu::inclusive_scan(policy, none, none, none, 1u, cuda::std::plus<>{});
      mgpu::exclusive_scan(policy, none, none, none);
      mgpu::inclusive_scan_with_total(policy, none, none, none, none);
    });
    BOOST_TEST(made.launches == 0u);
    BOOST_TEST(made.allocations == 0u);
    BOOST_TEST(made.copies == 0u);
    return made.calls;
  };
  BOOST_TEST(check(mgpu::par_nosync) == 0u);
  check(mgpu::par);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(up_to_a_tile_one_launch_and_no_memory, Selector, tunings) {
  for (std::size_t const count : {std::size_t{0}, std::size_t{1}, tile - 1, tile}) {
    scan_call call(count);
    auto const made = calls_of([&] { call.run(mgpu::par.with_tuning(Selector{})); });
    BOOST_TEST(call.done());
    BOOST_TEST(made.launches == 1u);  // which the total needs, also where there are no items
    BOOST_TEST(made.allocations == 0u);
    BOOST_TEST(made.copies == 0u);
    BOOST_TEST(made.stream_synchronizations == 1u);
    BOOST_TEST(made.device_synchronizations == 0u);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(beyond_a_tile_or_cluster_a_memset_and_one_launch, Selector, tunings) {
  for (std::size_t const count : {tile + 1, several_tiles, 40 * tile}) {
    bool const in_cluster = count <= Selector::cluster * tile;
    scan_call call(count);
    auto const made = calls_of([&] { call.run(mgpu::par.with_tuning(Selector{})); });
    BOOST_TEST(call.done());
    BOOST_TEST(made.launches == 1u);
    BOOST_TEST(made.allocations == (in_cluster ? 0u : 1u));
    BOOST_TEST(made.frees == made.allocations);
    BOOST_TEST(made.copies == made.allocations);
    BOOST_TEST(made.stream_synchronizations == 1u);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(par_nosync_never_synchronises, Selector, tunings) {
  auto const policy = mgpu::par_nosync.with_tuning(Selector{});
  for (std::size_t const count : {std::size_t{0}, std::size_t{5}, tile, several_tiles}) {
    for (int pool_is_empty = 0; pool_is_empty < 2; ++pool_is_empty) {
      scan_call call(count);
      if (pool_is_empty != 0) mgpu::release_scratch();
      auto const made = calls_of([&] { call.run(policy); });
      BOOST_TEST(made.stream_synchronizations == 0u);
      BOOST_TEST(made.device_synchronizations == 0u);  // cudaMalloc and cudaFree included
      BOOST_TEST(call.done());
    }
  }
}

// The stand-in runs what it captures, but refuses to synchronise.
BOOST_AUTO_TEST_CASE_TEMPLATE(par_nosync_within_a_capture, Selector, tunings) {
  for (std::size_t const count : {std::size_t{0}, tile, several_tiles}) {
    scan_call call(count);
    test::captured_stream stream;
    BOOST_CHECK_NO_THROW(call.run(mgpu::par_nosync.on(stream).with_tuning(Selector{})));
    test::require(stream.end());
    BOOST_TEST(call.done());
  }
}

BOOST_AUTO_TEST_CASE(failures_under_par) { check_every_failure(mgpu::par.with_tuning(test::plain_scan{})); }
BOOST_AUTO_TEST_CASE(failures_of_the_pipeline) { check_every_failure(mgpu::par.with_tuning(test::pipelined_scan{})); }
BOOST_AUTO_TEST_CASE(failures_under_par_nosync) {
  check_every_failure(mgpu::par_nosync.with_tuning(test::plain_scan{}));
}
// The usual tuning has more shared memory than a launch has without asking.
BOOST_AUTO_TEST_CASE(failures_with_the_usual_tuning) {
  scan_call large(300000);
  for (std::uint64_t k = 1; k < 100; ++k) {
    large.refill();
    runtime::fail_at(k);
    outcome const came = attempt(large, mgpu::par);
    bool const happened = !runtime::failure_pending();
    runtime::fail_at(0);
    BOOST_TEST(((came == outcome::done) == !happened));
    if (!happened) break;
  }
  BOOST_TEST(large.done());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(scratch_comes_back, Selector, tunings) {
  scan_call call(10 * tile);
  test::check_scratch_comes_back(call, mgpu::par.with_tuning(Selector{}));
  test::check_scratch_comes_back(call, mgpu::par_nosync.with_tuning(Selector{}));
}

BOOST_AUTO_TEST_SUITE_END()
