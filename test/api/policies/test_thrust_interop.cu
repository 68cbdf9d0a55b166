// Where Thrust gets mgpu's policies, sorting and merging land in mgpu, and all other algorithms run as with
// thrust::cuda::par.
#include <mgpu/merge.h>
#include <mgpu/sort.h>
#include <mgpu/sort_copy.h>
#include <support/items.h>
#include <support/memory.h>
#include <support/reductions.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/merge.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <cstdint>
#include <functional>
#include <algorithm>
#include <vector>

BOOST_AUTO_TEST_SUITE(thrust_interop, *boost::unit_test::precondition(test::can_run{}))

namespace {

constexpr std::size_t count = 20000;

std::vector<std::int32_t> input() { return test::keys<std::int32_t>(test::pattern::random, count); }
std::vector<std::int32_t> sorted() {
  auto items = input();
  std::stable_sort(items.begin(), items.end());
  return items;
}

struct is_even {
  __host__ __device__ bool operator()(std::int32_t x) const { return x % 2 == 0; }
};

struct twice {
  __host__ __device__ std::int32_t operator()(std::int32_t x) const { return x / 4 * 2; }
};

// mgpu answers with a size and does nothing; Thrust's own algorithm would do its work.
template <class Run>
void check_lands_in_mgpu(Run run) {
  auto const before = input();
  test::buffer<std::int32_t> keys(before);
  test::buffer<std::int32_t> more(before);
  constexpr std::size_t no_answer = 1;
  std::size_t bytes = no_answer;
  run(mgpu::par.query_scratch(bytes), keys, more);
  BOOST_TEST(bytes != no_answer);
  BOOST_TEST(test::same_bytes(keys.get(), before));
  BOOST_TEST(test::same_bytes(more.get(), before));
}

}  // namespace

BOOST_AUTO_TEST_CASE(sorting_lands_in_mgpu) {
  check_lands_in_mgpu([](auto policy, auto& keys, auto&) { thrust::sort(policy, keys.begin(), keys.end()); });
  check_lands_in_mgpu(
      [](auto policy, auto& keys, auto&) { thrust::sort(policy, keys.begin(), keys.end(), cuda::std::greater<>{}); });
  check_lands_in_mgpu([](auto policy, auto& keys, auto&) { thrust::stable_sort(policy, keys.begin(), keys.end()); });
  check_lands_in_mgpu([](auto policy, auto& keys, auto&) {
    thrust::stable_sort(policy, keys.begin(), keys.end(), cuda::std::greater<>{});
  });
  check_lands_in_mgpu([](auto policy, auto& keys, auto& values) {
    thrust::sort_by_key(policy, keys.begin(), keys.end(), values.begin());
  });
  check_lands_in_mgpu([](auto policy, auto& keys, auto& values) {
    thrust::sort_by_key(policy, keys.begin(), keys.end(), values.begin(), cuda::std::greater<>{});
  });
  check_lands_in_mgpu([](auto policy, auto& keys, auto& values) {
    thrust::stable_sort_by_key(policy, keys.begin(), keys.end(), values.begin());
  });
  check_lands_in_mgpu([](auto policy, auto& keys, auto& values) {
    thrust::stable_sort_by_key(policy, keys.begin(), keys.end(), values.begin(), cuda::std::greater<>{});
  });
}

BOOST_AUTO_TEST_CASE(merging_lands_in_mgpu) {
  check_lands_in_mgpu([](auto policy, auto& keys, auto& out) {
    auto const middle = keys.begin() + count / 2;
    thrust::merge(policy, keys.begin(), middle, middle, keys.end(), out.begin());
  });
  check_lands_in_mgpu([](auto policy, auto& keys, auto& out) {
    auto const middle = keys.begin() + count / 2;
    thrust::merge(policy, keys.begin(), middle, middle, keys.end(), out.begin(), cuda::std::greater<>{});
  });
  check_lands_in_mgpu([](auto policy, auto& keys, auto& out) {
    auto const middle = keys.begin() + count / 2;
    test::buffer<std::int32_t> values_out(count);
    thrust::merge_by_key(policy, keys.begin(), middle, middle, keys.end(), keys.begin(), middle, out.begin(),
                         values_out.begin());
  });
}

#if CCCL_VERSION >= 3001000  // Thrust has it from this version on
BOOST_AUTO_TEST_CASE(reducing_into_memory_lands_in_mgpu) {
  auto const small = [](auto policy) { return policy.with_tuning(test::small_reduce{}); };
  check_lands_in_mgpu([&](auto policy, auto& items, auto& out) {
    thrust::reduce_into(small(policy), items.begin(), items.end(), out.begin());
  });
  check_lands_in_mgpu([&](auto policy, auto& items, auto& out) {
    thrust::reduce_into(small(policy), items.begin(), items.end(), out.begin(), 5);
  });
  check_lands_in_mgpu([&](auto policy, auto& items, auto& out) {
    thrust::reduce_into(small(policy), items.begin(), items.end(), out.begin(), 5, cuda::std::plus<>{});
  });
}
#endif

BOOST_AUTO_TEST_CASE(sorting) {
  test::stream const stream;
  test::buffer<std::int32_t> keys(input());
  thrust::sort(mgpu::par, keys.begin(), keys.end());
  BOOST_TEST(test::same_bytes(keys.get(), sorted()));

  auto const order = test::stable_order<std::int32_t>(input(), std::less<>{});
  auto const value_input = test::numbered<std::uint32_t>(count);
  test::buffer<std::uint32_t> values(value_input);
  keys.set(input());
  test::require(cudaDeviceSynchronize());
  thrust::sort_by_key(mgpu::par.on(stream), keys.begin(), keys.end(), values.begin());
  BOOST_TEST(test::same_bytes(keys.get(), sorted()));
  BOOST_TEST(test::same_bytes(values.get(), test::permuted(value_input, order)));
}

BOOST_AUTO_TEST_CASE(merging) {
  auto const a = sorted();
  test::buffer<std::int32_t> keys(a);
  test::buffer<std::int32_t> out(2 * count);
  auto* const end = thrust::merge(mgpu::par, keys.begin(), keys.end(), keys.begin(), keys.end(), out.begin());
  BOOST_TEST(end == out.end());
  std::vector<std::int32_t> expected(2 * count);
  std::merge(a.begin(), a.end(), a.begin(), a.end(), expected.begin());
  BOOST_TEST(test::same_bytes(out.get(), expected));
}

#if defined(__CUDACC__)  // Thrust's own device algorithms need nvcc

BOOST_AUTO_TEST_CASE(algorithms_of_thrust) {
  test::stream const stream;
  test::buffer<std::int32_t> keys(input());
  test::buffer<std::int32_t> out(count);
  auto const items = input();
  auto const num_even = std::count_if(items.begin(), items.end(), is_even{});
  auto const check_all = [&](auto policy, cudaStream_t wait) {
    thrust::transform(policy, keys.begin(), keys.end(), out.begin(), twice{});
    test::require(cudaStreamSynchronize(wait));
    auto expected = input();
    std::transform(expected.begin(), expected.end(), expected.begin(), twice{});
    BOOST_TEST(test::same_bytes(out.get(), expected));

    auto const* const end = thrust::copy_if(policy, keys.begin(), keys.end(), out.begin(), is_even{});
    BOOST_TEST(end - out.begin() == num_even);

    thrust::fill(policy, out.begin(), out.end(), 42);
    test::require(cudaStreamSynchronize(wait));
    BOOST_TEST(test::same_bytes(out.get(), std::vector<std::int32_t>(count, 42)));
  };
  test::memory_counts counts;
  test::counting_allocator allocator(counts);
  check_all(mgpu::par, nullptr);
  check_all(mgpu::par.on(stream), stream);
  check_all(mgpu::par_nosync.on(stream), stream);
  BOOST_TEST(counts.allocations == 0);
  check_all(mgpu::par(allocator), nullptr);  // the copy's temporary memory
  BOOST_TEST(counts.allocations > 0);
  BOOST_TEST(counts.frees == counts.allocations);
  BOOST_TEST(!counts.mismatch);
}

BOOST_AUTO_TEST_CASE(device_vectors) {
  auto const items = input();
  thrust::device_vector<std::int32_t> keys(items.begin(), items.end());
  auto const check = [&] {
    std::vector<std::int32_t> result(count);
    thrust::copy(keys.begin(), keys.end(), result.begin());
    BOOST_TEST(test::same_bytes(result, sorted()));
    thrust::copy(items.begin(), items.end(), keys.begin());
  };
  mgpu::sort(keys.begin(), keys.end());
  check();
  mgpu::sort(mgpu::par, keys.begin(), keys.end());
  check();
  mgpu::stable_sort(thrust::device, keys.begin(), keys.end());
  check();
  thrust::device_vector<std::uint32_t> indices(count);
  auto const end = mgpu::argsort(keys.begin(), keys.end(), indices.begin());
  BOOST_TEST((end == indices.end()));
  std::vector<std::uint32_t> result(count);
  thrust::copy(indices.begin(), indices.end(), result.begin());
  auto const order = test::stable_order<std::int32_t>(items, std::less<>{});
  BOOST_TEST(test::same_bytes(result, std::vector<std::uint32_t>(order.begin(), order.end())));
}

#endif

BOOST_AUTO_TEST_SUITE_END()
