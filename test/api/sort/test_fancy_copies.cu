// The copying sorts read and write iterators that are no pointers: counting, constant, transform and zip inputs; zip,
// reverse, transforming and discarding outputs.
#include <mgpu/sort.h>
#include <mgpu/sort_copy.h>
#include <support/items.h>
#include <support/tunings.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/pair.h>
#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

BOOST_AUTO_TEST_SUITE(fancy_copies, *boost::unit_test::precondition(test::can_run{}))

namespace {

constexpr std::size_t sizes[] = {0, 1, 2, 319, 320, 321, 1601, 3000};

// Maps 0, 1, 2, ... to few values, in no order.
struct scramble {
  __host__ __device__ std::int32_t operator()(std::uint32_t i) const {
    return static_cast<std::int32_t>(i * 2654435761u >> 24) - 128;
  }
};
auto scrambled() {
  return thrust::make_transform_iterator(thrust::make_counting_iterator(std::uint32_t{0}), scramble{});
}
std::vector<std::int32_t> scrambled(std::size_t count) {
  std::vector<std::int32_t> made(count);
  for (std::size_t i = 0; i < count; ++i) made[i] = scramble{}(static_cast<std::uint32_t>(i));
  return made;
}

// This is not its own inverse, nor idempotent: it must be applied to the results and only once.
struct twice_and_one {
  __host__ __device__ std::int64_t operator()(std::int32_t x) const { return 2 * std::int64_t{x} + 1; }
};

template <class T>
struct less_by_last_digit {
  __host__ __device__ bool operator()(T a, T b) const { return a % 10 < b % 10; }
};

}  // namespace

BOOST_AUTO_TEST_CASE(counting_and_constant_inputs) {
  auto const policy = test::tuned(test::small_sort{});
  for (std::size_t const count : sizes) {
    BOOST_TEST_CONTEXT(count << " items") {
      auto const numbers = thrust::make_counting_iterator(std::int32_t{5});
      test::buffer<std::int32_t> keys(count);
      test::buffer<std::uint16_t> values(count);
      auto const ends =
          mgpu::sort_by_key_copy(policy, numbers, numbers + count, thrust::make_constant_iterator(std::uint16_t{77}),
                                 keys.begin(), values.begin(), less_by_last_digit<std::int32_t>{});
      BOOST_TEST(ends.first == keys.end());
      BOOST_TEST(ends.second == values.end());
      std::vector<std::int32_t> expected(count);
      for (std::size_t i = 0; i < count; ++i) expected[i] = static_cast<std::int32_t>(5 + i);
      std::stable_sort(expected.begin(), expected.end(), less_by_last_digit<std::int32_t>{});
      BOOST_TEST(test::same_bytes(keys.get(), expected));
      BOOST_TEST(test::same_bytes(values.get(), std::vector<std::uint16_t>(count, 77)));
    }
  }
}

BOOST_AUTO_TEST_CASE(transformed_input_to_reverse_output) {
  auto const policy = test::tuned(test::small_sort{});
  for (std::size_t const count : sizes) {
    BOOST_TEST_CONTEXT(count << " items") {
      test::buffer<std::int32_t> out(count);
      auto const end =
          mgpu::sort_copy(policy, scrambled(), scrambled() + count, thrust::make_reverse_iterator(out.end()));
      BOOST_TEST((end == thrust::make_reverse_iterator(out.begin())));
      auto expected = scrambled(count);
      std::stable_sort(expected.begin(), expected.end());
      std::reverse(expected.begin(), expected.end());
      BOOST_TEST(test::same_bytes(out.get(), expected));
    }
  }
}

BOOST_AUTO_TEST_CASE(zip_to_zip) {
  auto const policy = test::tuned(test::small_sort{});
  for (std::size_t const count : sizes) {
    BOOST_TEST_CONTEXT(count << " items") {
      auto const bytes_input = test::keys<std::uint8_t>(test::pattern::few_distinct, count);
      auto const numbers_input = test::keys<std::uint32_t>(test::pattern::reversed, count);
      test::buffer<std::uint8_t> bytes(bytes_input);
      test::buffer<std::uint32_t> numbers(numbers_input);
      test::buffer<std::uint8_t> bytes_out(count);
      test::buffer<std::uint32_t> numbers_out(count);
      std::uint8_t const* const bytes_first = bytes.begin();
      auto const rows = thrust::make_zip_iterator(bytes_first, numbers.begin());
      auto const out = thrust::make_zip_iterator(bytes_out.begin(), numbers_out.begin());
      BOOST_TEST((mgpu::sort_copy(policy, rows, rows + count, out) == out + count));

      std::vector<std::pair<std::uint8_t, std::uint32_t>> expected(count);
      for (std::size_t i = 0; i < count; ++i) expected[i] = {bytes_input[i], numbers_input[i]};
      std::stable_sort(expected.begin(), expected.end());
      std::vector<std::uint8_t> expected_bytes;
      std::vector<std::uint32_t> expected_numbers;
      for (auto const& [byte, number] : expected) {
        expected_bytes.push_back(byte);
        expected_numbers.push_back(number);
      }
      BOOST_TEST(test::same_bytes(bytes_out.get(), expected_bytes));
      BOOST_TEST(test::same_bytes(numbers_out.get(), expected_numbers));
      BOOST_TEST(test::same_bytes(bytes.get(), bytes_input));
      BOOST_TEST(test::same_bytes(numbers.get(), numbers_input));
    }
  }
}

BOOST_AUTO_TEST_CASE(transformed_output) {
  auto const policy = test::tuned(test::small_sort{});
  for (std::size_t const count : sizes) {
    BOOST_TEST_CONTEXT(count << " items") {
      auto const input = test::keys<std::int32_t>(test::pattern::random, count);
      test::buffer<std::int32_t> keys(input);
      test::buffer<std::int64_t> out(count);
      mgpu::sort_copy(policy, keys.begin(), keys.end(),
                      thrust::make_transform_output_iterator(out.begin(), twice_and_one{}));
      auto sorted = input;
      std::stable_sort(sorted.begin(), sorted.end());
      std::vector<std::int64_t> expected(count);
      std::transform(sorted.begin(), sorted.end(), expected.begin(), twice_and_one{});
      BOOST_TEST(test::same_bytes(out.get(), expected));
      BOOST_TEST(test::same_bytes(keys.get(), input));
    }
  }
}

BOOST_AUTO_TEST_CASE(discarded_keys) {
  auto const policy = test::tuned(test::small_sort{});
  for (std::size_t const count : sizes) {
    BOOST_TEST_CONTEXT(count << " items") {
      auto const input = test::keys<std::int32_t>(test::pattern::few_distinct, count);
      auto const value_input = test::numbered<std::uint32_t>(count);
      test::buffer<std::int32_t> keys(input);
      test::buffer<std::uint32_t> values(value_input);
      test::buffer<std::uint32_t> out(count);
      mgpu::sort_by_key_copy(policy, keys.begin(), keys.end(), values.begin(), thrust::make_discard_iterator(),
                             out.begin());
      auto const order = test::stable_order<std::int32_t>(input, std::less<>{});
      BOOST_TEST(test::same_bytes(out.get(), test::permuted(value_input, order)));
    }
  }
}

BOOST_AUTO_TEST_CASE(argsort_of_transformed_keys) {
  auto const policy = test::tuned(test::small_sort{});
  for (std::size_t const count : sizes) {
    BOOST_TEST_CONTEXT(count << " items") {
      test::buffer<std::uint32_t> indices(count);
      BOOST_TEST(mgpu::argsort(policy, scrambled(), scrambled() + count, indices.begin()) == indices.end());
      auto const order = test::stable_order<std::int32_t>(scrambled(count), std::less<>{});
      BOOST_TEST(test::same_bytes(indices.get(), std::vector<std::uint32_t>(order.begin(), order.end())));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
