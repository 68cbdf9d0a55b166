// mgpu::argsort, where keys stay, and mgpu::sort_with_indices, where they are sorted in place, give the permutation
// that a stable sort makes.
#include <mgpu/sort.h>
#include <mgpu/sort_copy.h>
#include <support/items.h>
#include <support/tunings.h>
#include <thrust/iterator/discard_iterator.h>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <tuple>
#include <type_traits>
#include <vector>

BOOST_AUTO_TEST_SUITE(argsort, *boost::unit_test::precondition(test::can_run{}))

namespace {

template <class K, class I>
struct of {
  using key = K;
  using index = I;
};
using case_types = std::tuple<of<std::int32_t, std::uint32_t>, of<std::uint8_t, std::int32_t>,
                              of<double, std::uint64_t>, of<std::uint16_t, std::uint16_t>>;

template <class I>
std::vector<I> as_indices(std::vector<std::size_t> const& order) {
  return {order.begin(), order.end()};
}

template <class K, class I, class Policy, class... Comp>
void check(Policy const& policy, test::pattern pattern, std::size_t count, Comp... comp) {
  BOOST_TEST_CONTEXT(pattern << ", " << count << " items, keys of " << sizeof(K) << " bytes") {
    auto const input = test::keys<K>(pattern, count);
    auto const reference = std::get<0>(std::tuple_cat(std::tuple<Comp...>(comp...), std::tuple<std::less<>>()));
    auto const order = test::stable_order<K>(input, reference);
    std::vector<I> const garbage(count, static_cast<I>(0xDEADBEEFCAFEF00Du));

    test::buffer<K> keys(input);
    test::buffer<I> indices(garbage, 1);
    K const* const first = keys.begin();
    I* const end = mgpu::argsort(policy, first, first + count, indices.begin(), comp...);
    BOOST_TEST(end == indices.end());
    BOOST_TEST(test::same_bytes(indices.get(), as_indices<I>(order)));
    BOOST_TEST(test::same_bytes(keys.get(), input));

    test::buffer<I> indices_too(garbage);
    mgpu::sort_with_indices(policy, keys.begin(), keys.end(), indices_too.begin(), comp...);
    BOOST_TEST(test::same_bytes(keys.get(), test::permuted(input, order)));
    BOOST_TEST(test::same_bytes(indices_too.get(), as_indices<I>(order)));
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(many_tiles, Types, case_types) {
  auto const policy = test::tuned(test::small_sort{});
  for (std::size_t const count : test::sizes_around(test::small_sort::tile_items, {1, 2, 3, 5})) {
    check<typename Types::key, typename Types::index>(policy, test::pattern::few_distinct, count);
  }
  for (test::pattern const pattern : test::all_patterns) {
    check<typename Types::key, typename Types::index>(policy, pattern, 1500);
  }
}

BOOST_AUTO_TEST_CASE(large_keys_by_a_comparator) {
  auto const policy = test::tuned(test::small_sort{});
  for (std::size_t const count : test::sizes_around(test::small_sort::tile_items, {1, 5})) {
    check<test::item<200, 4>, std::uint32_t>(policy, test::pattern::few_distinct, count, test::by_key{});
  }
}

BOOST_AUTO_TEST_CASE(usual_tuning) {
  check<std::int32_t, std::uint32_t>(test::policy, test::pattern::few_distinct, 40001);
}

// Indices are converted before they are written where an output does not say which of them it takes.
struct takes_either {
  explicit takes_either(std::int64_t);
  takes_either& operator=(int);
  takes_either& operator=(float);
};
static_assert(std::is_same_v<mgpu::detail::index_t<takes_either*>, takes_either>);

// An output whose items are no numbers converts indices as they are written.
BOOST_AUTO_TEST_CASE(dropped_indices) {
  constexpr std::size_t count = 1000;
  auto const input = test::keys<std::uint32_t>(test::pattern::random, count);
  test::buffer<std::uint32_t> keys(input);
  auto const nowhere = thrust::make_discard_iterator();
  BOOST_TEST((mgpu::argsort(test::policy, keys.begin(), keys.end(), nowhere) - nowhere) == count);
  BOOST_TEST(test::same_bytes(keys.get(), input));
  mgpu::sort_with_indices(test::policy, keys.begin(), keys.end(), nowhere);
  auto sorted = input;
  std::sort(sorted.begin(), sorted.end());
  BOOST_TEST(test::same_bytes(keys.get(), sorted));
}

BOOST_AUTO_TEST_SUITE_END()
