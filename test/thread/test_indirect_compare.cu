// indirect_compare orders indices as the items that they name.
#include <mgpu/detail/core/index_iterators.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/thread/indirect_compare.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <support/device.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <vector>

BOOST_AUTO_TEST_SUITE(indirect_compare, *boost::unit_test::precondition(test::can_run{}))

namespace {

// Orders by the remainder, so that the comparator's own state shows.
struct less_modulo {
  std::int64_t modulus;
  __host__ __device__ bool operator()(std::int64_t a, std::int64_t b) const { return a % modulus < b % modulus; }
};

// Thread t compares indices first + t / n and first + t % n.
template <class Index, class Items>
__global__ void compare_all_kernel(Items items, less_modulo comp, Index first, unsigned n, unsigned char* results) {
  unsigned const t = mgpu::detail::simt::thread_rank();
  mgpu::detail::indirect_compare<Items, less_modulo> compare{items, comp};
  results[t] = compare(static_cast<Index>(first + t / n), static_cast<Index>(first + t % n));
}

// On the host, item(i) returns item i.
template <class Index, class Items, class Item>
void check(Items items, Index first, Item item) {
  constexpr unsigned n = 12;
  less_modulo const comp{5};
  test::buffer<unsigned char> results(n * n);
  test::run_kernel(compare_all_kernel<Index, Items>, 1, n * n, 0, items, comp, first, n, results.begin());
  auto const found = results.get();
  for (unsigned a = 0; a < n; ++a) {
    for (unsigned b = 0; b < n; ++b) {
      BOOST_TEST_CONTEXT("indices " << first + a << " and " << first + b) {
        bool const less = found[a * n + b] != 0;
        BOOST_TEST(less ==
                   comp(item(static_cast<std::int64_t>(first) + a), item(static_cast<std::int64_t>(first) + b)));
      }
    }
  }
}

std::vector<int> const numbers{7, 3, 3, 11, 0, 4, 19, 8, 3, 22, 5, 10};

}  // namespace

BOOST_AUTO_TEST_CASE(plain_memory) {
  test::buffer<int> items(numbers);
  auto const item = [](std::int64_t i) { return numbers[static_cast<std::size_t>(i)]; };
  check<int>(items.begin(), 0, item);
  check<std::uint32_t>(static_cast<int const*>(items.begin()), 0, item);
  check<std::uint64_t>(static_cast<int const*>(items.begin()), 0, item);
}

BOOST_AUTO_TEST_CASE(indices_beyond_32_bits) {
  mgpu::detail::counting_iterator<std::int64_t> const items{1000};
  auto const item = [](std::int64_t i) { return i + 1000; };
  check<std::uint64_t>(items, (std::uint64_t{1} << 33) - 6, item);
  check<std::int64_t>(items, std::int64_t{1} << 40, item);
}

// An unsigned index beyond 2^31 must not become a negative offset.
BOOST_AUTO_TEST_CASE(indices_beyond_31_bits) {
  mgpu::detail::counting_iterator<std::int64_t> const items{3};
  check<std::uint32_t>(items, 0x80000000u - 6, [](std::int64_t i) { return i + 3; });
}

BOOST_AUTO_TEST_SUITE_END()
