// Scans write to iterators that are no pointers, and totals of every kind.
#include <support/scans.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

BOOST_AUTO_TEST_SUITE(scan_outputs, *boost::unit_test::precondition(test::can_run{}))

namespace {

constexpr std::size_t sizes[] = {0, 1, 191, 192, 193, 2000};

// This is not its own inverse: it must be applied once, to results only.
struct twice_and_one {
  __host__ __device__ std::int64_t operator()(std::uint32_t x) const { return 2 * std::int64_t{x} + 1; }
};

template <class Check>
void with_each_kernel(Check check) {
  for (std::size_t const count : sizes) {
    BOOST_TEST_CONTEXT(count << " items") {
      auto const items = test::make_items<std::uint32_t>(count);
      auto const sums = test::scan_one_by_one<std::uint32_t>(items, {}, cuda::std::plus<>{}).inclusive;
      test::buffer<std::uint32_t> in(items);
      check(test::tuned(test::plain_scan{}), in, sums);
      check(test::tuned(test::pipelined_scan{}), in, sums);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(reverse) {
  with_each_kernel([](auto const& policy, auto& in, auto sums) {
    test::guarded_items<std::uint32_t> out(sums.size());
    auto const end = mgpu::inclusive_scan(policy, in.begin(), in.end(), thrust::make_reverse_iterator(out.end()));
    BOOST_TEST((end == thrust::make_reverse_iterator(out.begin())));
    std::reverse(sums.begin(), sums.end());
    BOOST_TEST(out.holds(sums));
  });
}

BOOST_AUTO_TEST_CASE(transformed) {
  with_each_kernel([](auto const& policy, auto& in, auto const& sums) {
    test::buffer<std::int64_t> out(sums.size());
    mgpu::inclusive_scan(policy, in.begin(), in.end(),
                         thrust::make_transform_output_iterator(out.begin(), twice_and_one{}));
    std::vector<std::int64_t> expected(sums.size());
    std::transform(sums.begin(), sums.end(), expected.begin(), twice_and_one{});
    BOOST_TEST(test::same_bytes(out.get(), expected));
  });
}

BOOST_AUTO_TEST_CASE(permuted) {
  with_each_kernel([](auto const& policy, auto& in, auto const& sums) {
    std::size_t const count = sums.size();
    std::vector<std::uint32_t> places(count);
    for (std::size_t i = 0; i < count; ++i) places[i] = static_cast<std::uint32_t>(i * 977 % count);
    test::buffer<std::uint32_t> map(places);
    test::guarded_items<std::uint32_t> out(count);
    mgpu::inclusive_scan(policy, in.begin(), in.end(), thrust::make_permutation_iterator(out.begin(), map.begin()));
    std::vector<std::uint32_t> expected(count);
    for (std::size_t i = 0; i < count; ++i) expected[places[i]] = sums[i];
    BOOST_TEST(out.holds(expected));
  });
}

// A scan may be made for its total alone.
BOOST_AUTO_TEST_CASE(discarded) {
  with_each_kernel([](auto const& policy, auto& in, auto const& sums) {
    test::guarded_items<std::uint32_t> total(1);
    auto const nowhere = thrust::make_discard_iterator();
    mgpu::exclusive_scan_with_total(policy, in.begin(), in.end(), nowhere, total.begin(), std::uint32_t{0});
    std::vector<std::uint32_t> const expected{sums.empty() ? 0 : sums.back()};
    BOOST_TEST(total.holds(expected));
  });
}

BOOST_AUTO_TEST_CASE(discarded_total) {
  with_each_kernel([](auto const& policy, auto& in, auto const& sums) {
    test::guarded_items<std::uint32_t> out(sums.size());
    mgpu::inclusive_scan_with_total(policy, in.begin(), in.end(), out.begin(), thrust::make_discard_iterator());
    BOOST_TEST(out.holds(sums));
    mgpu::inclusive_scan_with_total(policy, in.begin(), in.end(), out.begin(), thrust::make_discard_iterator(),
                                    std::uint32_t{0}, cuda::std::plus<>{});
    BOOST_TEST(out.holds(sums));
  });
}

BOOST_AUTO_TEST_CASE(converted_total) {
  with_each_kernel([](auto const& policy, auto& in, auto const& sums) {
    test::guarded_items<std::uint32_t> out(sums.size());
    test::guarded_items<std::uint8_t> low_byte(1, 3);
    test::guarded_items<double> number(1);
    test::guarded_items<std::int64_t> odd(1);
    std::uint32_t const init = 1000;
    std::uint32_t const sum = sums.empty() ? init : init + sums.back();
    auto const scan = [&](auto total) {
      mgpu::inclusive_scan_with_total(policy, in.begin(), in.end(), out.begin(), total, init, cuda::std::plus<>{});
    };
    scan(low_byte.begin());
    BOOST_TEST(low_byte.holds({static_cast<std::uint8_t>(sum)}));
    scan(number.begin());
    BOOST_TEST(number.holds({static_cast<double>(sum)}));
    scan(thrust::make_transform_output_iterator(odd.begin(), twice_and_one{}));
    BOOST_TEST(odd.holds({twice_and_one{}(sum)}));
  });
}

// The total may lie behind the last item of the output: n counts give a range of n + 1 offsets.
BOOST_AUTO_TEST_CASE(total_behind_the_output) {
  with_each_kernel([](auto const& policy, auto& in, auto sums) {
    std::size_t const count = sums.size();
    test::guarded_items<std::uint32_t> offsets(count + 1);
    mgpu::exclusive_scan_with_total(policy, in.begin(), in.end(), offsets.begin(), offsets.begin() + count);
    sums.insert(sums.begin(), 0);
    BOOST_TEST(offsets.holds(sums));
  });
}

// Without items there is a total if there is an init.
BOOST_AUTO_TEST_CASE(total_of_none) {
  auto const check = [](auto const& policy) {
    auto const none = thrust::make_counting_iterator(0);
    std::vector<std::int64_t> const untouched{-7};
    test::guarded_items<std::int64_t> total(untouched);
    test::guarded_items<std::int64_t> out(std::vector<std::int64_t>{42});
    mgpu::inclusive_scan_with_total(policy, none, none, out.begin(), total.begin());
    mgpu::inclusive_scan_with_total(policy, none, none, out.begin(), total.begin(), cuda::std::plus<>{});
    mgpu::transform_inclusive_scan_with_total(policy, none, none, out.begin(), total.begin(), cuda::std::negate<>{},
                                              cuda::std::plus<>{});
    BOOST_TEST(total.holds(untouched));
    mgpu::exclusive_scan_with_total(policy, none, none, out.begin(), total.begin());
    BOOST_TEST(total.holds({0}));
    mgpu::exclusive_scan_with_total(policy, none, none, out.begin(), total.begin(), std::int64_t{5});
    BOOST_TEST(total.holds({5}));
    mgpu::inclusive_scan_with_total(policy, none, none, out.begin(), total.begin(), 6, cuda::std::plus<>{});
    BOOST_TEST(total.holds({6}));
    mgpu::transform_inclusive_scan_with_total(policy, none, none, out.begin(), total.begin(), cuda::std::negate<>{},
                                              8, cuda::std::plus<>{});
    BOOST_TEST(total.holds({8}));
    mgpu::transform_exclusive_scan_with_total(policy, none, none, out.begin(), total.begin(), cuda::std::negate<>{},
                                              9, cuda::std::plus<>{});
    BOOST_TEST(total.holds({9}));
    mgpu::exclusive_scan(policy, none, none, out.begin(), 9);
    BOOST_TEST(out.holds({42}));
  };
  check(test::policy);
  check(test::tuned(test::plain_scan{}));
}

BOOST_AUTO_TEST_SUITE_END()
