// Iterators that have no types of their own: std::iterator_traits tell them, of outputs none but void.
#include <mgpu/mgpu.h>
#include <support/items.h>
#include <support/device.h>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <vector>

namespace test {

// What random access takes, over memory.
template <class Derived, class T>
struct over_memory {
  T* it;
  __host__ __device__ T& operator*() const { return *it; }
  __host__ __device__ T& operator[](std::ptrdiff_t i) const { return it[i]; }
  __host__ __device__ Derived& operator++() {
    ++it;
    return static_cast<Derived&>(*this);
  }
  __host__ __device__ Derived operator++(int) {
    Derived const before{{it++}};
    return before;
  }
  __host__ __device__ friend Derived operator+(Derived a, std::ptrdiff_t distance) {
    return Derived{{a.it + distance}};
  }
  __host__ __device__ friend std::ptrdiff_t operator-(Derived a, Derived b) { return a.it - b.it; }
  __host__ __device__ friend bool operator==(Derived a, Derived b) { return a.it == b.it; }
  __host__ __device__ friend bool operator!=(Derived a, Derived b) { return a.it != b.it; }
};
template <class T>
struct bare_iterator : over_memory<bare_iterator<T>, T> {};
template <class T>
struct bare_output : over_memory<bare_output<T>, T> {};

template <class T>
bare_iterator<T> bare(T* it) {
  return {{it}};
}
template <class T>
bare_output<T> output(T* it) {
  return {{it}};
}

}  // namespace test

template <class T>
struct std::iterator_traits<test::bare_iterator<T>> {
  using difference_type = std::ptrdiff_t;
  using value_type = T;
  using pointer = T*;
  using reference = T&;
  using iterator_category = std::random_access_iterator_tag;
};
template <class T>
struct std::iterator_traits<test::bare_output<T>> {
  using difference_type = void;
  using value_type = void;
  using pointer = void;
  using reference = void;
  using iterator_category = std::output_iterator_tag;
};

using test::bare;
using test::output;

BOOST_AUTO_TEST_SUITE(bare_iterators, *boost::unit_test::precondition(test::can_run{}))

constexpr std::size_t count = 3000;

BOOST_AUTO_TEST_CASE(sorts) {
  auto const input = test::keys<std::uint32_t>(test::pattern::few_distinct, count);
  auto const order = test::stable_order<std::uint32_t>(input, std::less<>{});
  auto const sorted = test::permuted(input, order);
  std::vector<std::int64_t> const permutation(order.begin(), order.end());

  test::buffer<std::uint32_t> keys(input);
  auto const numbers = test::numbered<std::int64_t>(count);
  test::buffer<std::int64_t> values(numbers);
  mgpu::sort_by_key(test::policy, bare(keys.begin()), bare(keys.end()), bare(values.begin()));
  BOOST_TEST(test::same_bytes(keys.get(), sorted));
  BOOST_TEST(test::same_bytes(values.get(), test::permuted(numbers, order)));

  test::buffer<std::uint32_t> again(input), out(count);
  test::buffer<std::int64_t> indices(count);
  auto const end = mgpu::sort_copy(test::policy, bare(again.begin()), bare(again.end()), output(out.begin()));
  BOOST_TEST((end == output(out.end())));
  BOOST_TEST(test::same_bytes(out.get(), sorted));
  mgpu::argsort(test::policy, bare(again.begin()), bare(again.end()), output(indices.begin()));
  BOOST_TEST(test::same_bytes(indices.get(), permutation));
  mgpu::sort_with_indices(test::policy, bare(again.begin()), bare(again.end()), output(indices.begin()));
  BOOST_TEST(test::same_bytes(again.get(), sorted));
  BOOST_TEST(test::same_bytes(indices.get(), permutation));

  std::size_t const half = count / 2;
  test::buffer<std::uint32_t> runs(input);
  mgpu::sort(test::policy, bare(runs.begin()), bare(runs.begin() + half));
  mgpu::sort(test::policy, bare(runs.begin() + half), bare(runs.end()));
  mgpu::merge(test::policy, bare(runs.begin()), bare(runs.begin() + half), bare(runs.begin() + half),
              bare(runs.end()), output(out.begin()));
  BOOST_TEST(test::same_bytes(out.get(), sorted));
}

BOOST_AUTO_TEST_CASE(sums) {
  auto const input = test::keys<std::uint32_t>(test::pattern::random, count);
  std::vector<std::uint32_t> expected(count);
  std::partial_sum(input.begin(), input.end(), expected.begin());
  test::buffer<std::uint32_t> items(input), out(count), total(1);
  BOOST_TEST(mgpu::reduce(test::policy, bare(items.begin()), bare(items.end())) == expected.back());
  mgpu::reduce_into(test::policy, bare(items.begin()), bare(items.end()), output(total.begin()));
  BOOST_TEST(total.get()[0] == expected.back());
  mgpu::inclusive_scan_with_total(test::policy, bare(items.begin()), bare(items.end()), output(out.begin()),
                                  output(total.begin()));
  BOOST_TEST(test::same_bytes(out.get(), expected));
  BOOST_TEST(total.get()[0] == expected.back());
}

// The iterators alone say where the call runs: on the host, as Thrust knows nothing else of them.
BOOST_AUTO_TEST_CASE(without_a_policy) {
  auto const input = test::keys<std::uint32_t>(test::pattern::random, count);
  auto items = input;
  mgpu::sort(bare(items.data()), bare(items.data() + count));
  BOOST_TEST(std::is_sorted(items.begin(), items.end()));
  BOOST_TEST(mgpu::reduce(bare(items.data()), bare(items.data() + count)) ==
             std::accumulate(input.begin(), input.end(), 0u));
}

BOOST_AUTO_TEST_SUITE_END()
