// mgpu::sort and mgpu::stable_sort sort keys of arithmetic types, by default order and by a comparator.
#include <mgpu/sort.h>
#include <support/items.h>
#include <support/tunings.h>
#include <cstdint>
#include <functional>
#include <limits>
#include <tuple>
#include <vector>

BOOST_AUTO_TEST_SUITE(sort_keys, *boost::unit_test::precondition(test::can_run{}))

namespace {

using keys_types = std::tuple<std::uint8_t, std::int8_t, std::uint16_t, std::int32_t, std::uint64_t, std::int64_t,
                              float, double, bool>;

// Sorts by sort(first, last); the reference is the standard library's on the original input.
template <class T, class Sort, class Comp = std::less<>>
void check(std::vector<test::stored_t<T>> const& input, Sort sort, Comp comp = {}) {
  test::buffer<test::stored_t<T>> keys(input);
  T* const first = reinterpret_cast<T*>(keys.begin());
  sort(first, first + input.size());
  BOOST_TEST(test::same_bytes(keys.get(), test::permuted(input, test::stable_order<T>(input, comp))));
}

// Orders by the magnitude's last decimal digit, so that many keys are equal.
struct by_last_digit {
  __host__ __device__ bool operator()(std::int32_t a, std::int32_t b) const { return a % 10 < b % 10; }
};

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(many_tiles, T, keys_types) {
  auto const policy = test::tuned(test::small_sort{});
  for (test::pattern const pattern : test::all_patterns) {
    for (std::size_t const count : {2, 333, 3000}) {
      BOOST_TEST_CONTEXT(pattern << ", " << count << " items") {
        auto const input = test::keys<T>(pattern, count);
        check<T>(input, [&](T* first, T* last) { mgpu::sort(policy, first, last); });
        check<T>(input, [&](T* first, T* last) { mgpu::stable_sort(policy, first, last); });
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(negative_ints) {
  std::vector<std::int32_t> const input{
      3, -1, 2, -5, 0, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max(), -1, 7};
  check<std::int32_t>(input, [](auto first, auto last) { mgpu::sort(test::policy, first, last); });
}

BOOST_AUTO_TEST_CASE(zeros_and_infinities) {
  // Both zeros compare equal: they keep the order of the input.
  constexpr float infinity = std::numeric_limits<float>::infinity();
  float const special[] = {0.0f,
                           -0.0f,
                           1.0f,
                           -1.0f,
                           std::numeric_limits<float>::denorm_min(),
                           infinity,
                           -infinity,
                           std::numeric_limits<float>::max(),
                           std::numeric_limits<float>::lowest()};
  std::vector<float> input;
  for (std::uint32_t const draw : test::fractions(test::pattern::random, 2000)) input.push_back(special[draw % 9]);
  check<float>(input, [](auto first, auto last) { mgpu::sort(test::tuned(test::small_sort{}), first, last); });
  std::vector<double> const wide(input.begin(), input.end());
  check<double>(wide, [](auto first, auto last) { mgpu::sort(test::tuned(test::small_sort{}), first, last); });
}

BOOST_AUTO_TEST_CASE(comparators) {
  auto const policy = test::tuned(test::small_sort{});
  for (test::pattern const pattern : test::all_patterns) {
    BOOST_TEST_CONTEXT(pattern) {
      auto const input = test::keys<std::int32_t>(pattern, 2222);
      check<std::int32_t>(
          input, [&](auto first, auto last) { mgpu::sort(policy, first, last, by_last_digit{}); }, by_last_digit{});
      check<std::int32_t>(
          input, [&](auto first, auto last) { mgpu::stable_sort(policy, first, last, cuda::std::greater<>{}); },
          std::greater<>{});
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
