// Tuples may be keys, values and what is accumulated.
#include <mgpu/mgpu.h>
#include <support/items.h>
#include <support/tunings.h>
#include <support/device.h>
#include <cuda/std/tuple>
#include <thrust/tuple.h>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

BOOST_AUTO_TEST_SUITE(tuples, *boost::unit_test::precondition(test::can_run{}))

namespace {

using record = thrust::tuple<std::int16_t, std::int32_t, float>;

std::vector<record> records(std::size_t count) {
  std::vector<record> made;
  for (std::size_t i = 0; i < count; ++i) {
    auto const number = static_cast<std::int32_t>(i * 7919 % 1009);
    made.emplace_back(static_cast<std::int16_t>(number % 5 - 2), number % 31 - 15, static_cast<float>(i % 7));
  }
  return made;
}

struct by_second {
  __host__ __device__ bool operator()(record const& a, record const& b) const {
    return cuda::std::get<1>(a) < cuda::std::get<1>(b);
  }
};

// Of two rows it takes the sum, the larger, and the last, by column.
struct join {
  __host__ __device__ record operator()(record const& a, record const& b) const {
    using cuda::std::get;
    return {static_cast<std::int16_t>(get<0>(a) + get<0>(b)), get<1>(a) < get<1>(b) ? get<1>(b) : get<1>(a),
            get<2>(b)};
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(sorts) {
  auto const input = records(1500);
  auto expected = input;
  std::stable_sort(expected.begin(), expected.end());
  test::buffer<record> keys(input);
  mgpu::sort(test::policy, keys.begin(), keys.end());
  BOOST_TEST((keys.get() == expected));

  expected = input;
  std::stable_sort(expected.begin(), expected.end(), by_second());
  keys.set(input);
  test::buffer<record> values(input), out(input.size());
  mgpu::sort_copy(test::tuned(test::small_sort{}), keys.begin(), keys.end(), out.begin(), by_second());
  mgpu::sort_by_key(test::tuned(test::small_sort{}), keys.begin(), keys.end(), values.begin(), by_second());
  BOOST_TEST((out.get() == expected));
  BOOST_TEST((keys.get() == expected));
  BOOST_TEST((values.get() == expected));
}

BOOST_AUTO_TEST_CASE(merges) {
  auto all = records(900);
  std::stable_sort(all.begin(), all.begin() + 400);
  std::stable_sort(all.begin() + 400, all.end());
  test::buffer<record> runs(all), out(all.size());
  mgpu::merge(test::tuned(test::small_merge{}), runs.begin(), runs.begin() + 400, runs.begin() + 400, runs.end(),
              out.begin());
  std::inplace_merge(all.begin(), all.begin() + 400, all.end());
  BOOST_TEST((out.get() == all));
}

BOOST_AUTO_TEST_CASE(scans_and_reductions) {
  auto const input = records(3000);
  auto sums = input;
  for (std::size_t i = 1; i < sums.size(); ++i) sums[i] = join()(sums[i - 1], sums[i]);
  test::buffer<record> items(input), out(input.size());
  mgpu::inclusive_scan(test::policy, items.begin(), items.end(), out.begin(), join());
  BOOST_TEST((out.get() == sums));
  record const init{std::int16_t{0}, -100, 0.f};
  BOOST_TEST((mgpu::reduce(test::policy, items.begin(), items.end(), init, join()) == sums.back()));
}

BOOST_AUTO_TEST_SUITE_END()
