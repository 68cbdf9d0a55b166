// The kernel that copies beside an exchange copies all bytes that it is told to, and writes no other.
#include <mgpu/detail/backend/distributed/copy_kernel.cuh>
#include <support/device.h>
#include <support/schedules.h>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

BOOST_AUTO_TEST_SUITE(copy, *boost::unit_test::precondition(test::can_run{}))

BOOST_AUTO_TEST_CASE(sizes) {
  constexpr std::size_t begin = 16, padding = 40;
  // A word, what the threads copy at once, and ends within a word.
  constexpr std::size_t at_once = 2 * 32 * 8 * 16;
  for (std::size_t const num_bytes : {std::size_t{0}, std::size_t{1}, std::size_t{15}, std::size_t{16},
                                      std::size_t{17}, at_once - 16, at_once, at_once + 16, 3 * at_once + 47}) {
    BOOST_TEST_CONTEXT(num_bytes << " bytes") {
      std::vector<unsigned char> from(num_bytes + padding);
      for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<unsigned char>(i * 7 + i / 256 + 1);
      test::buffer<unsigned char> source(from);
      test::buffer<unsigned char> copies(std::vector<unsigned char>(num_bytes + padding, 0));
      test::run_kernel(mgpu::detail::copy_kernel<8>, 2, 32, 0,
                       static_cast<unsigned char const*>(source.begin() + begin), copies.begin() + begin,
                       static_cast<std::int64_t>(num_bytes));
      auto const last = from.begin() + static_cast<std::ptrdiff_t>(begin + num_bytes);
      std::fill(from.begin(), from.begin() + begin, static_cast<unsigned char>(0));
      std::fill(last, from.end(), static_cast<unsigned char>(0));
      BOOST_TEST((copies.get() == from));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
