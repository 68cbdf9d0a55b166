// Sorts whose order is natural go by digits, for keys and values of many kinds, through the same functions as any
// sort.
#include <support/pairs.h>
#include <support/tunings.h>
#include <backend/radix_sorts.h>
#include <mgpu/radix_key.h>
#include <mgpu/sort.h>
#include <mgpu/sort_copy.h>
#include <cuda/std/tuple>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <cstdint>
#include <functional>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using tuning = test::small_onesweep;
constexpr std::size_t sizes[] = {0, 1, 2, 191, 192, 193, 1000, 1537};

auto policy() { return test::tuned(tuning{}); }

// This key has a field that its order does not look at.
struct reading {
  std::uint32_t id;
  std::int16_t degrees;
  std::uint16_t second;
  __host__ __device__ friend bool operator<(reading const& a, reading const& b) {
    return a.degrees < b.degrees || (a.degrees == b.degrees && a.second < b.second);
  }
  __host__ __device__ friend bool operator>(reading const& a, reading const& b) { return b < a; }
};

// This key is only worth something where it points to.
struct pointer_to_height {
  float const* height;
  __host__ __device__ friend bool operator<(pointer_to_height const& a, pointer_to_height const& b) {
    return *a.height < *b.height;
  }
};

struct complement {
  __host__ __device__ std::uint32_t operator()(std::uint32_t x) const { return ~x; }
};

}  // namespace

template <>
struct mgpu::radix_key<reading> {
  __host__ __device__ static auto of(reading const& r) { return cuda::std::tie(r.degrees, r.second); }
};

template <>
struct mgpu::radix_key<pointer_to_height> {
  __host__ __device__ static float of(pointer_to_height const& p) { return *p.height; }
};

static_assert(mgpu::detail::sort_backend_of<reading, cuda::std::less<>> == mgpu::detail::sort_backend::radix);
static_assert(mgpu::detail::sort_backend_of<std::uint32_t, std::greater<std::uint32_t>> ==
              mgpu::detail::sort_backend::radix);
static_assert(mgpu::detail::sort_backend_of<std::uint32_t, complement> == mgpu::detail::sort_backend::merge);

BOOST_AUTO_TEST_SUITE(radix_sort, *boost::unit_test::precondition(test::can_run{}))

using pair_types = std::tuple<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::uint8_t, std::uint64_t>,
                              std::pair<std::int64_t, test::item<16>>, std::pair<std::int32_t, test::item<200>>>;
BOOST_AUTO_TEST_CASE_TEMPLATE(pairs, Pair, pair_types) {
  using K = typename Pair::first_type;
  using V = typename Pair::second_type;
  for (std::size_t const count : sizes) {
    for (auto const which : {test::pattern::random, test::pattern::few_distinct}) {
      test::check_pairs<K, V>(
          which, count, [](auto first, auto last, auto values) { mgpu::sort_by_key(policy(), first, last, values); },
          std::less<K>());
      test::check_pairs<K, V>(
          which, count,
          [](auto first, auto last, auto values) {
            mgpu::stable_sort_by_key(policy(), first, last, values, cuda::std::greater<>{});
          },
          std::greater<K>());
    }
  }
}

BOOST_AUTO_TEST_CASE(declared_keys) {
  std::vector<reading> readings;
  for (std::uint32_t i = 0; i < 1500; ++i) {
    readings.push_back({i, static_cast<std::int16_t>(i * 7919 % 13 - 6), static_cast<std::uint16_t>(i * 31 % 7)});
  }
  auto const check = [&](auto comp) {
    test::buffer<reading> data(readings);
    mgpu::sort(policy(), data.begin(), data.end(), comp);
    auto expected = readings;
    std::stable_sort(expected.begin(), expected.end(), comp);
    BOOST_TEST(test::same_bytes(data.get(), expected));
  };
  check(std::less<>{});
  check(std::greater<reading>{});
}

// The function of a declared key sees keys of the input alone: in tiles that are not full, too, wherever those come.
BOOST_AUTO_TEST_CASE(declared_keys_that_point) {
  for (std::size_t const count : {3, 191, 193, 1000, 17'001, 33'333}) {
    BOOST_TEST_CONTEXT(count << " items") {
      std::vector<float> heights(count);
      for (std::size_t i = 0; i < count; ++i) heights[i] = static_cast<float>(i * 7919 % count);
      test::buffer<float> memory(heights);
      std::vector<pointer_to_height> keys(count);
      for (std::size_t i = 0; i < count; ++i) keys[i].height = memory.begin() + i;
      std::vector<pointer_to_height> expected(count);
      for (std::size_t i = 0; i < count; ++i) expected[i * 7919 % count] = keys[i];
      auto const check = [&](auto const& how) {
        test::buffer<pointer_to_height> data(keys);
        mgpu::sort(how, data.begin(), data.end());
        BOOST_TEST(test::same_bytes(data.get(), expected));
      };
      check(test::policy);
      check(policy());
      check(test::tuned(test::small_partial_last{}));
    }
  }
}

// By a tuning of the merge sort, too, keys that go by their bits are sorted by these: NaNs and zeros come as ever.
BOOST_AUTO_TEST_CASE(order_of_bits_by_merging) {
  for (std::size_t const count : {100, 1000, 3000}) {
    auto const input = test::radix_keys<float>(count, 1);
    test::buffer<float> data(input);
    mgpu::sort(test::tuned(test::small_sort{}), data.begin(), data.end());
    BOOST_TEST(test::same_bytes(data.get(), test::permuted(input, test::radix_order<false>(input))));
    data.set(input);
    mgpu::sort(test::tuned(test::small_sort{}), data.begin(), data.end(), cuda::std::greater<float>{});
    BOOST_TEST(test::same_bytes(data.get(), test::permuted(input, test::radix_order<true>(input))));
  }
}

// The ranges are no pointers. Some of them can be written, and all read.
BOOST_AUTO_TEST_CASE(fancy_ranges) {
  for (std::size_t const count : sizes) {
    BOOST_TEST_CONTEXT(count << " items") {
      auto const input = test::radix_keys<std::uint32_t>(count, static_cast<std::uint32_t>(count) + 1);
      std::vector<std::uint32_t> numbers(count);
      std::iota(numbers.begin(), numbers.end(), 0u);

      test::buffer<std::uint32_t> backwards(input);
      mgpu::sort(policy(), thrust::make_reverse_iterator(backwards.end()),
                 thrust::make_reverse_iterator(backwards.begin()));
      auto expected = input;
      std::sort(expected.begin(), expected.end(), std::greater<>{});
      BOOST_TEST(test::same_bytes(backwards.get(), expected));

      // Fancy keys are sorted in place with plain values, and plain keys with fancy values.
      auto const order = test::radix_order<false>(input);
      auto const sorted_numbers = test::permuted(numbers, order);
      test::buffer<std::uint32_t> first(input);
      test::buffer<std::uint32_t> second(numbers);
      test::buffer<std::uint32_t> values(numbers);
      auto const rows = thrust::make_zip_iterator(first.begin(), second.begin());
      mgpu::sort_by_key(policy(), rows, rows + count, values.begin());
      BOOST_TEST(test::same_bytes(first.get(), test::permuted(input, order)));
      BOOST_TEST(test::same_bytes(second.get(), sorted_numbers));
      BOOST_TEST(test::same_bytes(values.get(), sorted_numbers));

      test::buffer<std::uint32_t> keys(input);
      test::buffer<std::uint32_t> left(numbers);
      test::buffer<std::uint32_t> right(numbers);
      mgpu::sort_by_key(policy(), keys.begin(), keys.end(), thrust::make_zip_iterator(left.begin(), right.begin()));
      BOOST_TEST(test::same_bytes(left.get(), sorted_numbers));
      BOOST_TEST(test::same_bytes(right.get(), sorted_numbers));

      // Computed keys are sorted to plain memory.
      test::buffer<std::uint32_t> source(input);
      test::buffer<std::uint32_t> out(numbers);
      auto const computed = thrust::make_transform_iterator(source.begin(), complement{});
      mgpu::sort_copy(policy(), computed, computed + count, out.begin());
      std::vector<std::uint32_t> complements;
      for (std::uint32_t const key : input) complements.push_back(~key);
      std::sort(complements.begin(), complements.end());
      BOOST_TEST(test::same_bytes(out.get(), complements));
    }
  }
}

// A query tells exactly what a call needs.
BOOST_AUTO_TEST_CASE(scratch) {
  auto const input = test::radix_keys<std::uint32_t>(1000, 5);
  test::buffer<std::uint32_t> data(input);
  std::size_t bytes = 0;
  mgpu::sort(policy().query_scratch(bytes), data.begin(), data.end());
  BOOST_REQUIRE(bytes > 0u);
  BOOST_TEST(test::same_bytes(data.get(), input));
  test::buffer<unsigned char> memory(bytes);
  BOOST_CHECK_THROW(mgpu::sort(policy().with_scratch(memory.begin(), bytes - 1), data.begin(), data.end()),
                    std::bad_alloc);
  mgpu::sort(policy().with_scratch(memory.begin(), bytes), data.begin(), data.end());
  BOOST_TEST(test::same_bytes(data.get(), test::permuted(input, test::radix_order<false>(input))));
}

// The shipped tuning sorts counts on both sides of what is left to merging.
BOOST_AUTO_TEST_CASE(usual_tuning) {
  for (std::size_t const count : {1000, 16384, 16385, 40000}) {
    auto const input = test::radix_keys<float>(count, 1);  // NaNs among them
    test::buffer<float> data(input);
    mgpu::sort(test::policy, data.begin(), data.end());
    BOOST_TEST(test::same_bytes(data.get(), test::permuted(input, test::radix_order<false>(input))));
  }
}

BOOST_AUTO_TEST_SUITE_END()
