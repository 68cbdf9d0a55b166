// Thrust and mgpu stand in one file, with names of Thrust unqualified: calls by name, by policy, and by look-up
// through the arguments reach the right one.
#include <mgpu/mgpu.h>
#include <support/device.h>
#include <thrust/adjacent_difference.h>
#include <thrust/copy.h>
#include <thrust/fill.h>
#include <thrust/functional.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>
#include <thrust/unique.h>
#include <cstdint>
#include <numeric>
#include <vector>
#if defined(__CUDACC__)
#include <thrust/device_vector.h>
#endif

BOOST_AUTO_TEST_SUITE(together, *boost::unit_test::precondition(test::can_run{}))

namespace {

constexpr int num_items = 1 << 20;

// mgpu answers with a size and does nothing; Thrust's own algorithm would do its work.
template <class Call>
void check_lands_in_mgpu(Call call) {
  std::vector<int> const before(num_items, 3);
  test::buffer<int> in(before);
  test::buffer<int> out(before);
  constexpr std::size_t no_answer = 1;
  std::size_t bytes = no_answer;
  call(mgpu::par.query_scratch(bytes), in.begin(), in.end(), out.begin());
  BOOST_TEST(bytes != no_answer);
  BOOST_TEST((in.get() == before));
  BOOST_TEST((out.get() == before));
}

}  // namespace

// This directive is not for the whole file: nvcc writes `cuda::` into it, which thrust::cuda would make ambiguous.
using namespace thrust;

BOOST_AUTO_TEST_CASE(reductions_land_in_mgpu) {
  check_lands_in_mgpu([](auto p, int* a, int* b, int*) { BOOST_TEST(thrust::reduce(p, a, b) == 0); });
  check_lands_in_mgpu([](auto p, int* a, int* b, int*) { BOOST_TEST(thrust::reduce(p, a, b, 7) == 7); });
  check_lands_in_mgpu([](auto p, int* a, int* b, int*) { BOOST_TEST(thrust::reduce(p, a, b, 7, plus<>()) == 7); });
  check_lands_in_mgpu([](auto p, int* a, int* b, int*) {
    BOOST_TEST(thrust::transform_reduce(p, a, b, negate<>(), 7, plus<>()) == 7);
  });
}

BOOST_AUTO_TEST_CASE(merging_by_an_order_lands_in_mgpu) {
  check_lands_in_mgpu([](auto p, int* a, int* b, int* out) {
    int* const middle = a + num_items / 2;
    thrust::merge_by_key(p, a, middle, middle, b, a, middle, out, out, less<>());
  });
}

// There are two candidates, Thrust's by the directive above and mgpu's by the policy, and mgpu's is the better match.
BOOST_AUTO_TEST_CASE(unqualified_names_with_policies_of_mgpu) {
  check_lands_in_mgpu([](auto p, int* a, int* b, int*) { sort(p, a, b); });
  check_lands_in_mgpu([](auto p, int* a, int* b, int*) { stable_sort(p, a, b, less<>()); });
  check_lands_in_mgpu([](auto p, int* a, int* b, int* out) { sort_by_key(p, a, b, out); });
  check_lands_in_mgpu([](auto p, int* a, int* b, int* out) { stable_sort_by_key(p, a, b, out, less<>()); });
  check_lands_in_mgpu([](auto p, int* a, int* b, int* out) { merge(p, a, a + 1, a + 1, b, out); });
  check_lands_in_mgpu([](auto p, int* a, int* b, int* out) { merge_by_key(p, a, a + 1, a + 1, b, a, a, out, out); });
  check_lands_in_mgpu([](auto p, int* a, int* b, int*) { reduce(p, a, b, 7, plus<>()); });
  check_lands_in_mgpu([](auto p, int* a, int* b, int*) { transform_reduce(p, a, b, negate<>(), 7, plus<>()); });
  check_lands_in_mgpu([](auto p, int* a, int* b, int* out) { inclusive_scan(p, a, b, out); });
  check_lands_in_mgpu([](auto p, int* a, int* b, int* out) { inclusive_scan(p, a, b, out, 7, plus<>()); });
  check_lands_in_mgpu([](auto p, int* a, int* b, int* out) { exclusive_scan(p, a, b, out, 7); });
  check_lands_in_mgpu(
      [](auto p, int* a, int* b, int* out) { transform_exclusive_scan(p, a, b, out, negate<>(), 7, plus<>()); });
  check_lands_in_mgpu(
      [](auto p, int* a, int* b, int* out) { transform_inclusive_scan(p, a, b, out, negate<>(), plus<>()); });
}

#if defined(__CUDACC__)  // Thrust's own device algorithms need nvcc

BOOST_AUTO_TEST_CASE(side_by_side) {
  std::vector<int> input(num_items);
  for (int i = 0; i < num_items; ++i) input[i] = static_cast<int>(std::int64_t{i} * 7919 % 65537);
  device_vector<int> by_thrust(input.begin(), input.end());
  device_vector<int> by_mgpu = by_thrust;
  device_vector<int> scanned_by_thrust(num_items);
  device_vector<int> scanned_by_mgpu(num_items);

  sort(by_thrust.begin(), by_thrust.end());
  mgpu::sort(by_mgpu.begin(), by_mgpu.end());
  BOOST_TEST((by_thrust == by_mgpu));
  sort(device, by_thrust.begin(), by_thrust.end(), thrust::greater<int>());
  sort(mgpu::par, by_mgpu.begin(), by_mgpu.end(), thrust::greater<int>());
  BOOST_TEST((by_thrust == by_mgpu));
  inclusive_scan(by_thrust.begin(), by_thrust.end(), scanned_by_thrust.begin());
  mgpu::inclusive_scan(by_thrust.begin(), by_thrust.end(), scanned_by_mgpu.begin());
  BOOST_TEST((scanned_by_thrust == scanned_by_mgpu));
  BOOST_TEST(reduce(by_thrust.begin(), by_thrust.end()) == mgpu::reduce(by_thrust.begin(), by_thrust.end()));
}

// Thrust does its work, and mgpu, which would answer with a size, is not asked.
BOOST_AUTO_TEST_CASE(all_else_runs_in_thrust) {
  std::size_t const untouched = 12345;
  std::size_t bytes = untouched;
  auto const policy = mgpu::par.query_scratch(bytes);
  auto const is_odd = [] __host__ __device__(int i) { return i % 2 != 0; };
  auto const third = [] __host__ __device__(int i) { return i / 3; };
  device_vector<int> numbers(num_items);
  device_vector<int> out(num_items);

  sequence(policy, numbers.begin(), numbers.end());
  BOOST_TEST(numbers.back() == num_items - 1);
  transform(policy, numbers.begin(), numbers.end(), out.begin(), third);
  BOOST_TEST(out.back() == (num_items - 1) / 3);
  BOOST_TEST((unique(policy, out.begin(), out.end()) - out.begin()) == (num_items - 1) / 3 + 1);
  BOOST_TEST((copy_if(policy, numbers.begin(), numbers.end(), out.begin(), is_odd) - out.begin()) == num_items / 2);
  BOOST_TEST(out[1] == 3);
  BOOST_TEST((stable_partition(policy, out.begin(), out.end(), is_odd) - out.begin()) >= num_items / 2);
  adjacent_difference(policy, numbers.begin(), numbers.end(), out.begin());
  BOOST_TEST(out.back() == 1);
  device_vector<int> sums(num_items);
  auto const ends =
      reduce_by_key(policy, out.begin(), out.end(), numbers.begin(), make_discard_iterator(), sums.begin());
  BOOST_TEST((ends.second - sums.begin()) == 2);
  inclusive_scan_by_key(policy, out.begin(), out.end(), out.begin(), sums.begin());
  BOOST_TEST(sums.back() == num_items - 1);
  fill(policy, out.begin(), out.end(), 42);
  BOOST_TEST(out.back() == 42);
  BOOST_TEST(bytes == untouched);
}

#endif

BOOST_AUTO_TEST_SUITE_END()
