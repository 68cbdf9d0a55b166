// The iterators that the library itself needs do in kernels what they must.
#include <mgpu/detail/core/index_iterators.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/simt/simt.cuh>
#include <support/device.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace {

template <class In, class Out>
__global__ void copy_kernel(In in, Out out, std::int64_t const* places) {
  unsigned const i = mgpu::detail::simt::thread_rank();
  mgpu::detail::iterator_value_t<In> const value = *(in + places[i]);
  *(out + static_cast<std::int64_t>(i)) = value;
}

template <class T>
std::vector<T> count_from(T first, std::vector<std::int64_t> const& places) {
  test::buffer<std::int64_t> in(places);
  test::buffer<T> out(places.size());
  using counting = mgpu::detail::counting_iterator<T>;
  test::run_kernel(copy_kernel<counting, T*>, 1, static_cast<unsigned>(places.size()), 0, counting{first},
                   out.begin(), in.begin());
  return out.get();
}

// What is read from no_values is nothing.
__global__ void no_values_kernel(mgpu::detail::no_values in, int* out) {
  mgpu::detail::no_value const nothing = *(in + (std::int64_t{1} << 40));
  *out = static_cast<int>(nothing);
}

struct with_value_type {
  using value_type = short;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(iterators, *boost::unit_test::precondition(test::can_run{}))

BOOST_AUTO_TEST_CASE(counting) {
  BOOST_TEST(count_from<std::uint32_t>(0, {0, 1, 2, 1000}) == (std::vector<std::uint32_t>{0, 1, 2, 1000}),
             boost::test_tools::per_element());
  BOOST_TEST(count_from<std::uint32_t>(10, {0xFFFFFFF0}) == (std::vector<std::uint32_t>{0xFFFFFFFA}),
             boost::test_tools::per_element());
  BOOST_TEST(count_from<std::int64_t>(-5, {0, 4, std::int64_t{1} << 40}) ==
                 (std::vector<std::int64_t>{-5, -1, (std::int64_t{1} << 40) - 5}),
             boost::test_tools::per_element());
  BOOST_TEST(count_from<std::uint64_t>(std::uint64_t{1} << 63, {1}) ==
                 (std::vector<std::uint64_t>{(std::uint64_t{1} << 63) + 1}),
             boost::test_tools::per_element());
  BOOST_TEST(count_from<std::uint8_t>(3, {0, 252}) == (std::vector<std::uint8_t>{3, 255}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(discard) {
  test::buffer<int> items(std::vector<int>{1, 2, 3});
  test::buffer<std::int64_t> places(std::vector<std::int64_t>{0, 1, 2});
  using discard = mgpu::detail::discard_iterator<int>;
  test::run_kernel(copy_kernel<int*, discard>, 1, 3, 0, items.begin(), discard{}, places.begin());
  BOOST_TEST(items.get() == (std::vector<int>{1, 2, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(no_values) {
  test::buffer<int> out(std::vector<int>{7});
  test::run_kernel(no_values_kernel, 1, 1, 0, mgpu::detail::no_values{}, out.begin());
  BOOST_TEST(out.get()[0] == 0);
}

BOOST_AUTO_TEST_SUITE_END()

// These cases need no device; what they say holds, or does not compile.
BOOST_AUTO_TEST_SUITE(iterator_traits)

BOOST_AUTO_TEST_CASE(value_types) {
  using mgpu::detail::iterator_value_t;
  BOOST_TEST((std::is_same_v<iterator_value_t<int*>, int>));
  BOOST_TEST((std::is_same_v<iterator_value_t<int const*>, int>));
  BOOST_TEST((std::is_same_v<iterator_value_t<int volatile*>, int>));
  BOOST_TEST((std::is_same_v<iterator_value_t<with_value_type>, short>));
  BOOST_TEST((std::is_same_v<iterator_value_t<mgpu::detail::no_values>, mgpu::detail::no_value>));
}

BOOST_AUTO_TEST_CASE(kinds) {
  BOOST_TEST(mgpu::detail::has_values<int>);
  BOOST_TEST(!mgpu::detail::has_values<mgpu::detail::no_value>);
  BOOST_TEST(mgpu::detail::is_discard<mgpu::detail::discard_iterator<int>>);
  BOOST_TEST(!mgpu::detail::is_discard<int*>);
  BOOST_TEST(std::is_empty_v<mgpu::detail::no_value>);
}

BOOST_AUTO_TEST_SUITE_END()
