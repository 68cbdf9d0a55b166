// Calls of reductions to the CUDA runtime are counted, and each of them is made to fail once, for a block alone and
// for many, beside what test_errors.cu and test_runtime_calls.cu say of every function. It runs over the emulator
// only.
#include <support/calls.h>
#include <support/failures.h>
#include <emulator/runtime.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>

BOOST_AUTO_TEST_SUITE(reduce_errors, *boost::unit_test::precondition(test::can_run{}))

namespace {

namespace runtime = mgpu::emulator::runtime;
using test::attempt;
using test::outcome;
constexpr std::size_t lone = test::small_reduce::lone_items(4);
constexpr std::size_t many = 20 * lone + 3;

using calls = test::tuned_calls_of<test::reduce_functions>;

template <class Call, class Policy>
runtime::counts counted(Call& call, Policy const& policy) {
  call.run(policy);  // so that everything that is kept is there
  runtime::reset();
  call.run(policy);
  runtime::counts const made = runtime::counters();
  BOOST_TEST(call.done());
  return made;
}

// Makes every call to the runtime fail once, with `error`, and returns how many there were. A call that cannot give
// scratch memory back has done its work and does not throw.
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

// The first calls of the process make the pool, and what a value comes back through.
BOOST_AUTO_TEST_CASE(failures_before_the_first_call) {
  test::tuned_call<test::call_of::reduce> call(many);
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
      BOOST_TEST(made.stream_synchronizations == (Call::returns_value() ? 1u : 0u));
      BOOST_TEST(made.device_synchronizations == 0u);
    }
  }
}

// The memory through which a value comes back is made once, however many calls there are, and large enough for each
// type.
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
