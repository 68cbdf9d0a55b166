// Iterators may have no types of their own: std::iterator_traits tell them, of outputs none but void.
#include <support/calls.h>
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

// Has what random access takes, over memory.
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

struct behind_bare_iterators : test::items_of<std::uint32_t, std::int64_t> {
  template <class T>
  static auto input(T* it) {
    return bare(it);
  }
  template <class T>
  static auto output(T* it) {
    return test::output(it);
  }
};

BOOST_AUTO_TEST_CASE_TEMPLATE(every_function, Function, test::functions) {
  test::call<Function, behind_bare_iterators> call(count, 2);
  call.run(test::policy);
  BOOST_TEST(call.done());
}

// The init is of the items' type, as nothing else says what to accumulate in.
BOOST_AUTO_TEST_CASE(sums_without_init) {
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
