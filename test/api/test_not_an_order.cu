// A comparator that is no strict weak order has no right result, but nothing crashes, hangs, or is written outside the
// range.
#include <mgpu/sort.h>
#include <api/items.h>
#include <api/tunings.h>
#include <algorithm>
#include <cstdint>
#include <vector>

namespace {

struct always {
  template <class T>
  __host__ __device__ bool operator()(T const&, T const&) const {
    return true;
  }
};

// Neither transitive nor antisymmetric.
struct by_hash_of_both {
  __host__ __device__ bool operator()(std::uint32_t a, std::uint32_t b) const {
    return ((a * 2654435761u ^ b * 40503u) >> 13 & 1) != 0;
  }
};

template <class Comp>
void check(Comp comp) {
  auto const policy = test::tuned(test::small_sort{});
  for (std::ptrdiff_t const margin : {0, 64}) {  // without one, a sanitizer sees what lies beyond the memory
    for (std::size_t const count : {1, 2, 33, 320, 321, 2000, 3333}) {
      BOOST_TEST_INFO_SCOPE(count << " items, margin " << margin);
      auto const input =
          test::keys<std::uint32_t>(test::pattern::random, count + 2 * static_cast<std::size_t>(margin));
      auto const value_input = test::numbered<std::uint16_t>(input.size());
      test::buffer<std::uint32_t> keys(input);
      test::buffer<std::uint16_t> values(value_input);
      mgpu::sort_by_key(policy, keys.begin() + margin, keys.end() - margin, values.begin() + margin, comp);

      auto const same_margins = [&](auto const& result, auto const& before) {
        auto const first = std::equal(result.begin(), result.begin() + margin, before.begin());
        return first && std::equal(result.end() - margin, result.end(), before.end() - margin);
      };
      BOOST_TEST(same_margins(keys.get(), input));
      BOOST_TEST(same_margins(values.get(), value_input));
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(not_an_order, *boost::unit_test::precondition(test::can_run{}))

BOOST_AUTO_TEST_CASE(always_true) { check(always{}); }
BOOST_AUTO_TEST_CASE(a_hash_of_both_items) { check(by_hash_of_both{}); }

BOOST_AUTO_TEST_SUITE_END()
