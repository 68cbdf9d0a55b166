// Scans read what is in no memory, or not in this order: computed and rearranging iterators.
#include <support/scans.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <boost/test/unit_test.hpp>
#include <thrust/tuple.h>
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

BOOST_AUTO_TEST_SUITE(scan_inputs, *boost::unit_test::precondition(test::can_run{}))

namespace {

constexpr std::size_t sizes[] = {0, 1, 191, 192, 193, 2000};

struct square {
  __host__ __device__ std::uint64_t operator()(std::int32_t x) const { return static_cast<std::uint64_t>(x) * x; }
};

using row = thrust::tuple<std::uint8_t, std::uint32_t>;
struct add_rows {
  __host__ __device__ row operator()(row const& a, row const& b) const {
    return row(static_cast<std::uint8_t>(thrust::get<0>(a) + thrust::get<0>(b)),
               thrust::get<1>(a) + thrust::get<1>(b));
  }
};

// Scans from `first` on, with both kernels, and compares with the scan of `items`, which are what is read there.
template <class T, class Input, class Op>
void check_input(Input first, std::vector<T> const& items, Op op) {
  std::size_t const count = items.size();
  auto const plain = test::scan_one_by_one<T>(items, std::optional<T>(), op);
  auto const after = test::scan_one_by_one<T>(items, std::optional<T>(T{3}), op);
  auto const check = [&](auto const& policy) {
    BOOST_TEST_CONTEXT(count << " items") {
      test::guarded_items<T> out(count);
      test::guarded_items<T> total(std::vector<T>{T{3}});
      BOOST_TEST((mgpu::inclusive_scan(policy, first, first + count, out.begin(), op) == out.end()));
      BOOST_TEST(out.holds(plain.inclusive));
      mgpu::exclusive_scan_with_total(policy, first, first + count, out.begin(), total.begin(), T{3}, op);
      BOOST_TEST(out.holds(after.exclusive));
      BOOST_TEST(total.holds({*after.total}));
    }
  };
  check(test::tuned(test::plain_scan{}));
  check(test::tuned(test::pipelined_scan{}));
}

}  // namespace

BOOST_AUTO_TEST_CASE(counting) {
  for (std::size_t const count : sizes) {
    std::vector<std::uint64_t> numbers(count);
    for (std::size_t i = 0; i < count; ++i) numbers[i] = (std::uint64_t{1} << 40) + i;
    check_input(thrust::make_counting_iterator(std::uint64_t{1} << 40), numbers, cuda::std::plus<>{});
  }
}

BOOST_AUTO_TEST_CASE(constant) {
  for (std::size_t const count : sizes) {
    check_input(thrust::make_constant_iterator(7), std::vector<std::int32_t>(count, 7), cuda::std::plus<>{});
  }
}

BOOST_AUTO_TEST_CASE(transform) {
  for (std::size_t const count : sizes) {
    auto const items = test::make_items<std::int32_t>(count);
    test::buffer<std::int32_t> in(items);
    std::vector<std::uint64_t> squares(count);
    std::transform(items.begin(), items.end(), squares.begin(), square{});
    check_input(thrust::make_transform_iterator(in.begin(), square{}), squares, cuda::std::plus<>{});
  }
}

BOOST_AUTO_TEST_CASE(permutation) {
  for (std::size_t const count : sizes) {
    auto const items = test::make_items<std::int32_t>(count);
    std::vector<std::uint32_t> places(count);
    for (std::size_t i = 0; i < count; ++i) places[i] = static_cast<std::uint32_t>(i * 977 % count);
    std::vector<std::int32_t> permuted(count);
    for (std::size_t i = 0; i < count; ++i) permuted[i] = items[places[i]];
    test::buffer<std::int32_t> in(items);
    test::buffer<std::uint32_t> map(places);
    check_input(thrust::make_permutation_iterator(in.begin(), map.begin()), permuted, cuda::std::plus<>{});
  }
}

BOOST_AUTO_TEST_CASE(reverse) {
  for (std::size_t const count : sizes) {
    auto items = test::make_items<test::matrix<2>>(count);
    test::buffer<test::matrix<2>> in(items);
    std::reverse(items.begin(), items.end());
    auto const expected = test::scan_one_by_one<test::matrix<2>>(items, {}, test::multiply{});
    test::guarded_items<test::matrix<2>> out(count);
    auto const policy = test::tuned(test::pipelined_scan{});
    mgpu::inclusive_scan(policy, thrust::make_reverse_iterator(in.end()), thrust::make_reverse_iterator(in.begin()),
                         out.begin(), test::multiply{});
    BOOST_TEST(out.holds(expected.inclusive));
  }
}

// A scan from the back to the front, onto itself, gives the suffix sums.
BOOST_AUTO_TEST_CASE(reverse_in_place) {
  for (std::size_t const count : sizes) {
    auto items = test::make_items<std::uint32_t>(count);
    auto const check = [&](auto const& policy) {
      test::guarded_items<std::uint32_t> data(items);
      auto const first = thrust::make_reverse_iterator(data.end());
      BOOST_TEST((mgpu::inclusive_scan(policy, first, first + count, first) == first + count));
      std::vector<std::uint32_t> expected(items.rbegin(), items.rend());
      expected = test::scan_one_by_one<std::uint32_t>(expected, {}, cuda::std::plus<>{}).inclusive;
      std::reverse(expected.begin(), expected.end());
      BOOST_TEST(data.holds(expected));
    };
    check(test::tuned(test::plain_scan{}));
    check(test::tuned(test::pipelined_scan{}));
  }
}

// Rows of two columns go from two ranges to two others, and onto themselves.
BOOST_AUTO_TEST_CASE(zip) {
  for (std::size_t const count : sizes) {
    auto const left = test::make_items<std::uint8_t>(count);
    auto const right = test::make_items<std::uint32_t>(count, 5);
    auto const left_sums = test::scan_one_by_one<std::uint8_t>(left, {}, cuda::std::plus<std::uint8_t>{}).inclusive;
    auto const right_sums = test::scan_one_by_one<std::uint32_t>(right, {}, cuda::std::plus<>{}).inclusive;
    auto const check = [&](auto const& policy) {
      test::buffer<std::uint8_t> a(left);
      test::buffer<std::uint32_t> b(right);
      test::buffer<std::uint8_t> a_out(count);
      test::buffer<std::uint32_t> b_out(count);
      auto const rows = thrust::make_zip_iterator(a.begin(), b.begin());
      auto const out = thrust::make_zip_iterator(a_out.begin(), b_out.begin());
      BOOST_TEST((mgpu::inclusive_scan(policy, rows, rows + count, out, add_rows{}) == out + count));
      BOOST_TEST(test::same_bytes(a_out.get(), left_sums));
      BOOST_TEST(test::same_bytes(b_out.get(), right_sums));
      BOOST_TEST(test::same_bytes(a.get(), left));
      mgpu::inclusive_scan(policy, rows, rows + count, rows, add_rows{});
      BOOST_TEST(test::same_bytes(a.get(), left_sums));
      BOOST_TEST(test::same_bytes(b.get(), right_sums));
    };
    check(test::tuned(test::plain_scan{}));
    check(test::tuned(test::pipelined_scan{}));
  }
}

BOOST_AUTO_TEST_SUITE_END()
