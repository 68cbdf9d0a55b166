// Scans are right with the tunings that are shipped, around the tiles of both kernels and over many.
#include <support/scans.h>
#include <support/tuning_for.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>

BOOST_AUTO_TEST_SUITE(scan_usual_tuning, *boost::unit_test::precondition(test::can_run{}))

void check(std::size_t count) {
  auto const items = test::make_items<std::uint32_t>(count);
  test::check_scans(test::policy, items, std::uint32_t{7}, cuda::std::plus<>{}, 1);
  test::check_scan_without_init(test::policy, items, cuda::std::plus<>{});
}

// The sizes are those of a block, of a cluster, and of what no longer fits into one.
BOOST_AUTO_TEST_CASE(few_four_bytes) {
  constexpr std::size_t tile = 8192;
  for (std::size_t const count : {std::size_t{1000}, tile - 1, tile, tile + 1, 8 * tile + 1, 16 * tile}) check(count);
}
BOOST_AUTO_TEST_CASE(many_four_bytes) {
  for (std::size_t const count : {131073, 262144, 262145, 40 * 8064 - 3}) check(count);
}

BOOST_AUTO_TEST_CASE(bytes) {
  test::check_scans(test::policy, test::make_items<std::uint8_t>(270000), std::uint8_t{1}, cuda::std::bit_xor<>{}, 1);
}
BOOST_AUTO_TEST_CASE(eight_bytes) {
  test::check_scans(test::policy, test::make_items<std::uint64_t>(140000), std::uint64_t{1}, cuda::std::plus<>{}, 1);
}
BOOST_AUTO_TEST_CASE(sixteen_bytes) {
  auto const init = test::matrix<2>::make(12345);
  test::check_scans(test::policy, test::make_items<test::matrix<2>>(70000), init, test::multiply{}, 1);
}
BOOST_AUTO_TEST_CASE(sixty_four_bytes) {
  auto const init = test::matrix<4>::make(12345);
  test::check_scans(test::policy, test::make_items<test::matrix<4>>(34000), init, test::multiply{}, 1);
}

// Checks scans by the tunings for another architecture: 7.5, or what 8.x and 12.x share.
template <int arch, class T, class Op>
void check_for_architecture(Op op) {
  using large = test::tuning_for<mgpu::detail::scan_large_tuning<sizeof(T)>, arch>;
  using small = test::tuning_for<mgpu::detail::scan_small_tuning<sizeof(T)>, arch>;
  for (std::size_t const tiles : {1, 3}) {
    auto const init = test::make_item<T>(12345);
    test::check_scans(test::policy.with_tuning(large{}), test::make_items<T>(tiles * large::at(0).tile_items() + 5),
                      init, op, 1);
    test::check_scans(test::policy.with_tuning(small{}), test::make_items<T>(tiles * small::at(0).tile_items() + 5),
                      init, op, 1);
  }
}
BOOST_AUTO_TEST_CASE(other_architectures) {
  check_for_architecture<75, std::uint32_t>(cuda::std::plus<>{});
  check_for_architecture<75, test::matrix<4>>(test::multiply{});
  check_for_architecture<80, std::uint32_t>(cuda::std::plus<>{});
  check_for_architecture<120, test::matrix<4>>(test::multiply{});
}

BOOST_AUTO_TEST_SUITE_END()
