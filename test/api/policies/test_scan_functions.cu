// Every scan in every overload runs under each policy that names the device, and without one.
#include <support/memory.h>
#include <support/scan_functions.h>
#include <cuda/stream_ref>
#include <thrust/execution_policy.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/system/cuda/pointer.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <vector>

BOOST_AUTO_TEST_SUITE(scan_functions, *boost::unit_test::precondition(test::can_run{}))

namespace {

constexpr std::size_t sizes[] = {0, 1, 2, 1000, 17000};

template <class T>
using memory = test::buffer<T>;

// This memory says by its pointers that it is the device's.
template <class T>
class tagged_memory : public test::buffer<T> {
 public:
  using test::buffer<T>::buffer;
  auto begin() { return thrust::cuda::pointer<T>(test::buffer<T>::begin()); }
  auto end() { return thrust::cuda::pointer<T>(test::buffer<T>::end()); }
};

template <class Policy>
void check(Policy const& policy) {
  for (std::size_t const count : sizes)
    test::check_scan_functions<memory>(
        count, [] {}, policy);
}
// Checks policies that do not wait, or not for the copies of the test.
template <class Policy>
void check_and_wait(Policy const& policy) {
  auto const wait = [] { test::require(cudaDeviceSynchronize()); };
  for (std::size_t const count : sizes) test::check_scan_functions<memory>(count, wait, policy);
}

}  // namespace

BOOST_AUTO_TEST_CASE(par) { check(mgpu::par); }
BOOST_AUTO_TEST_CASE(no_policy) {
  for (std::size_t const count : sizes) test::check_scan_functions<tagged_memory>(count, [] {});
}
BOOST_AUTO_TEST_CASE(thrust_device) {
  check(thrust::device);
  check(thrust::cuda::par);
}
BOOST_AUTO_TEST_CASE(streams) {
  test::stream const stream;
  check_and_wait(mgpu::par.on(stream));
  check_and_wait(mgpu::par_nosync.on(cuda::stream_ref(static_cast<cudaStream_t>(stream))));
  check_and_wait(thrust::cuda::par_nosync.on(stream));
}

// Where a call has returned it is done: nothing else waits for this stream.
BOOST_AUTO_TEST_CASE(par_waits_for_its_stream) {
  test::stream const stream;
  std::size_t const count = 1000000;
  auto const items = test::make_items<std::uint32_t>(count);
  test::buffer<std::uint32_t> in(items);
  test::buffer<std::uint32_t> out(std::vector<std::uint32_t>(count, 0));
  test::require(cudaDeviceSynchronize());
  mgpu::inclusive_scan(mgpu::par.on(stream), in.begin(), in.end(), out.begin());
  auto const expected = test::scan_one_by_one<std::uint32_t>(items, {}, cuda::std::plus<>{});
  BOOST_TEST(test::same_bytes(out.get(), expected.inclusive));
}

BOOST_AUTO_TEST_CASE(allocators) {
  test::memory_counts counts;
  test::counting_allocator allocator(counts);
  auto const items = test::make_items<std::uint32_t>(150000);
  test::buffer<std::uint32_t> in(items);
  test::buffer<std::uint32_t> out(150000);
  auto const expected = test::scan_one_by_one<std::uint32_t>(items, {}, cuda::std::plus<>{});
  auto const check_one = [&](auto const& policy, int calls) {
    out.set(std::vector<std::uint32_t>(150000, 7));
    mgpu::inclusive_scan(policy, in.begin(), in.end(), out.begin());
    BOOST_TEST(test::same_bytes(out.get(), expected.inclusive));
    mgpu::inclusive_scan(policy, in.begin(), in.begin() + 1000, out.begin());  // up to a tile it allocates nothing
    BOOST_TEST(counts.allocations == calls);
    BOOST_TEST(counts.frees == calls);
    BOOST_TEST(!counts.mismatch);
  };
  check_one(mgpu::par(allocator), 1);
  check_one(thrust::cuda::par(allocator), 2);
  test::counting_resource resource(counts);
  check_one(mgpu::par(&resource), 3);
}

BOOST_AUTO_TEST_SUITE_END()
