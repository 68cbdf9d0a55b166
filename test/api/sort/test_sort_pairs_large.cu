// mgpu::sort_by_key takes keys, values or both that are large: such items are sorted as indices and moved once.
#include <mgpu/sort.h>
#include <support/items.h>
#include <support/pairs.h>
#include <support/tunings.h>
#include <cstdint>
#include <functional>
#include <tuple>

BOOST_AUTO_TEST_SUITE(sort_pairs_large, *boost::unit_test::precondition(test::can_run{}))

namespace {

// In tiles of 320 items, these sizes are one tile, one and a bit, and several.
constexpr std::size_t sizes[] = {0, 1, 2, 320, 321, 963};

template <class K, class V>
struct of {
  using key = K;
  using value = V;
};
using natural_types = std::tuple<of<std::int32_t, test::item<200, 4>>, of<std::uint16_t, test::item<1024, 8>>,
                                 of<test::sealed_item, test::item<200, 4>>>;
using compared_types =
    std::tuple<of<test::item<200, 4>, test::item<200, 4>>, of<test::item<1024, 16>, test::item<1024>>,
               of<test::item<64, 8>, std::uint8_t>, of<test::item<33>, test::item<17>>>;

template <class K, class V, class Policy, class... Comp>
void check(Policy const& policy, std::size_t count, Comp... comp) {
  auto const sort = [&](auto... ranges) { mgpu::sort_by_key(policy, ranges..., comp...); };
  auto const reference = std::get<0>(std::tuple_cat(std::tuple<Comp...>(comp...), std::tuple<std::less<>>()));
  test::check_pairs<K, V>(test::pattern::few_distinct, count, sort, reference);
  test::check_pairs<K, V>(test::pattern::random, count, sort, reference);
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(large_values, Types, natural_types) {
  for (std::size_t const count : sizes) {
    check<typename Types::key, typename Types::value>(test::tuned(test::small_sort{}), count);
  }
  check<typename Types::key, typename Types::value>(test::policy, 2000);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(large_keys, Types, compared_types) {
  for (std::size_t const count : sizes) {
    check<typename Types::key, typename Types::value>(test::tuned(test::small_sort{}), count, test::by_key{});
  }
}

BOOST_AUTO_TEST_SUITE_END()
