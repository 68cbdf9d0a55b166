// Reductions run under every device policy, without one, with the caller's scratch memory, in the order of a stream,
// and captured into a graph.
#include <support/memory.h>
#include <support/reductions.h>
#include <thrust/execution_policy.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/system/cuda/pointer.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <new>
#include <vector>

BOOST_AUTO_TEST_SUITE(reduce_policies, *boost::unit_test::precondition(test::can_run{}))

namespace {

constexpr std::size_t sizes[] = {0, 1, 100, 100003};

template <class Policy>
void check(Policy const& policy, cudaStream_t wait = nullptr) {
  for (std::size_t const count : sizes) {
    BOOST_TEST_CONTEXT(count << " items") {
      auto const input = test::drawn<std::uint32_t>(count);
      std::uint32_t const sum = test::expected_reduction(input, 3u, cuda::std::plus<>{});
      test::buffer<std::uint32_t> items(input);
      test::result_place<std::uint32_t> place;
      test::require(cudaDeviceSynchronize());  // the stream may not wait for the copy
      BOOST_TEST(mgpu::reduce(policy, items.begin(), items.end(), 3u) == sum);
      BOOST_TEST(mgpu::transform_reduce(policy, items.begin(), items.end(), cuda::std::negate<>{}, 3u,
                                        cuda::std::plus<>{}) == 6u - sum);
      mgpu::reduce_into(policy, items.begin(), items.end(), place.get(), 3u);
      test::require(cudaStreamSynchronize(wait));
      BOOST_TEST(place.read() == sum);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(policies) {
  test::stream const stream;
  check(mgpu::par);
  check(mgpu::par.on(stream), stream);
  check(mgpu::par_nosync);
  check(mgpu::par_nosync.on(stream), stream);
  check(thrust::device);
  check(thrust::cuda::par);
  check(thrust::cuda::par.on(stream), stream);
  check(thrust::cuda::par_nosync.on(stream), stream);
}

BOOST_AUTO_TEST_CASE(no_policy) {
  auto const input = test::drawn<std::uint32_t>(30000);
  std::uint32_t const sum = test::expected_reduction(input, 0u, cuda::std::plus<>{});
  test::buffer<std::uint32_t> items(input);
  thrust::cuda::pointer<std::uint32_t> const first(items.begin());
  BOOST_TEST(mgpu::reduce(first, first + 30000) == sum);
  BOOST_TEST(mgpu::reduce(first, first + 30000, 5u) == sum + 5u);
  BOOST_TEST(mgpu::reduce(first, first + 30000, 5u, cuda::std::plus<>{}) == sum + 5u);
  BOOST_TEST(mgpu::transform_reduce(first, first + 30000, cuda::std::negate<>{}, 5u, cuda::std::plus<>{}) ==
             5u - sum);
  test::result_place<std::uint32_t> place;
  thrust::cuda::pointer<std::uint32_t> const out(place.get());
  mgpu::reduce_into(first, first + 30000, out);
  BOOST_TEST(place.read() == sum);
  mgpu::reduce_into(first, first + 30000, out, 5u);
  BOOST_TEST(place.read() == sum + 5u);
  mgpu::reduce_into(first, first + 30000, out, 6u, cuda::std::plus<>{});
  BOOST_TEST(place.read() == sum + 6u);
}

// A query tells exactly what a call needs, at any alignment, and does nothing.
BOOST_AUTO_TEST_CASE(scratch) {
  auto const small = mgpu::par.with_tuning(test::small_reduce{});
  constexpr std::size_t lone = test::small_reduce::lone_items(4);
  for (std::size_t const count : {std::size_t{0}, std::size_t{1}, lone, lone + 3, lone + 4, 5 * lone, 100 * lone}) {
    for (std::size_t const shift : {0, 1, 2, 3}) {
      BOOST_TEST_CONTEXT(count << " items, shifted by " << shift) {
        auto const input = test::drawn<std::uint32_t>(count);
        std::uint32_t const sum = test::expected_reduction(input, 0u, cuda::std::plus<>{});
        test::buffer<std::uint32_t> aligned(input);
        test::buffer<std::uint32_t> items(input, shift);
        test::result_place<std::uint32_t> place;
        std::size_t bytes = 1;
        std::size_t into_bytes = 1;
        BOOST_TEST(mgpu::reduce(small.query_scratch(bytes), aligned.begin(), aligned.end(), 7u) == 7u);
        mgpu::reduce_into(small.query_scratch(into_bytes), aligned.begin(), aligned.end(), place.get());
        BOOST_TEST(place.untouched());
        BOOST_TEST((bytes == 0) == (count < lone + 4));  // items read four at a time
        BOOST_TEST((into_bytes == 0) == (count < lone + 4));

        test::buffer<unsigned char> memory(bytes + into_bytes);
        BOOST_TEST(mgpu::reduce(small.with_scratch(memory.begin(), bytes), items.begin(), items.end()) == sum);
        mgpu::reduce_into(small.with_scratch(memory.begin(), into_bytes), items.begin(), items.end(), place.get());
        BOOST_TEST(place.read() == sum);
        if (bytes == 0) continue;
        test::result_place<std::uint32_t> other;
        BOOST_CHECK_THROW(mgpu::reduce(small.with_scratch(memory.begin(), bytes - 1), items.begin(), items.end()),
                          std::bad_alloc);
        BOOST_CHECK_THROW(mgpu::reduce_into(small.with_scratch(memory.begin(), into_bytes - 1), items.begin(),
                                            items.end(), other.get()),
                          std::bad_alloc);
        BOOST_TEST(other.untouched());

        test::memory_counts counts;
        test::counting_allocator allocator(counts);
        BOOST_TEST(mgpu::reduce(small(allocator), items.begin(), items.end()) == sum);
        mgpu::reduce_into(small(allocator), items.begin(), items.end(), place.get());
        BOOST_TEST(counts.allocations == 2);
        BOOST_TEST(counts.frees == 2);
        BOOST_TEST(!counts.mismatch);
      }
    }
  }
}

// Reductions run one after the other on a stream, and each reads what the one before wrote.
BOOST_AUTO_TEST_CASE(order_within_a_stream) {
  test::stream const stream;
  auto const policy = mgpu::par_nosync.on(stream);
  constexpr std::size_t count = 200000;
  test::buffer<std::uint32_t> items(std::vector<std::uint32_t>(count, 1));
  test::require(cudaDeviceSynchronize());
  std::uint32_t expected = 0;
  std::uint32_t first = 1;
  for (int i = 0; i < 10; ++i) {
    mgpu::reduce_into(policy, items.begin(), items.end(), items.begin());
    expected = first = static_cast<std::uint32_t>(count - 1) + first;
  }
  test::require(cudaStreamSynchronize(stream));
  BOOST_TEST(items.get()[0] == expected);
}

BOOST_AUTO_TEST_SUITE_END()
