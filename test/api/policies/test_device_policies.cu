// Calls run under the policies that name the device: mgpu's with a stream and blocking or not, Thrust's as they are,
// and none where the iterators are the device's.
#include <support/calls.h>
#include <support/items.h>
#include <support/memory.h>
#include <cuda/stream_ref>
#include <thrust/execution_policy.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/memory.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/system/cuda/pointer.h>
#include <cstdint>
#include <functional>
#include <vector>

BOOST_AUTO_TEST_SUITE(device_policies, *boost::unit_test::precondition(test::can_run{}))

__global__ void nothing_kernel() {}

namespace {

constexpr std::size_t sizes[] = {0, 1, 100, 30000};

// Sorts by it take scratch memory for fewer items than by the natural order.
struct own_order {
  __host__ __device__ bool operator()(std::int32_t a, std::int32_t b) const { return a < b; }
};

// Sorts under a policy, and waits for `wait`, unless the call itself does.
template <class Policy>
void check(Policy const& policy, bool must_wait = false, cudaStream_t wait = nullptr) {
  for (std::size_t const count : sizes) {
    BOOST_TEST_CONTEXT(count << " items") {
      auto const input = test::keys<std::int32_t>(test::pattern::random, count);
      test::buffer<std::int32_t> keys(input);
      test::require(cudaDeviceSynchronize());  // the stream may not wait for the copy
      mgpu::sort(policy, keys.begin(), keys.end(), own_order{});
      if (must_wait) test::require(cudaStreamSynchronize(wait));
      BOOST_TEST(test::same_bytes(keys.get(),
                                  test::permuted(input, test::stable_order<std::int32_t>(input, std::less<>{}))));
    }
  }
}

// This memory says by its pointers that it is the device's.
struct tagged_words : test::words {
  template <class T>
  static auto input(T* it) {
    return thrust::cuda::pointer<T>(it);
  }
  template <class T>
  static auto output(T* it) {
    return thrust::cuda::pointer<T>(it);
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(every_function, Function, test::functions) {
  test::stream const stream;
  test::call<Function> call(1000);
  auto const check_call = [&](auto const& policy, bool must_wait) {
    call.refill();
    test::require(cudaDeviceSynchronize());  // the stream may not wait for the copies
    call.run(policy);
    if (must_wait) test::require(cudaDeviceSynchronize());
    BOOST_TEST(call.done());
  };
  check_call(mgpu::par.on(stream), false);
  check_call(mgpu::par_nosync, true);
  check_call(mgpu::par_nosync.on(stream), true);
  check_call(thrust::device, false);
  check_call(thrust::cuda::par_nosync.on(stream), true);
}
BOOST_AUTO_TEST_CASE_TEMPLATE(every_function_without_a_policy, Function, test::functions) {
  test::call<Function, tagged_words> call(1000);
  call.run();
  BOOST_TEST(call.done());
}

BOOST_AUTO_TEST_CASE(par) {
  test::stream const stream;
  check(mgpu::par);
  check(mgpu::par.on(stream));
  check(mgpu::par.on(cuda::stream_ref(static_cast<cudaStream_t>(stream))));
  BOOST_TEST(mgpu::par.on(stream).stream() == static_cast<cudaStream_t>(stream));
}

BOOST_AUTO_TEST_CASE(par_nosync) {
  test::stream const stream;
  check(mgpu::par_nosync, true, nullptr);
  check(mgpu::par_nosync.on(stream), true, stream);
  check(mgpu::par_nosync.on(cuda::stream_ref(static_cast<cudaStream_t>(stream))), true, stream);
}

// The sort takes its place in the stream: after the copy that brings its input, before the one that takes its output.
BOOST_AUTO_TEST_CASE(order_within_a_stream) {
  test::stream const stream;
  constexpr std::size_t count = 200000;
  std::int32_t* pinned = nullptr;
#if defined(MGPU_EMULATED)
  std::vector<std::int32_t> memory(count);
  pinned = memory.data();
#else
  test::require(cudaMallocHost(reinterpret_cast<void**>(&pinned), count * sizeof(std::int32_t)));
#endif
  test::buffer<std::int32_t> keys(count);
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    auto const input = test::keys<std::int32_t>(test::pattern::random, count, seed);
    std::copy(input.begin(), input.end(), pinned);
    test::require(cudaMemcpyAsync(keys.begin(), pinned, count * 4, cudaMemcpyHostToDevice, stream));
    mgpu::sort(mgpu::par_nosync.on(stream), keys.begin(), keys.end());
    test::require(cudaMemcpyAsync(pinned, keys.begin(), count * 4, cudaMemcpyDeviceToHost, stream));
    test::require(cudaStreamSynchronize(stream));
    auto expected = input;
    std::sort(expected.begin(), expected.end());
    BOOST_TEST(test::same_bytes(std::vector<std::int32_t>(pinned, pinned + count), expected));
  }
#if !defined(MGPU_EMULATED)
  test::require(cudaFreeHost(pinned));
#endif
}

BOOST_AUTO_TEST_CASE(policies_of_thrust) {
  test::stream const stream;
  test::memory_counts counts;
  test::counting_allocator allocator(counts);
  check(thrust::device);
  check(thrust::cuda::par);
  check(thrust::cuda::par.on(stream));
  check(thrust::cuda::par_nosync, true, nullptr);
  check(thrust::cuda::par_nosync.on(stream), true, stream);
  BOOST_TEST(counts.allocations == 0);

  check(thrust::cuda::par(allocator));
  BOOST_TEST(counts.allocations == 1);  // for the largest size
  check(thrust::cuda::par(allocator).on(stream));
  BOOST_TEST(counts.allocations == 2);
  check(thrust::cuda::par_nosync(allocator).on(stream), true, stream);
  BOOST_TEST(counts.allocations == 3);
  BOOST_TEST(counts.frees == 3);
  BOOST_TEST(!counts.mismatch);
}

BOOST_AUTO_TEST_CASE(no_policy) {
  auto const input = test::keys<std::int32_t>(test::pattern::random, 30000);
  auto const order = test::stable_order<std::int32_t>(input, std::less<>{});
  auto const expected = test::permuted(input, order);
  test::buffer<std::int32_t> keys(input);
  thrust::cuda::pointer<std::int32_t> const first(keys.begin());
  mgpu::sort(first, first + 30000);
  BOOST_TEST(test::same_bytes(keys.get(), expected));

  // Two runs of 15000 keys become one.
  mgpu::sort(mgpu::par, keys.begin(), keys.begin() + 15000);
  test::buffer<std::int32_t> out(30000);
  thrust::cuda::pointer<std::int32_t> const out_first(out.begin());
  auto const end = mgpu::merge(first, first + 15000, first + 15000, first + 30000, out_first);
  BOOST_TEST((end == out_first + 30000));
  BOOST_TEST(test::same_bytes(out.get(), expected));
#if defined(__CUDACC__)
  // A device pointer may be within another iterator.
  mgpu::sort(thrust::make_reverse_iterator(first + 30000), thrust::make_reverse_iterator(first));
  BOOST_TEST(test::same_bytes(keys.get(), std::vector<std::int32_t>(expected.rbegin(), expected.rend())));
#endif

  keys.set(input);
  test::buffer<std::uint32_t> indices(30000);
  mgpu::argsort(first, first + 30000, thrust::cuda::pointer<std::uint32_t>(indices.begin()));
  BOOST_TEST(test::same_bytes(indices.get(), std::vector<std::uint32_t>(order.begin(), order.end())));
  mgpu::sort_by_key(first, first + 30000, thrust::cuda::pointer<std::uint32_t>(indices.begin()));
  BOOST_TEST(test::same_bytes(keys.get(), expected));
}

namespace {

struct used_in_one_test {
  __host__ __device__ bool operator()(std::int32_t a, std::int32_t b) const { return a < b; }
};

}  // namespace

// An error that was there before the call is not taken for the call's own, and does not go away, be it the first call to
// use its kernels.
BOOST_AUTO_TEST_CASE(an_earlier_error_stays) {
  test::buffer<std::int32_t> keys(test::keys<std::int32_t>(test::pattern::random, 30000));
  static_cast<void>(cudaGetLastError());
  BOOST_REQUIRE(cudaSetDevice(99) == cudaErrorInvalidDevice);
  BOOST_REQUIRE(cudaPeekAtLastError() == cudaErrorInvalidDevice);
  BOOST_CHECK_NO_THROW(mgpu::sort(mgpu::par, keys.begin(), keys.end()));
  BOOST_TEST(cudaPeekAtLastError() == cudaErrorInvalidDevice);
  BOOST_CHECK_NO_THROW(mgpu::sort(mgpu::par, keys.begin(), keys.end(), used_in_one_test{}));
  BOOST_TEST(cudaPeekAtLastError() == cudaErrorInvalidDevice);
  BOOST_CHECK_NO_THROW(mgpu::sort(mgpu::par, keys.begin(), keys.begin() + 10));
  BOOST_CHECK_NO_THROW(mgpu::sort(mgpu::par, keys.begin(), keys.begin()));
  BOOST_TEST(cudaGetLastError() == cudaErrorInvalidDevice);
  auto const result = keys.get();
  BOOST_TEST(std::is_sorted(result.begin(), result.end()));
}

// An allocation that failed before the call leaves what it would leave to a launch of one's own.
BOOST_AUTO_TEST_CASE(an_earlier_failed_allocation_stays) {
  test::buffer<std::int32_t> keys(test::keys<std::int32_t>(test::pattern::random, 30000));
  auto const left_by = [](auto work) {
    static_cast<void>(cudaGetLastError());
    void* memory = nullptr;
    BOOST_REQUIRE(cudaMalloc(&memory, std::size_t{1} << 60) == cudaErrorMemoryAllocation);
    work();
    return cudaGetLastError();
  };
  cudaError_t const of_launch = left_by([] { test::run_kernel(nothing_kernel, 1, 32, 0); });
  for (std::size_t const count : {10, 1000, 30000}) {
    for (int times = 0; times < 2; ++times) {
      BOOST_TEST(left_by([&] { mgpu::sort(mgpu::par, keys.begin(), keys.begin() + count); }) == of_launch);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
