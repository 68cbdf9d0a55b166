// The comparators of the standard library name the natural order on the device too, typed or transparent, as those of
// cuda::std and Thrust do.
#include <mgpu/merge.h>
#include <mgpu/sort.h>
#include <api/items.h>
#include <api/tunings.h>
#include <cuda/std/functional>
#include <thrust/functional.h>
#include <cstdint>
#include <functional>
#include <vector>

namespace {

template <class Comp, class Reference>
void check(Comp comp, Reference reference) {
  auto const policy = test::tuned(test::small_sort{});
  auto const input = test::keys<std::int32_t>(test::pattern::random, 1500);
  auto const expected = test::permuted(input, test::stable_order<std::int32_t>(input, reference));
  test::buffer<std::int32_t> keys(input);
  mgpu::sort(policy, keys.begin(), keys.end(), comp);
  BOOST_TEST(test::same_bytes(keys.get(), expected));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(std_comparators, *boost::unit_test::precondition(test::can_run{}))

BOOST_AUTO_TEST_CASE(ascending) {
  check(std::less<>{}, std::less<>{});
  check(std::less<std::int32_t>{}, std::less<>{});
  check(cuda::std::less<std::int32_t>{}, std::less<>{});
  check(thrust::less<std::int32_t>{}, std::less<>{});
}

BOOST_AUTO_TEST_CASE(descending) {
  check(std::greater<>{}, std::greater<>{});
  check(std::greater<std::int32_t>{}, std::greater<>{});
  check(cuda::std::greater<std::int32_t>{}, std::greater<>{});
  check(thrust::greater<std::int32_t>{}, std::greater<>{});
}

BOOST_AUTO_TEST_CASE(merging) {
  auto const a = test::keys<std::int32_t>(test::pattern::sorted, 700);
  auto const b = test::keys<std::int32_t>(test::pattern::sorted, 900);
  std::vector<std::int32_t> expected(1600);
  std::merge(a.begin(), a.end(), b.begin(), b.end(), expected.begin());
  test::buffer<std::int32_t> first(a);
  test::buffer<std::int32_t> second(b);
  test::buffer<std::int32_t> out(1600);
  mgpu::merge(test::tuned(test::small_merge{}), first.begin(), first.end(), second.begin(), second.end(), out.begin(),
              std::less<>{});
  BOOST_TEST(test::same_bytes(out.get(), expected));
}

BOOST_AUTO_TEST_SUITE_END()
