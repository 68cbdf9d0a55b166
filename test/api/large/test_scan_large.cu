// Scans of more than 2^32 items are right: totals of what is in no memory, and bytes onto themselves.
#include <support/scans.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <vector>

BOOST_AUTO_TEST_SUITE(scan_large, *boost::unit_test::precondition(test::can_run{}))

namespace {

constexpr std::int64_t two_to_32 = std::int64_t{1} << 32;

}  // namespace

BOOST_AUTO_TEST_CASE(total_of_many) {
  for (std::int64_t const count : {two_to_32 - 1, two_to_32 + 1, 2 * two_to_32 + 12345}) {
    auto const first = thrust::make_counting_iterator(std::uint64_t{0});
    test::buffer<std::uint64_t> total(1);
    mgpu::inclusive_scan_with_total(mgpu::par, first, first + count, thrust::make_discard_iterator(), total.begin());
    auto const n = static_cast<std::uint64_t>(count);
    // This is n * (n - 1) / 2, without a product beyond 2^64.
    BOOST_TEST(total.get()[0] == (n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n));
  }
}

// In place, byte i becomes i + 1 modulo 256. The test looks around the places where numbers of items or bytes
// overflow.
BOOST_AUTO_TEST_CASE(bytes_in_place) {
  std::int64_t const count = two_to_32 + 100003;
  void* memory = nullptr;
  if (cudaMalloc(&memory, static_cast<std::size_t>(count)) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    BOOST_TEST_MESSAGE("not enough memory on this GPU");
    return;
  }
  auto* const bytes = static_cast<std::uint8_t*>(memory);
  test::require(cudaMemset(bytes, 1, static_cast<std::size_t>(count)));
  BOOST_TEST((mgpu::inclusive_scan(mgpu::par, bytes, bytes + count, bytes) == bytes + count));
  constexpr std::int64_t window = 100000;
  std::vector<std::uint8_t> seen(window);
  for (std::int64_t const from :
       {std::int64_t{0}, two_to_32 / 2 - window / 2, two_to_32 - window / 2, count - window}) {
    test::require(cudaMemcpy(seen.data(), bytes + from, window, cudaMemcpyDeviceToHost));
    bool right = true;
    for (std::int64_t i = 0; i < window; ++i) {
      right = right && seen[static_cast<std::size_t>(i)] == static_cast<std::uint8_t>(from + i + 1);
    }
    BOOST_TEST(right, "from item " << from);
  }
  test::require(cudaFree(memory));
}

BOOST_AUTO_TEST_SUITE_END()
