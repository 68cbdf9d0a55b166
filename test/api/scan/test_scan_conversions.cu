// A scan accumulates in the type of the init, or of the input, or what the unary function returns. Each item becomes
// that first, and each result becomes the output's type last.
#include <mgpu/reduce.h>
#include <support/scans.h>
#include <thrust/iterator/counting_iterator.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace test {
// This tells how it is given its item.
struct is_const {
  __host__ __device__ long operator()(int const&) const { return 1; }
  __host__ __device__ long operator()(int&) const { return 0; }
};
}  // namespace test

BOOST_AUTO_TEST_SUITE(scan_conversions, *boost::unit_test::precondition(test::can_run{}))

namespace {

constexpr std::size_t sizes[] = {1, 100, 192, 193, 3000};

// This can only add longs, and says so to the compiler.
struct add_longs {
  __host__ __device__ long operator()(long const& a, long const& b) const { return a + b; }
  template <class A, class B>
  __host__ __device__ long operator()(A, B) const = delete;
};

struct to_long {
  __host__ __device__ long operator()(std::uint8_t x) const { return long{x} << 40; }
};
struct halved {
  __host__ __device__ double operator()(int x) const { return x / 2.0; }
};

// A meters is made of a number on purpose only.
struct meters {
  double value;
  meters() = default;
  __host__ __device__ explicit meters(int number) : value(number) {}
  __host__ __device__ friend meters operator+(meters a, meters b) {
    a.value += b.value;
    return a;
  }
};

template <class Check>
void with_each_kernel(Check check) {
  for (std::size_t const count : sizes) {
    BOOST_TEST_CONTEXT(count << " items") {
      check(test::tuned(test::plain_scan{}), count);
      check(test::tuned(test::pipelined_scan{}), count);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(bytes_to_int_and_long) {
  with_each_kernel([](auto const& policy, std::size_t count) {
    std::vector<std::uint8_t> const items(count, 200);
    test::buffer<std::uint8_t> in(items, 1);
    test::guarded_items<int> ints(count);
    test::guarded_items<long> longs(count, 1);
    test::guarded_items<long> total(1);
    mgpu::exclusive_scan(policy, in.begin(), in.end(), ints.begin(), 5);
    BOOST_TEST(ints.holds(test::scan_one_by_one<int>(items, std::optional<int>(5), cuda::std::plus<>{}).exclusive));
    long const init = 1L << 40;
    auto const expected = test::scan_one_by_one<long>(items, std::optional<long>(init), add_longs{});
    mgpu::inclusive_scan(policy, in.begin(), in.end(), longs.begin(), init, add_longs{});
    BOOST_TEST(longs.holds(expected.inclusive));
    mgpu::exclusive_scan_with_total(policy, in.begin(), in.end(), longs.begin(), total.begin(), init, add_longs{});
    BOOST_TEST(longs.holds(expected.exclusive));
    BOOST_TEST(total.holds({*expected.total}));
  });
}

// Without an init a scan accumulates in the input's type, however wide the output: the sum wraps.
BOOST_AUTO_TEST_CASE(bytes_stay_bytes) {
  with_each_kernel([](auto const& policy, std::size_t count) {
    std::vector<std::uint8_t> const items(count, 200);
    test::buffer<std::uint8_t> in(items);
    test::guarded_items<int> out(count);
    test::guarded_items<int> total(1);
    std::vector<int> expected(count);
    for (std::size_t i = 0; i < count; ++i) expected[i] = static_cast<std::uint8_t>((i + 1) * 200);
    mgpu::inclusive_scan_with_total(policy, in.begin(), in.end(), out.begin(), total.begin());
    BOOST_TEST(out.holds(expected));
    BOOST_TEST(total.holds({expected.back()}));
    expected.insert(expected.begin(), 0);
    expected.pop_back();
    mgpu::exclusive_scan(policy, in.begin(), in.end(), out.begin());
    BOOST_TEST(out.holds(expected));
  });
}

// A sum is accumulated in double, and only then made a float or an int.
BOOST_AUTO_TEST_CASE(narrower_output) {
  with_each_kernel([](auto const& policy, std::size_t count) {
    std::vector<int> const items(count, 1);
    test::buffer<int> in(items);
    test::guarded_items<int> out(count);
    std::vector<int> expected(count);
    for (std::size_t i = 0; i < count; ++i) expected[i] = static_cast<int>(0.75 + static_cast<double>(i + 1));
    mgpu::inclusive_scan(policy, in.begin(), in.end(), out.begin(), 0.75, cuda::std::plus<>{});
    BOOST_TEST(out.holds(expected));
  });
}

// Each item becomes T before the operator sees it: 1.9 is 1 to an int.
BOOST_AUTO_TEST_CASE(items_before_the_operator) {
  with_each_kernel([](auto const& policy, std::size_t count) {
    test::buffer<double> in(std::vector<double>(count, 1.9));
    test::guarded_items<double> out(count);
    std::vector<double> expected(count);
    for (std::size_t i = 0; i < count; ++i) expected[i] = static_cast<double>(i);
    mgpu::exclusive_scan(policy, in.begin(), in.end(), out.begin(), 0);
    BOOST_TEST(out.holds(expected));
  });
}

BOOST_AUTO_TEST_CASE(of_the_unary_function) {
  with_each_kernel([](auto const& policy, std::size_t count) {
    std::vector<std::uint8_t> const items(count, 200);
    test::buffer<std::uint8_t> in(items);
    test::guarded_items<long> out(count);
    std::vector<long> expected(count);
    for (std::size_t i = 0; i < count; ++i) expected[i] = (static_cast<long>(i + 1) * 200) << 40;
    mgpu::transform_inclusive_scan(policy, in.begin(), in.end(), out.begin(), to_long{}, add_longs{});
    BOOST_TEST(out.holds(expected));
    // The type is that of the init, where there is one: each item is cut to an int.
    test::buffer<int> odd(std::vector<int>(count, 5));
    for (std::size_t i = 0; i < count; ++i) expected[i] = 100 + static_cast<long>(i) * 2;
    mgpu::transform_exclusive_scan(policy, odd.begin(), odd.end(), out.begin(), halved{}, 100, cuda::std::plus<>{});
    BOOST_TEST(out.holds(expected));
    for (std::size_t i = 0; i < count; ++i) expected[i] += 2;
    mgpu::transform_inclusive_scan(policy, odd.begin(), odd.end(), out.begin(), halved{}, 100L, add_longs{});
    BOOST_TEST(out.holds(expected));
  });
}

// The function gets const items also where the items could be changed.
BOOST_AUTO_TEST_CASE(of_const_items) {
  with_each_kernel([](auto const& policy, std::size_t count) {
    test::buffer<int> in(std::vector<int>(count, 5));
    test::guarded_items<long> out(count);
    std::vector<long> expected(count);
    for (std::size_t i = 0; i < count; ++i) expected[i] = static_cast<long>(i + 1);
    mgpu::transform_inclusive_scan(policy, in.begin(), in.end(), out.begin(), test::is_const{}, cuda::std::plus<>{});
    BOOST_TEST(out.holds(expected));
    BOOST_TEST(mgpu::transform_reduce(test::policy, in.begin(), in.end(), test::is_const{}, 0L,
                                      cuda::std::plus<>{}) == expected.back());
  });
}

BOOST_AUTO_TEST_CASE(explicit_conversions) {
  with_each_kernel([](auto const& policy, std::size_t count) {
    test::buffer<int> in(std::vector<int>(count, 3));
    test::guarded_items<meters> out(count);
    std::vector<meters> expected;
    for (std::size_t i = 0; i < count; ++i) expected.emplace_back(static_cast<int>(3 * i + 7));
    mgpu::exclusive_scan(policy, in.begin(), in.end(), out.begin(), meters(7));
    BOOST_TEST(out.holds(expected));
  });
}

// The output is the input, whose type is not T.
BOOST_AUTO_TEST_CASE(in_place_by_another_type) {
  with_each_kernel([](auto const& policy, std::size_t count) {
    test::guarded_items<std::uint8_t> data(std::vector<std::uint8_t>(count, 200), 1);
    std::vector<std::uint8_t> expected(count);
    for (std::size_t i = 0; i < count; ++i) expected[i] = static_cast<std::uint8_t>(1000 + i * 200);
    mgpu::exclusive_scan(policy, data.begin(), data.end(), data.begin(), 1000);
    BOOST_TEST(data.holds(expected));
  });
}

// The input is read-only memory, which is what a const pointer stands for.
BOOST_AUTO_TEST_CASE(constant_input) {
  with_each_kernel([](auto const& policy, std::size_t count) {
    auto const items = test::make_items<std::uint32_t>(count);
    test::buffer<std::uint32_t> in(items);
    test::guarded_items<std::uint32_t> out(count);
    std::uint32_t const* const first = in.begin();
    mgpu::inclusive_scan(policy, first, first + count, out.begin());
    BOOST_TEST(out.holds(test::scan_one_by_one<std::uint32_t>(items, {}, cuda::std::plus<>{}).inclusive));
  });
}

BOOST_AUTO_TEST_SUITE_END()
