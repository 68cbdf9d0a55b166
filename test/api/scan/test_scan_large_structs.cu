// Scans of structs of 64 bytes, and of a kilobyte, are right by operators that do not commute.
#include <support/scans.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <tuple>

BOOST_AUTO_TEST_SUITE(scan_large_structs, *boost::unit_test::precondition(test::can_run{}))

namespace {

// This is the largest that there is room for everywhere. What does not take part goes along with the left one.
struct kilobyte {
  std::uint32_t factor;
  std::uint32_t summand;
  std::uint32_t rest[254];

  static kilobyte make(std::size_t number, std::uint32_t seed = 1) {
    kilobyte made{static_cast<std::uint32_t>(number * 2 + 1), static_cast<std::uint32_t>(number * 77 + seed), {}};
    for (std::uint32_t i = 0; i < 254; ++i) made.rest[i] = made.summand + i;
    return made;
  }
};
struct compose_kilobytes {
  __host__ __device__ kilobyte operator()(kilobyte const& a, kilobyte const& b) const {
    kilobyte both = a;
    both.factor = b.factor * a.factor;
    both.summand = b.factor * a.summand + b.summand;
    return both;
  }
};

using tunings = std::tuple<test::plain_scan, test::pipelined_scan, test::clustered_scan>;

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(sixty_four_bytes, Selector, tunings) {
  test::check_scans_around_tiles<Selector>(test::matrix<4>::make(999), test::multiply{});
}

// The items fit into a cluster, or go beyond it. nvcc takes minutes for each kernel, so it gets one, which has all
// parts of a scan.
BOOST_AUTO_TEST_CASE(a_kilobyte) {
  for (std::size_t const count : {1, 70, 1000, 2500}) {
    auto const items = test::make_items<kilobyte>(count);
#if defined(__CUDACC__)
    test::check_exclusive_scan_with_total(test::policy, items, kilobyte::make(999), compose_kilobytes{}, 1);
#else
    test::check_scans(test::policy, items, kilobyte::make(999), compose_kilobytes{}, 1);
#endif
  }
}

BOOST_AUTO_TEST_SUITE_END()
