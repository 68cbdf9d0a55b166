// Reductions read ranges that are no plain memory, and transformed items, and write to outputs that are no pointers.
#include <support/reductions.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>
#include <thrust/zip_function.h>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cstdint>
#include <vector>

BOOST_AUTO_TEST_SUITE(reduce_iterators, *boost::unit_test::precondition(test::can_run{}))

namespace {

constexpr std::size_t sizes[] = {0, 1, 2, 31, 33, 127, 128, 129, 1000, 4001};
auto policy() { return test::tuned(test::small_reduce{}); }

// Checks all functions by `compose64` on what to_affine makes of the items.
template <class Iterator, class T>
void check(Iterator first, std::vector<T> const& items) {
  test::affine64 const expected = test::expected_affine(items);
  auto const last = first + static_cast<std::ptrdiff_t>(items.size());
  test::affine64 const init{1, 99};
  BOOST_TEST((mgpu::transform_reduce(policy(), first, last, test::to_affine{}, init, test::compose64{}) == expected));
  auto const affines = thrust::make_transform_iterator(first, test::to_affine{});
  BOOST_TEST((mgpu::reduce(policy(), affines, affines + (last - first), init, test::compose64{}) == expected));
  test::result_place<test::affine64> place;
  mgpu::reduce_into(policy(), affines, affines + (last - first), place.get(), init, test::compose64{});
  BOOST_TEST((place.read() == expected));
}

struct scramble {
  __host__ __device__ std::uint32_t operator()(std::uint32_t i) const { return i * 2654435761u >> 7; }
};
struct twice_and_one {
  __host__ __device__ std::int64_t operator()(std::int64_t x) const { return 2 * x + 1; }
};

struct row_to_affine {
  __host__ __device__ test::affine64 operator()(thrust::tuple<std::uint32_t, std::uint64_t> const& row) const {
    return {thrust::get<0>(row) | 1u, thrust::get<1>(row)};
  }
};

struct product {
  template <class A, class B>
  __host__ __device__ std::uint64_t operator()(A a, B b) const {
    return std::uint64_t{a} * std::uint64_t{b};
  }
};
struct join_tuples {
  using row = thrust::tuple<std::uint32_t, std::uint64_t>;
  __host__ __device__ row operator()(row const& a, row const& b) const {
    return {thrust::get<0>(a) ^ thrust::get<0>(b), thrust::get<1>(a) + thrust::get<1>(b)};
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(computed) {
  for (std::size_t const count : sizes) {
    BOOST_TEST_CONTEXT(count << " items") {
      std::vector<std::uint32_t> numbers(count), scrambled(count);
      for (std::uint32_t i = 0; i < count; ++i) numbers[i] = i + 7;
      std::transform(numbers.begin(), numbers.end(), scrambled.begin(), scramble{});
      auto const first = thrust::make_counting_iterator(std::uint32_t{7});
      check(first, numbers);
      check(thrust::make_transform_iterator(first, scramble{}), scrambled);
      check(thrust::make_constant_iterator(std::uint16_t{5}), std::vector<std::uint16_t>(count, 5));
      BOOST_TEST(mgpu::reduce(policy(), first, first + static_cast<std::int32_t>(count), std::uint64_t{0}) ==
                 test::expected_reduction(numbers, std::uint64_t{0}, cuda::std::plus<>{}));
    }
  }
}

BOOST_AUTO_TEST_CASE(over_memory) {
  for (std::size_t const count : sizes) {
    BOOST_TEST_CONTEXT(count << " items") {
      auto const input = test::drawn<std::uint8_t>(count);
      test::buffer<std::uint8_t> items(input, 3);
      check(items.begin(), input);
      check(static_cast<std::uint8_t const*>(items.begin()), input);

      std::vector<std::uint8_t> const backwards(input.rbegin(), input.rend());
      check(thrust::make_reverse_iterator(items.end()), backwards);

      std::vector<std::uint32_t> places(count);
      std::vector<std::uint8_t> permuted(count);
      for (std::uint32_t i = 0; i < count; ++i) {
        places[i] = (i * 7u + 3u) % static_cast<std::uint32_t>(count);
        permuted[i] = input[places[i]];
      }
      test::buffer<std::uint32_t> map(places);
      check(thrust::make_permutation_iterator(items.begin(), map.begin()), permuted);
    }
  }
}

BOOST_AUTO_TEST_CASE(rows_of_a_zip) {
  for (std::size_t const count : sizes) {
    BOOST_TEST_CONTEXT(count << " rows") {
      auto const a = test::drawn<std::uint32_t>(count);
      auto const b = test::drawn<std::uint64_t>(count, 2);
      test::buffer<std::uint32_t> a_items(a);
      test::buffer<std::uint64_t> b_items(b);
      auto const rows = thrust::make_zip_iterator(a_items.begin(), b_items.begin());
      auto const end = rows + static_cast<std::ptrdiff_t>(count);
      std::uint64_t dot = 1, sum = 2;
      std::uint32_t parity = 0;
      test::affine64 map{1, 99};
      for (std::size_t i = 0; i < count; ++i) {
        dot += a[i] * b[i];
        sum += b[i];
        parity ^= a[i];
        map = test::compose64{}(map, row_to_affine{}({a[i], b[i]}));
      }
      BOOST_TEST(mgpu::transform_reduce(policy(), rows, end, thrust::make_zip_function(product{}), std::uint64_t{1},
                                        cuda::std::plus<>{}) == dot);
      join_tuples::row const joined = mgpu::reduce(policy(), rows, end, join_tuples::row{0u, 2u}, join_tuples{});
      BOOST_TEST(thrust::get<0>(joined) == parity);
      BOOST_TEST(thrust::get<1>(joined) == sum);
      BOOST_TEST((mgpu::transform_reduce(policy(), rows, end, row_to_affine{}, test::affine64{1, 99},
                                         test::compose64{}) == map));
    }
  }
}

BOOST_AUTO_TEST_CASE(outputs) {
  auto const input = test::drawn<std::int32_t>(3000);
  std::int64_t const sum = test::expected_reduction(input, std::int64_t{0}, cuda::std::plus<>{});
  test::buffer<std::int32_t> items(input);
  test::buffer<std::int64_t> out(3);
  auto const run = [&](auto output) {
    mgpu::reduce_into(policy(), items.begin(), items.end(), output, std::int64_t{0});
  };
  run(out.begin() + 1);
  BOOST_TEST(out.get()[1] == sum);
  run(thrust::make_transform_output_iterator(out.begin(), twice_and_one{}));
  BOOST_TEST(out.get()[0] == 2 * sum + 1);
  run(thrust::make_reverse_iterator(out.end()));
  BOOST_TEST(out.get()[2] == sum);
  run(thrust::make_discard_iterator());
  // An output of another type is converted to once, at the end.
  test::buffer<float> real(1);
  mgpu::reduce_into(policy(), items.begin(), items.end(), real.begin(), std::int64_t{0});
  BOOST_TEST(real.get()[0] == static_cast<float>(sum));
}

// The sum of two bytes is an int, but the result is a byte, also where the output has room for more.
BOOST_AUTO_TEST_CASE(result_in_the_type_of_init) {
  using byte = unsigned char;
  test::buffer<byte> items(std::vector<byte>{100});
  test::buffer<std::int32_t> out(1);
  mgpu::reduce_into(policy(), items.begin(), items.end(), out.begin(), byte{200});
  BOOST_TEST(out.get()[0] == 300 % 256);
}

BOOST_AUTO_TEST_SUITE_END()
