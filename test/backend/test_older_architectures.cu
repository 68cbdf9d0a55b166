// Sorts and merges are right by the tunings as shipped for other architectures than that of the test: 7.5, and what
// 8.x and 12.x share.
#include <backend/merges.h>
#include <backend/radix_sorts.h>
#include <backend/sorts.h>
#include <support/device.h>
#include <support/tuning_for.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

BOOST_AUTO_TEST_SUITE(older_architectures, *boost::unit_test::precondition(test::can_run{}))

namespace {

template <int arch>
using architecture = std::integral_constant<int, arch>;
using architectures = std::tuple<architecture<75>, architecture<120>>;

template <class Key, int arch>
void check_radix() {
  using block = test::tuning_for<mgpu::detail::radix_cluster_default_tuning<sizeof(Key), 4>, arch>;
  constexpr std::size_t block_items = block::at(0).tile_items();
  for (std::size_t const count : {std::size_t{700}, block_items}) {
    test::check_radix_sort<block, false>(test::radix_keys<Key>(count, 1));
  }
  using small = test::tuning_for<mgpu::detail::onesweep_small_tuning<sizeof(Key), 4>, arch>;
  for (std::size_t const count : {block_items + 1, 2 * block_items + 77}) {
    test::check_radix_sort<small, false>(test::radix_keys<Key>(count, 1));
  }
  using large = test::tuning_for<mgpu::detail::onesweep_large_tuning<sizeof(Key), 4>, arch>;
  constexpr std::size_t tile = large::at(0).tile_items();
  for (std::size_t const count : {tile, 3 * tile + 50}) {
    test::check_radix_sort<large, false>(test::radix_keys<Key>(count, 2));
  }
}

template <class Key, class Value, int arch>
void check_comparing() {
  using large = test::tuning_for<mgpu::detail::merge_sort_large_tuning<sizeof(Key), sizeof(Value)>, arch>;
  constexpr std::size_t tile = large::at(0).sorted_items();
  for (std::size_t const count : {tile - 1, 5 * tile + 3}) {
    test::check_in_place(large{}, test::sort_case<Key, Value, test::ascending>(count, 100, 1, {}));
  }
  using small = test::tuning_for<mgpu::detail::merge_sort_small_tuning<sizeof(Key), sizeof(Value)>, arch>;
  test::check_in_place(small{}, test::sort_case<Key, Value, test::ascending>(3 * tile + 1, 100, 1, {}));
  using latency = test::tuning_for<mgpu::detail::merge_sort_latency_medium_tuning<sizeof(Key), sizeof(Value)>, arch>;
  test::check_in_place(latency{}, test::sort_case<Key, Value, test::ascending>(3 * tile + 1, 100, 1, {}));

  using merge = test::tuning_for<mgpu::detail::merge_default_tuning<sizeof(Key), sizeof(Value)>, arch>;
  test::check_merge(merge{}, test::merge_case<Key, Value, test::ascending>(tile + 3, 2 * tile, 100, 1, {}));
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(by_digits, Arch, architectures) {
  check_radix<std::uint32_t, Arch::value>();
  check_radix<std::uint64_t, Arch::value>();
}
BOOST_AUTO_TEST_CASE_TEMPLATE(by_comparisons, Arch, architectures) {
  check_comparing<std::uint32_t, std::uint32_t, Arch::value>();
}

BOOST_AUTO_TEST_SUITE_END()
