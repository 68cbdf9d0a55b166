// Every call to the CUDA runtime fails once: the user gets one exception of the right type that names the call, nothing
// leaks, a failed allocation leaves the input as it was, and the next call works.
#include <support/calls.h>
#include <support/failures.h>
#include <support/items.h>
#include <backend/radix_sorts.h>
#include <emulator/runtime.h>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

BOOST_AUTO_TEST_SUITE(errors, *boost::unit_test::precondition(test::can_run{}))

namespace {

namespace runtime = mgpu::emulator::runtime;
using test::attempt;
using test::outcome;
using test::same;

// These are calls of every function, with a tuning by which few items make many tiles, and ways that these items do
// not take of themselves.
using large = test::item<200, 4>;
using by_digits = test::tuned_call<test::call_of::sort, test::words, test::small_onesweep>;
using with_large_values = test::tuned_call<test::call_of::sort_by_key, test::items_of<std::uint32_t, large>>;
using in_a_pipeline = test::tuned_call<test::call_of::exclusive_scan_with_total, test::words, test::pipelined_scan>;
using calls =
    test::joined<test::tuned_calls_of<test::functions>, std::tuple<by_digits, with_large_values, in_a_pipeline>>;

template <class Call, class Policy>
void check_every_failure(Policy const& policy) {
  Call call(Call::several_tiles);
  test::check_every_failure(call, policy, Call::returns_value() ? 4 : 3, 1);  // an allocation, launches
}

}  // namespace

// The first calls of the process fail, before there is a pool.
BOOST_AUTO_TEST_CASE(failures_before_the_first_call) {
  test::tuned_call<test::call_of::sort> call(1000);
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

BOOST_AUTO_TEST_CASE_TEMPLATE(scratch_comes_back, Call, calls) {
  Call call(Call::several_tiles);
  test::check_scratch_comes_back(call, mgpu::par);
  test::check_scratch_comes_back(call, mgpu::par_nosync);
}

// An error that somebody else left before the call stays.
BOOST_AUTO_TEST_CASE_TEMPLATE(an_earlier_error_stays, Call, calls) {
  Call call(Call::several_tiles);
  static_cast<void>(cudaGetLastError());
  BOOST_REQUIRE(cudaSetDevice(99) == cudaErrorInvalidDevice);
  BOOST_TEST((attempt(call, mgpu::par, 0) == outcome::done));
  BOOST_TEST(call.done());
  BOOST_TEST(cudaGetLastError() == cudaErrorInvalidDevice);
}

// It stays, too, where a call fails itself, as far as no call to the runtime does.
BOOST_AUTO_TEST_CASE_TEMPLATE(an_earlier_error_survives_an_exception, Call, calls) {
  Call call(Call::several_tiles);
  static_cast<void>(cudaGetLastError());
  BOOST_REQUIRE(cudaSetDevice(99) == cudaErrorInvalidDevice);
  BOOST_TEST((attempt(call, mgpu::par.with_scratch(nullptr, 0), 0) == outcome::out_of_memory));
  BOOST_TEST(call.untouched());
  BOOST_TEST(cudaGetLastError() == cudaErrorInvalidDevice);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(no_driver, Call, calls) {
  Call call(Call::several_tiles);
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
  Call call(Call::several_tiles);
  mgpu::release_scratch();
  auto const before = runtime::live();
  runtime::no_memory_pools(true);
  outcome const came = attempt(call, mgpu::par, 0);
  runtime::no_memory_pools(false);
  BOOST_TEST((came == outcome::done ? call.done() : call.untouched()));
  mgpu::release_scratch();
  BOOST_TEST(same(runtime::live(), before));
}

// The code is for an architecture with larger blocks than the device has, as where PTX for 9.0 runs on 12.0.
BOOST_AUTO_TEST_CASE(smaller_blocks_than_compiled_for) {
  std::vector<std::uint32_t> const input = test::keys<std::uint32_t>(test::pattern::random, 300);
  test::buffer<std::uint32_t> keys(input);
  auto const names_the_remedy = [](thrust::system_error const& error) {
    std::string const what = error.what();
    return error.code().value() == cudaErrorNoKernelImageForDevice &&
           what.rfind("mgpu::sort: compiled for compute capability 9.0 it needs ", 0) == 0 &&
           what.find("this device has 101376; compile for the device's own") != std::string::npos;
  };
  runtime::shared_bytes_of_block(99 * 1024);
  BOOST_CHECK_EXCEPTION(mgpu::sort(mgpu::par, keys.begin(), keys.end()), thrust::system_error, names_the_remedy);
  BOOST_TEST(cudaGetLastError() == cudaSuccess);
  BOOST_TEST(test::same_bytes(keys.get(), input));
  runtime::reset();
  mgpu::sort(mgpu::par, keys.begin(), keys.end());
  BOOST_TEST(
      test::same_bytes(keys.get(), test::permuted(input, test::stable_order<std::uint32_t>(input, std::less<>{}))));
}

// The linker makes code for one architecture into that for another (-dlto): the host keeps to what was compiled.
BOOST_AUTO_TEST_CASE(linked_for_another_architecture) {
  for (std::size_t const count : {300, 30000}) {
    std::vector<std::uint32_t> const input = test::keys<std::uint32_t>(test::pattern::random, count);
    test::buffer<std::uint32_t> keys(input);
    runtime::linked_for(120);
    std::thread([&] {  // a new thread knows nothing of kernels yet
      mgpu::sort(mgpu::par, keys.begin(), keys.end());
    })
        .join();
    runtime::reset();
    auto const order = test::stable_order<std::uint32_t>(input, std::less<>{});
    BOOST_TEST(test::same_bytes(keys.get(), test::permuted(input, order)));
  }
}

// Where the code is for several others it cannot be told for which.
BOOST_AUTO_TEST_CASE(linked_from_several_architectures) {
  auto const names_the_remedy = [](thrust::system_error const& error) {
    return error.code().value() == cudaErrorNoKernelImageForDevice &&
           std::string(error.what())
                   .rfind(
                       "mgpu::sort: linked for compute capability 12.0 (-dlto) from code for several "
                       "others; compile for 12.0, too, or for one architecture alone",
                       0) == 0;
  };
  BOOST_CHECK_EXCEPTION(mgpu::detail::fail_for_linking("mgpu::sort", 120), thrust::system_error, names_the_remedy);
}

BOOST_AUTO_TEST_SUITE_END()
