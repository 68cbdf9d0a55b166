// The function objects of the standard library do on the device, too, what they do on the host. Comparators, typed or
// transparent, name the natural order as those of cuda::std and Thrust do.
#include <mgpu/merge.h>
#include <mgpu/reduce.h>
#include <mgpu/scan.h>
#include <mgpu/sort.h>
#include <support/items.h>
#include <support/tunings.h>
#include <cuda/std/functional>
#include <thrust/functional.h>
#include <cstdint>
#include <functional>
#include <tuple>
#include <vector>

namespace program {

// Specialisations of std's function objects for this type have an order and a sum that are not those of its
// operators. They differ in how much they look like std's: not at all, by the customary typedefs, by their base
// class, too.
template <int likeness>
struct own {
  std::int32_t number;
  __host__ __device__ friend bool operator<(own a, own b) { return a.number < b.number; }
  __host__ __device__ friend own operator+(own a, own b) { return {a.number + b.number}; }
};
enum class own_enum : std::int32_t {};

template <class T>
struct reversed {
  __host__ __device__ bool operator()(T const& a, T const& b) const { return b < a; }
};
template <class T>
struct exclusive_or {
  __host__ __device__ T operator()(T const& a, T const& b) const { return {a.number ^ b.number}; }
};

}  // namespace program
using program::own;
using program::own_enum;
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif
template <>
struct std::less<own<0>> : program::reversed<own<0>> {};
template <>
struct std::plus<own<0>> : program::exclusive_or<own<0>> {};
template <>
struct std::less<own<1>> {
  typedef own<1> first_argument_type;
  typedef own<1> second_argument_type;
  typedef bool result_type;
  __host__ __device__ bool operator()(own<1> const& a, own<1> const& b) const { return b < a; }
};
template <>
struct std::plus<own<1>> {
  typedef own<1> first_argument_type;
  typedef own<1> second_argument_type;
  typedef own<1> result_type;
  __host__ __device__ own<1> operator()(own<1> const& a, own<1> const& b) const { return {a.number ^ b.number}; }
};
#if defined(__GLIBCXX__)  // elsewhere the base class went with C++17
template <>
struct std::less<own<2>> : std::binary_function<own<2>, own<2>, bool> {
  __host__ __device__ bool operator()(own<2> const& a, own<2> const& b) const { return b < a; }
};
template <>
struct std::plus<own<2>> : std::binary_function<own<2>, own<2>, own<2>> {
  __host__ __device__ own<2> operator()(own<2> const& a, own<2> const& b) const { return {a.number ^ b.number}; }
};
template <>
struct std::less<own_enum> : std::binary_function<own_enum, own_enum, bool> {
  __host__ __device__ bool operator()(own_enum const& a, own_enum const& b) const { return b < a; }
};
#endif
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

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

#if defined(__GLIBCXX__)
using owns = std::tuple<own<0>, own<1>, own<2>>;
#else
using owns = std::tuple<own<0>, own<1>>;
#endif
BOOST_AUTO_TEST_CASE_TEMPLATE(specialised, Own, owns) {
  auto const numbers = test::keys<std::int32_t>(test::pattern::random, 700);
  std::vector<Own> input;
  for (std::int32_t const number : numbers) input.push_back({number});
  test::buffer<Own> items(input), out(input.size());
  auto sum = input;
  for (std::size_t i = 1; i < sum.size(); ++i) sum[i] = std::plus<Own>()(sum[i - 1], sum[i]);
  mgpu::inclusive_scan(test::policy, items.begin(), items.end(), out.begin(), std::plus<Own>());
  BOOST_TEST(test::same_bytes(out.get(), sum));
  Own const total = mgpu::reduce(test::policy, items.begin(), items.end(), Own{0}, std::plus<Own>());
  BOOST_TEST(total.number == sum.back().number);

  auto const sorted = test::permuted(input, test::stable_order<Own>(input, std::less<Own>()));
  mgpu::sort(test::tuned(test::small_sort{}), items.begin(), items.end(), std::less<Own>());
  BOOST_TEST(test::same_bytes(items.get(), sorted));
  mgpu::merge(test::tuned(test::small_merge{}), items.begin(), items.begin() + 300, items.begin() + 300, items.end(),
              out.begin(), std::less<Own>());
  BOOST_TEST(test::same_bytes(out.get(), sorted));
}

#if defined(__GLIBCXX__)
// The enumeration would be sorted by radix if its less were std's.
BOOST_AUTO_TEST_CASE(specialised_for_an_enumeration) {
  std::vector<own_enum> input;
  for (std::int32_t const number : test::keys<std::int32_t>(test::pattern::random, 700)) {
    input.push_back(static_cast<own_enum>(number));
  }
  test::buffer<own_enum> items(input);
  mgpu::sort(test::tuned(test::small_sort{}), items.begin(), items.end(), std::less<own_enum>());
  BOOST_TEST(test::same_bytes(items.get(),
                              test::permuted(input, test::stable_order<own_enum>(input, std::less<own_enum>()))));
}
#endif

BOOST_AUTO_TEST_CASE(of_one_argument) {
  auto const input = test::keys<std::uint32_t>(test::pattern::few_distinct, 700);
  test::buffer<std::uint32_t> items(input), out(input.size());
  auto sums = input;
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = (i > 0 ? sums[i - 1] : 0u) - input[i];
  auto const total =
      mgpu::transform_reduce(test::policy, items.begin(), items.end(), std::negate<>(), 0u, std::plus<>());
  BOOST_TEST(total == sums.back());
  mgpu::transform_inclusive_scan(test::policy, items.begin(), items.end(), out.begin(), std::negate<std::uint32_t>(),
                                 std::plus<>());
  BOOST_TEST(test::same_bytes(out.get(), sums));
}

BOOST_AUTO_TEST_SUITE_END()
