// Every call to the CUDA runtime fails once: the user gets one exception of the right type that names the call, nothing
// leaks, a failed allocation leaves the input as it was, and the next call works.
#include <mgpu/merge.h>
#include <mgpu/sort.h>
#include <api/items.h>
#include <api/tunings.h>
#include <emulator/runtime.h>
#include <thrust/system_error.h>
#include <cstdint>
#include <functional>
#include <new>
#include <string>
#include <tuple>
#include <vector>

namespace {

namespace runtime = mgpu::emulator::runtime;
using tuning = test::tiny_sort;
constexpr std::size_t count = 5 * tuning::tile_items + 3;

struct sort_call {
  static constexpr char const* name = "mgpu::sort";
  std::vector<std::int32_t> input = test::keys<std::int32_t>(test::pattern::random, count);
  test::buffer<std::int32_t> keys{input};

  template <class Policy>
  void run(Policy const& policy) {
    mgpu::sort(policy.with_tuning(tuning{}), keys.begin(), keys.end());
  }
  void refill() { keys.set(input); }
  bool untouched() { return bool(test::same_bytes(keys.get(), input)); }
  bool done() {
    return bool(
        test::same_bytes(keys.get(), test::permuted(input, test::stable_order<std::int32_t>(input, std::less<>{}))));
  }
};

struct sort_large_values_call {
  static constexpr char const* name = "mgpu::sort_by_key";
  using large = test::item<200, 4>;
  std::vector<std::int32_t> input = test::keys<std::int32_t>(test::pattern::few_distinct, count);
  std::vector<large> value_input = test::numbered<large>(count);
  test::buffer<std::int32_t> keys{input};
  test::buffer<large> values{value_input};

  template <class Policy>
  void run(Policy const& policy) {
    mgpu::sort_by_key(policy.with_tuning(tuning{}), keys.begin(), keys.end(), values.begin());
  }
  void refill() {
    keys.set(input);
    values.set(value_input);
  }
  bool untouched() {
    return bool(test::same_bytes(keys.get(), input)) && bool(test::same_bytes(values.get(), value_input));
  }
  bool done() {
    auto const order = test::stable_order<std::int32_t>(input, std::less<>{});
    return bool(test::same_bytes(keys.get(), test::permuted(input, order))) &&
           bool(test::same_bytes(values.get(), test::permuted(value_input, order)));
  }
};

struct argsort_call {
  static constexpr char const* name = "mgpu::argsort";
  std::vector<std::int32_t> input = test::keys<std::int32_t>(test::pattern::few_distinct, count);
  std::vector<std::uint32_t> before = std::vector<std::uint32_t>(count, 77);
  test::buffer<std::int32_t> keys{input};
  test::buffer<std::uint32_t> indices{before};

  template <class Policy>
  void run(Policy const& policy) {
    mgpu::argsort(policy.with_tuning(tuning{}), keys.begin(), keys.end(), indices.begin());
  }
  void refill() { indices.set(before); }
  bool untouched() {
    return bool(test::same_bytes(keys.get(), input)) && bool(test::same_bytes(indices.get(), before));
  }
  bool done() {
    auto const order = test::stable_order<std::int32_t>(input, std::less<>{});
    return bool(test::same_bytes(keys.get(), input)) &&
           bool(test::same_bytes(indices.get(), std::vector<std::uint32_t>(order.begin(), order.end())));
  }
};

struct merge_call {
  static constexpr char const* name = "mgpu::merge";
  std::vector<std::int32_t> a = test::keys<std::int32_t>(test::pattern::sorted, 100);
  std::vector<std::int32_t> b = test::keys<std::int32_t>(test::pattern::sorted, 300);
  std::vector<std::int32_t> before = std::vector<std::int32_t>(400, -7);
  test::buffer<std::int32_t> first{a};
  test::buffer<std::int32_t> second{b};
  test::buffer<std::int32_t> out{before};

  template <class Policy>
  void run(Policy const& policy) {
    mgpu::merge(policy.with_tuning(test::merge_tuning<32, 3>{}), first.begin(), first.end(), second.begin(),
                second.end(), out.begin());
  }
  void refill() { out.set(before); }
  bool untouched() {
    return bool(test::same_bytes(first.get(), a)) && bool(test::same_bytes(second.get(), b)) &&
           bool(test::same_bytes(out.get(), before));
  }
  bool done() {
    std::vector<std::int32_t> expected(400);
    std::merge(a.begin(), a.end(), b.begin(), b.end(), expected.begin());
    return bool(test::same_bytes(out.get(), expected));
  }
};

using calls = std::tuple<sort_call, sort_large_values_call, argsort_call, merge_call>;

// What came of a call during which one failure was to happen.
enum class outcome { done, out_of_memory, system_error };

template <class Call, class Policy>
outcome attempt(Call& call, Policy const& policy, int expected_code) {
  auto const names_the_call = [](char const* what) {
    std::string const name = std::string(Call::name) + ":";
    return std::string(what).compare(0, name.size(), name) == 0;
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

// Makes the call with failures asked for by fail(k), k = 1, 2, ..., until none happens any more. check() gets each outcome
// and says what else must hold. Returns how many calls failed.
template <class Call, class Policy, class Fail, class Check>
int fail_one_after_the_other(Policy const& policy, int expected_code, Fail fail, Check check) {
  Call call;
  for (std::uint64_t k = 1; k < 1000; ++k) {
    BOOST_TEST_CONTEXT(Call::name << ", failure " << k) {
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
      BOOST_TEST(cudaGetLastError() == cudaSuccess);  // thrown, so not reported a second time
      check(came, call);
      mgpu::release_scratch();
      BOOST_TEST(same(runtime::live(), before));

      call.refill();
      BOOST_TEST((attempt(call, policy, 0) == outcome::done));
      BOOST_TEST(call.done());
    }
  }
  BOOST_ERROR("no end of failures");
  return -1;
}

template <class Call, class Policy>
void check_every_failure(Policy const& policy) {
  auto const fail_with = [](cudaError_t error) { return [error](std::uint64_t k) { runtime::fail_at(k, error); }; };
  int const failures =
      fail_one_after_the_other<Call>(policy, cudaErrorUnknown, fail_with(cudaErrorUnknown),
                                     [](outcome came, Call&) { BOOST_TEST((came == outcome::system_error)); });
  BOOST_TEST(failures >= 3);  // an allocation, launches

  // Running out of memory is std::bad_alloc, whichever call reports it.
  fail_one_after_the_other<Call>(policy, 0, fail_with(cudaErrorMemoryAllocation),
                                 [](outcome came, Call&) { BOOST_TEST((came == outcome::out_of_memory)); });

  // The kind of error that each call has of its own.
  fail_one_after_the_other<Call>(
      policy, 0, [](std::uint64_t k) { runtime::fail_at(k); },
      [](outcome came, Call&) { BOOST_TEST((came != outcome::done)); });

  // One allocation a call; without it nothing has been touched.
  int const allocations = fail_one_after_the_other<Call>(
      policy, 0, [](std::uint64_t k) { runtime::fail_allocation_at(k); },
      [](outcome came, Call& call) {
        BOOST_TEST((came == outcome::out_of_memory));
        BOOST_TEST(call.untouched());
      });
  BOOST_TEST(allocations == 1);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(errors, *boost::unit_test::precondition(test::can_run{}))

// The first calls of the process, before there is a pool.
BOOST_AUTO_TEST_CASE(failures_before_the_first_call) {
  sort_call call;
  for (std::uint64_t k = 1; k < 100; ++k) {
    runtime::fail_at(k, cudaErrorUnknown);
    outcome const came = attempt(call, mgpu::par, cudaErrorUnknown);
    bool const happened = !runtime::failure_pending();
    runtime::fail_at(0);
    BOOST_TEST((came == (happened ? outcome::system_error : outcome::done)));
    if (!happened) break;
    call.refill();
  }
  BOOST_TEST(call.done());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(par, Call, calls) { check_every_failure<Call>(mgpu::par); }
BOOST_AUTO_TEST_CASE_TEMPLATE(par_nosync, Call, calls) { check_every_failure<Call>(mgpu::par_nosync); }

// An error that somebody else left before the call stays.
BOOST_AUTO_TEST_CASE_TEMPLATE(an_earlier_error_stays, Call, calls) {
  Call call;
  static_cast<void>(cudaGetLastError());
  BOOST_REQUIRE(cudaSetDevice(99) == cudaErrorInvalidDevice);
  BOOST_TEST((attempt(call, mgpu::par, 0) == outcome::done));
  BOOST_TEST(call.done());
  BOOST_TEST(cudaGetLastError() == cudaErrorInvalidDevice);
}

// Not even by a call that fails itself, as far as no call to the runtime does.
BOOST_AUTO_TEST_CASE_TEMPLATE(an_earlier_error_survives_an_exception, Call, calls) {
  Call call;
  static_cast<void>(cudaGetLastError());
  BOOST_REQUIRE(cudaSetDevice(99) == cudaErrorInvalidDevice);
  BOOST_TEST((attempt(call, mgpu::par.with_scratch(nullptr, 0), 0) == outcome::out_of_memory));
  BOOST_TEST(call.untouched());
  BOOST_TEST(cudaGetLastError() == cudaErrorInvalidDevice);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(no_driver, Call, calls) {
  Call call;
  runtime::no_device(true);
  BOOST_TEST((attempt(call, mgpu::par, cudaErrorInsufficientDriver) == outcome::system_error));
  runtime::no_device(false);
  runtime::reset();
  BOOST_TEST(call.untouched());
  BOOST_TEST((attempt(call, mgpu::par, 0) == outcome::done));
  BOOST_TEST(call.done());
}

// Without stream-ordered pools a call works all the same, or says what is missing; it never leaks.
BOOST_AUTO_TEST_CASE_TEMPLATE(no_memory_pools, Call, calls) {
  Call call;
  mgpu::release_scratch();
  auto const before = runtime::live();
  runtime::no_memory_pools(true);
  outcome const came = attempt(call, mgpu::par, 0);
  runtime::no_memory_pools(false);
  BOOST_TEST((came == outcome::done ? call.done() : call.untouched()));
  mgpu::release_scratch();
  BOOST_TEST(same(runtime::live(), before));
}

BOOST_AUTO_TEST_SUITE_END()
