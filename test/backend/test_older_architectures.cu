// Sorts and merges by the tunings as shipped for other architectures than that of the test: 7.5, and what 8.x and 12.x
// share.
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

namespace {

template <int arch>
using architecture = std::integral_constant<int, arch>;
using architectures = std::tuple<architecture<75>, architecture<120>>;

// What one block holds, and what it does not.
template <class Key, int arch>
struct few_for : test::tuning_for<mgpu::detail::onesweep_few_tuning<sizeof(Key), 4>, arch> {
  using few = test::tuning_for<mgpu::detail::radix_block_default_tuning<sizeof(Key), 4>, arch>;
  static constexpr std::int64_t few_items(int) { return few::at(0).tile_items(); }
};

template <class Key, int arch>
void check_radix() {
  using few = few_for<Key, arch>;
  auto const block = static_cast<std::size_t>(few::few_items(0));
  for (std::size_t const count : {std::size_t{700}, block, block + 1, 2 * block + 77}) {
    test::check_radix_sort<few, false>(test::radix_keys<Key>(count, 1));
  }
  using many = test::tuning_for<mgpu::detail::onesweep_default_tuning<sizeof(Key), 4>, arch>;
  constexpr std::size_t tile = many::at(0).tile_items();
  for (std::size_t const count : {tile, 3 * tile + 50}) {
    test::check_radix_sort<many, false>(test::radix_keys<Key>(count, 2));
  }
}

template <class Key, class Value, int arch>
void check_comparing() {
  using sort_tuning = mgpu::detail::merge_sort_default_tuning<sizeof(Key), sizeof(Value)>;
  using many = test::tuning_for<sort_tuning, arch>;
  constexpr std::size_t tile = many::at(0).sorted_items();
  for (std::size_t const count : {tile - 1, 5 * tile + 3}) {
    test::check_in_place(many{}, test::sort_case<Key, Value, test::ascending>(count, 100, 1, {}));
  }
  using few = test::tuning_for<typename sort_tuning::few, arch>;
  test::check_in_place(few{}, test::sort_case<Key, Value, test::ascending>(3 * tile + 1, 100, 1, {}));

  using merge = test::tuning_for<mgpu::detail::merge_default_tuning<sizeof(Key), sizeof(Value)>, arch>;
  test::check_merge(merge{}, test::merge_case<Key, Value, test::ascending>(tile + 3, 2 * tile, 100, 1, {}));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(older_architectures, *boost::unit_test::precondition(test::can_run{}))

BOOST_AUTO_TEST_CASE_TEMPLATE(by_digits, Arch, architectures) {
  check_radix<std::uint32_t, Arch::value>();
  check_radix<std::uint64_t, Arch::value>();
}
BOOST_AUTO_TEST_CASE_TEMPLATE(by_comparisons, Arch, architectures) {
  check_comparing<std::uint32_t, std::uint32_t, Arch::value>();
}

BOOST_AUTO_TEST_SUITE_END()
