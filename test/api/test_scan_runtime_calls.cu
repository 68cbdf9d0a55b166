// What scans ask of the CUDA runtime, counted by the emulator's stand-in: nothing for empty ranges, one launch and no
// memory up to a tile, a memset and a launch beyond it, no synchronisation under par_nosync. And what becomes of each of
// these calls when it fails.
#include <emulator/runtime.h>
#include <grid/scans.h>
#include <thrust/system_error.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <new>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace {

namespace runtime = mgpu::emulator::runtime;
using tunings = std::tuple<test::plain_scan, test::pipelined_scan, test::clustered_scan>;
using item = std::uint64_t;
constexpr std::size_t tile = test::plain_scan::tile_items;
constexpr std::size_t several_tiles = 5 * tile + 3;

// A scan that a test repeats.
struct scan_call {
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

// What run() called.
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

enum class outcome { done, out_of_memory, system_error };

template <class Policy>
outcome attempt(scan_call& call, Policy const& policy, int expected_code = 0) {
  auto const names_the_call = [](char const* what) {
    return std::string(what).rfind("mgpu::exclusive_scan_with_total:", 0) == 0;
  };
  try {
    call.run(policy);
  } catch (std::bad_alloc const& error) {
    BOOST_TEST(names_the_call(error.what()), error.what());
    return outcome::out_of_memory;
  } catch (thrust::system_error const& error) {
    BOOST_TEST(names_the_call(error.what()), error.what());
    if (expected_code != 0) BOOST_TEST(error.code().value() == expected_code);
    return outcome::system_error;
  }
  return outcome::done;
}

bool same(runtime::live_objects const& a, runtime::live_objects const& b) {
  return a.allocations == b.allocations && a.bytes == b.bytes && a.streams == b.streams && a.events == b.events;
}

// Makes the call with failures asked for by fail(k), k = 1, 2, ..., until none happens any more; check() judges what
// came of each. Returns how many calls failed.
template <class Policy, class Fail, class Check>
int fail_one_after_the_other(Policy const& policy, std::size_t count, int expected_code, Fail fail, Check check) {
  scan_call call(count);
  for (std::uint64_t k = 1; k < 100; ++k) {
    BOOST_TEST_CONTEXT(count << " items, failure " << k) {
      call.refill();
      mgpu::release_scratch();
      auto const before = runtime::live();
      fail(k);
      outcome const came = attempt(call, policy, expected_code);
      bool const happened = !runtime::failure_pending();
      runtime::fail_at(0);
      runtime::fail_allocation_at(0);
      if (!happened) {
        BOOST_TEST((came == outcome::done));
        BOOST_TEST(call.done());
        return static_cast<int>(k) - 1;
      }
      check(came, call);
      mgpu::release_scratch();
      BOOST_TEST(same(runtime::live(), before));
      BOOST_TEST(cudaGetLastError() == cudaSuccess);
      call.refill();
      BOOST_TEST((attempt(call, policy) == outcome::done));
      BOOST_TEST(call.done());
    }
  }
  BOOST_ERROR("no end of failures");
  return -1;
}

template <class Policy>
void check_every_failure(Policy const& policy) {
  for (std::size_t const count : {std::size_t{0}, tile, several_tiles}) {
    auto const fail_with = [](cudaError_t error) { return [error](std::uint64_t k) { runtime::fail_at(k, error); }; };
    int const failures =
        fail_one_after_the_other(policy, count, cudaErrorUnknown, fail_with(cudaErrorUnknown),
                                 [](outcome came, scan_call&) { BOOST_TEST((came == outcome::system_error)); });
    BOOST_TEST(failures >= (count == several_tiles ? 3 : 1));
    fail_one_after_the_other(policy, count, 0, fail_with(cudaErrorMemoryAllocation),
                             [](outcome came, scan_call&) { BOOST_TEST((came == outcome::out_of_memory)); });
    fail_one_after_the_other(
        policy, count, 0, [](std::uint64_t k) { runtime::fail_at(k); },
        [](outcome came, scan_call&) { BOOST_TEST((came != outcome::done)); });
    int const allocations = fail_one_after_the_other(
        policy, count, 0, [](std::uint64_t k) { runtime::fail_allocation_at(k); },
        [](outcome came, scan_call& call) {
          BOOST_TEST((came == outcome::out_of_memory));
          BOOST_TEST(call.untouched());
        });
    BOOST_TEST(allocations == (count == several_tiles ? 1 : 0));
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(scan_runtime_calls)

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
    BOOST_TEST(made.launches == 1u);  // of no items too: the total
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
      BOOST_TEST(made.device_synchronizations == 0u);  // nor in cudaMalloc or cudaFree
      BOOST_TEST(call.done());
    }
  }
}

// The stand-in runs what it captures, but refuses to synchronise.
BOOST_AUTO_TEST_CASE_TEMPLATE(par_nosync_within_a_capture, Selector, tunings) {
  for (std::size_t const count : {std::size_t{0}, tile, several_tiles}) {
    scan_call call(count);
    runtime::capturing(true);
    BOOST_CHECK_NO_THROW(call.run(mgpu::par_nosync.with_tuning(Selector{})));
    runtime::capturing(false);
    BOOST_TEST(call.done());
  }
}

BOOST_AUTO_TEST_CASE(failures_under_par) { check_every_failure(mgpu::par.with_tuning(test::plain_scan{})); }
BOOST_AUTO_TEST_CASE(failures_of_the_pipeline) { check_every_failure(mgpu::par.with_tuning(test::pipelined_scan{})); }
BOOST_AUTO_TEST_CASE(failures_under_par_nosync) {
  check_every_failure(mgpu::par_nosync.with_tuning(test::plain_scan{}));
}
// Whose shared memory is more than a launch has without asking.
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

BOOST_AUTO_TEST_CASE(an_earlier_error_stays) {
  scan_call call(several_tiles);
  static_cast<void>(cudaGetLastError());
  BOOST_REQUIRE(cudaSetDevice(99) == cudaErrorInvalidDevice);
  BOOST_TEST((attempt(call, mgpu::par.with_tuning(test::plain_scan{})) == outcome::done));
  BOOST_TEST(call.done());
  BOOST_TEST(cudaGetLastError() == cudaErrorInvalidDevice);
}

BOOST_AUTO_TEST_CASE(no_driver) {
  scan_call call(several_tiles);
  runtime::no_device(true);
  BOOST_TEST((attempt(call, mgpu::par, cudaErrorInsufficientDriver) == outcome::system_error));
  runtime::reset();
  BOOST_TEST(call.untouched());
}

BOOST_AUTO_TEST_SUITE_END()
