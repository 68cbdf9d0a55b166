// What reductions ask of the CUDA runtime, counted; and each of those calls made to fail once: one exception of the
// right type that names the call, nothing leaks, and the next call works. Over the emulator only.
#include <support/failures.h>
#include <support/memory.h>
#include <support/reductions.h>
#include <emulator/runtime.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <tuple>
#include <vector>

BOOST_AUTO_TEST_SUITE(reduce_errors, *boost::unit_test::precondition(test::can_run{}))

namespace {

namespace runtime = mgpu::emulator::runtime;
using test::attempt;
using test::outcome;
constexpr std::size_t lone = test::small_reduce::lone_items(4);
constexpr std::size_t many = 20 * lone + 3;

struct reduce_call {
  static constexpr char const* name = "mgpu::reduce";
  static constexpr bool waits = true;
  std::vector<std::uint32_t> input;
  test::buffer<std::uint32_t> items;
  std::uint32_t result = 0;
  explicit reduce_call(std::size_t count) : input(test::drawn<std::uint32_t>(count)), items(input) {}

  template <class Policy>
  void run(Policy const& policy) {
    result = 0;
    result = mgpu::reduce(policy.with_tuning(test::small_reduce{}), items.begin(), items.end(), 11u);
  }
  bool done() { return result == test::expected_reduction(input, 11u, cuda::std::plus<>{}); }
};

struct transform_reduce_call : reduce_call {
  static constexpr char const* name = "mgpu::transform_reduce";
  using reduce_call::reduce_call;

  template <class Policy>
  void run(Policy const& policy) {
    result = 0;
    result = mgpu::transform_reduce(policy.with_tuning(test::small_reduce{}), items.begin(), items.end(),
                                    cuda::std::negate<>{}, 11u, cuda::std::plus<>{});
    result = 22u - result;
  }
};

struct reduce_into_call {
  static constexpr char const* name = "mgpu::reduce_into";
  static constexpr bool waits = false;
  std::vector<std::uint32_t> input;
  test::buffer<std::uint32_t> items;
  test::result_place<std::uint32_t> place;
  explicit reduce_into_call(std::size_t count) : input(test::drawn<std::uint32_t>(count)), items(input) {}

  template <class Policy>
  void run(Policy const& policy) {
    mgpu::reduce_into(policy.with_tuning(test::small_reduce{}), items.begin(), items.end(), place.get(), 11u);
  }
  bool done() { return place.read() == test::expected_reduction(input, 11u, cuda::std::plus<>{}); }
};

using calls = std::tuple<reduce_call, transform_reduce_call, reduce_into_call>;

template <class Call, class Policy>
runtime::counts counted(Call& call, Policy const& policy) {
  call.run(policy);  // so that everything that is kept is there
  runtime::reset();
  call.run(policy);
  runtime::counts const made = runtime::counters();
  BOOST_TEST(call.done());
  return made;
}

// Every call to the runtime fails once, with `error`. Returns how many there were. A call that cannot give scratch
// memory back has done its work and does not throw.
template <class Call, class Policy>
int fail_each(Policy const& policy, std::size_t count, cudaError_t error, outcome expected) {
  Call call(count);
  call.run(policy);
  for (std::uint64_t k = 1; k < 100; ++k) {
    BOOST_TEST_CONTEXT(Call::name << " of " << count << " items, failure " << k) {
      mgpu::release_scratch();
      auto const before = runtime::live();
      runtime::fail_at(k, error);
      outcome const came = attempt(call, policy);
      bool const happened = !runtime::failure_pending();
      runtime::fail_at(0);
      BOOST_TEST((came == (happened ? expected : outcome::done)));
      BOOST_TEST(cudaGetLastError() == cudaSuccess);
      BOOST_TEST(runtime::live().allocations == before.allocations);
      BOOST_TEST((attempt(call, policy) == outcome::done));
      BOOST_TEST(call.done());
      if (!happened) return static_cast<int>(k) - 1;
    }
  }
  BOOST_ERROR("no end of failures");
  return -1;
}

}  // namespace

// The first calls of the process, which make the pool and what a value comes back through.
BOOST_AUTO_TEST_CASE(failures_before_the_first_call) {
  reduce_call call(many);
  for (cudaError_t const error : {cudaErrorUnknown, cudaErrorMemoryAllocation}) {
    for (std::uint64_t k = 1; k < 100; ++k) {
      auto const before = runtime::live();
      runtime::fail_at(k, error);
      outcome const came = attempt(call, mgpu::par);
      bool const happened = !runtime::failure_pending();
      runtime::fail_at(0);
      if (!happened) {
        BOOST_TEST(call.done());
        break;
      }
      BOOST_TEST((came == (error == cudaErrorUnknown ? outcome::system_error : outcome::out_of_memory)));
      BOOST_TEST(runtime::live().allocations <= before.allocations + 2);  // what is kept for the next call
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(each_failure, Call, calls) {
  for (std::size_t const count : {lone, many}) {
    for (cudaError_t const error : {cudaErrorUnknown, cudaErrorLaunchOutOfResources}) {
      int const failures = fail_each<Call>(mgpu::par, count, error, outcome::system_error);
      BOOST_TEST(failures >= (count == lone ? 3 : 4));
      fail_each<Call>(mgpu::par_nosync, count, error, outcome::system_error);
    }
    fail_each<Call>(mgpu::par, count, cudaErrorMemoryAllocation, outcome::out_of_memory);
    fail_each<Call>(mgpu::par_nosync, count, cudaErrorMemoryAllocation, outcome::out_of_memory);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(scratch_comes_back, Call, calls) {
  Call call(many);
  test::check_scratch_comes_back(call, mgpu::par);
  test::check_scratch_comes_back(call, mgpu::par_nosync);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(what_is_called, Call, calls) {
  for (std::size_t const count : {std::size_t{1}, lone, lone + 3, lone + 4, many}) {
    BOOST_TEST_CONTEXT(Call::name << " of " << count << " items") {
      Call call(count);
      bool const alone = count < lone + 4;  // items read four at a time
      runtime::counts made = counted(call, mgpu::par);
      BOOST_TEST(made.launches == (alone ? 1u : 2u));
      BOOST_TEST(made.allocations == (alone ? 0u : 1u));
      BOOST_TEST(made.frees == made.allocations);
      BOOST_TEST(made.stream_synchronizations == 1u);
      BOOST_TEST(made.device_synchronizations == 0u);
      BOOST_TEST(made.copies == 0u);

      made = counted(call, mgpu::par_nosync);
      BOOST_TEST(made.launches == (alone ? 1u : 2u));
      BOOST_TEST(made.stream_synchronizations == (Call::waits ? 1u : 0u));
      BOOST_TEST(made.device_synchronizations == 0u);
    }
  }
}

// With nothing kept from before, and while the stream is captured.
BOOST_AUTO_TEST_CASE(par_nosync_never_synchronises) {
  reduce_into_call call(many);
  mgpu::release_scratch();
  runtime::reset();
  test::captured_stream stream;
  BOOST_TEST((attempt(call, mgpu::par_nosync.on(stream)) == outcome::done));
  BOOST_TEST(runtime::counters().stream_synchronizations == 0u);
  BOOST_TEST(runtime::counters().device_synchronizations == 0u);
  test::require(stream.end());
  BOOST_TEST(call.done());
}

BOOST_AUTO_TEST_CASE(a_captured_stream_returns_no_value) {
  reduce_call call(many);
  test::captured_stream stream;
  BOOST_TEST((attempt(call, mgpu::par_nosync.on(stream)) == outcome::system_error));
  BOOST_TEST(stream.end() == cudaErrorStreamCaptureInvalidated);
  runtime::reset();
  BOOST_TEST((attempt(call, mgpu::par_nosync) == outcome::done));
  BOOST_TEST(call.done());
}

BOOST_AUTO_TEST_CASE(empty_ranges) {
  reduce_call call(0);
  runtime::reset();
  runtime::no_device(true);
  BOOST_TEST((attempt(call, mgpu::par) == outcome::done));
  BOOST_TEST(call.result == 11u);
  BOOST_TEST(runtime::counters().calls == 0u);
  runtime::no_device(false);
  runtime::reset();

  reduce_into_call into(0);
  runtime::counts const made = counted(into, mgpu::par_nosync);
  BOOST_TEST(made.launches == 1u);
  BOOST_TEST(made.allocations == 0u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(no_driver, Call, calls) {
  Call call(many);
  runtime::no_device(true);
  BOOST_TEST((attempt(call, mgpu::par) == outcome::system_error));
  runtime::no_device(false);
  runtime::reset();
  BOOST_TEST((attempt(call, mgpu::par) == outcome::done));
  BOOST_TEST(call.done());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(an_earlier_error_stays, Call, calls) {
  Call call(many);
  static_cast<void>(cudaGetLastError());
  BOOST_REQUIRE(cudaSetDevice(99) == cudaErrorInvalidDevice);
  BOOST_TEST((attempt(call, mgpu::par) == outcome::done));
  BOOST_TEST(call.done());
  BOOST_TEST(cudaGetLastError() == cudaErrorInvalidDevice);
}

// What a value comes back through is made once, however many calls there are, and large enough for each type.
BOOST_AUTO_TEST_CASE(slots_are_kept) {
  mgpu::detail::scratch_of scratch(mgpu::par.scratch());
  mgpu::detail::device_call const call("test", cudaStreamLegacy, true, scratch);
  auto const made = [&](std::size_t bytes) {
    auto const before = runtime::live().allocations;
    mgpu::detail::result_slot slot(call, bytes);
    auto* const memory = static_cast<unsigned char*>(slot.memory());
    memory[0] = memory[bytes - 1] = 1;
    return runtime::live().allocations - before;
  };
  made(1);
  BOOST_TEST(made(1) == 0u);
  BOOST_TEST(made(4096) == 0u);
  BOOST_TEST(made(100000) == 1u);
  BOOST_TEST(made(100000) == 0u);
  BOOST_TEST(made(1) == 0u);
  mgpu::detail::result_slot const one(call, 1);
  mgpu::detail::result_slot const two(call, 1);
  mgpu::detail::result_slot const three(call, 1);
  BOOST_TEST(one.memory() != two.memory());
  BOOST_TEST(two.memory() != three.memory());
}

BOOST_AUTO_TEST_SUITE_END()
