// A sample sort puts items into buckets between some of a sample, and sorts each bucket.
#include <backend/radix_sorts.h>
#include <support/device.h>
#include <support/items.h>
#include <support/memory.h>
#include <mgpu/detail/backend/sample_sort/sample_sort.cuh>
#include <mgpu/sort.h>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

BOOST_AUTO_TEST_SUITE(sample_sort, *boost::unit_test::precondition(test::can_run{}))

namespace {

using test::check_ascending;
using test::check_both_directions;
using small = test::sample_tuning<64, 4, 4, 5, 64, 6, 64>;       // buckets have room for six times their mean
using one_sample = test::sample_tuning<64, 2, 1, 8, 32, 4, 16>;  // 8 buckets
using overfull = test::sample_tuning<64, 4, 1, 3, 32, 2, 300>;   // buckets are larger than a block sorts at a time
using odd = test::sample_tuning<32, 3, 16, 6, 96, 3, 50>;        // blocks of other sizes, keys that are not bare

// The number of buckets is doubled up to the most that there may be, which samples must be enough for; and an index
// in a tile has 16 bits, as has the number of its items.
static_assert(small::at(90).is_valid() && odd::at(90).is_valid());
static_assert(!test::sample_tuning<64, 8, 3, 5, 64, 12, 64>::at(90).is_valid());
static_assert(!test::sample_tuning<1024, 64, 4, 5, 64, 12, 64>::at(90).is_valid());

// Returns the places that a sort of so many items takes its sample from.
template <class Tuning>
std::set<std::size_t> sampled_places(std::size_t count) {
  mgpu::detail::sample_sort_shares const shares(Tuning::at(90), static_cast<std::int64_t>(count), 1);
  std::set<std::size_t> places;
  for (std::uint32_t i = 0; i < shares.num_samples; ++i)
    places.insert(mgpu::detail::index_of_sample(i, shares.sample_share));
  return places;
}

template <class Tuning>
std::vector<std::size_t> sizes() {
  std::size_t const tile = Tuning::tile_items;
  std::vector<std::size_t> sizes{1, 2, 3, 31, 63, 64, 65, tile - 1, tile, tile + 1, 3 * tile + 17, Tuning::max_items};
  sizes.erase(std::remove_if(sizes.begin(), sizes.end(), [](std::size_t n) { return n > Tuning::max_items; }),
              sizes.end());
  return sizes;
}

template <class Tuning, class Key, bool descending>
void check_sizes() {
  for (std::size_t const count : sizes<Tuning>()) {
    for (std::uint32_t seed = 0; seed < 3; ++seed) {
      test::check_radix_sort<Tuning, descending>(test::radix_keys<Key>(count, seed));
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(sizes_of_usual_shares) { check_sizes<small, std::uint32_t, false>(); }
BOOST_AUTO_TEST_CASE(sizes_of_one_sample_a_thread) { check_sizes<one_sample, std::uint32_t, true>(); }
BOOST_AUTO_TEST_CASE(sizes_of_overfull_buckets) { check_sizes<overfull, std::uint32_t, false>(); }
BOOST_AUTO_TEST_CASE(sizes_of_odd_blocks) { check_sizes<odd, std::uint64_t, true>(); }

using key_types = std::tuple<std::uint8_t, std::int16_t, std::int64_t, float, double, mgpu::detail::uint128>;
BOOST_AUTO_TEST_CASE_TEMPLATE(types, Key, key_types) {
  for (std::uint32_t seed = 0; seed < 3; ++seed) {
    test::check_by_sign<small>(test::radix_keys<Key>(700, seed));
    check_ascending<overfull>(test::radix_keys<Key>(1000, seed));
  }
}

// However keys are spread, buckets have equal shares, as equal keys are told apart by their indices.
BOOST_AUTO_TEST_CASE(distributions) {
  auto const check = [](auto change) {
    auto keys = test::radix_keys<std::uint32_t>(2000, 1);
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = change(keys[i], static_cast<std::uint32_t>(i));
    check_both_directions<small>(keys);
    check_ascending<overfull>(keys);
  };
  check([](std::uint32_t, std::uint32_t) { return 5u; });                     // all equal
  check([](std::uint32_t, std::uint32_t i) { return i; });                    // sorted
  check([](std::uint32_t, std::uint32_t i) { return 100'000u - i; });         // reversed
  check([](std::uint32_t, std::uint32_t i) { return i / 7 % 16; });           // a period
  check([](std::uint32_t key, std::uint32_t) { return key % 3; });            // three values
  check([](std::uint32_t key, std::uint32_t) { return key | 0xffff0000u; });  // shared high bits
  check([](std::uint32_t key, std::uint32_t i) { return i % 50 == 0 ? key : key >> 19; });
  check([](std::uint32_t key, std::uint32_t) { return key & key << 7 & key << 13; });  // low entropy
  check([](std::uint32_t key, std::uint32_t i) { return i % 2 == 0 ? 0x80000000u : key; });
  check([](std::uint32_t key, std::uint32_t) { return (key & 0xffffu) + 0x7fff8000u; });  // around a carry
}

// The sample shows the highest keys alone, or the lowest, so that one bucket has nearly all items.
BOOST_AUTO_TEST_CASE(misleading_samples) {
  for (std::size_t const count : {std::size_t{700}, std::size_t{2000}}) {
    auto keys = test::radix_keys<std::uint32_t>(count, 1);
    for (auto& key : keys) key = key >> 2 | 1u << 30;
    for (std::uint32_t const shown : {0u, 0xffffffffu}) {
      for (std::size_t const place : sampled_places<small>(count)) keys[place] = shown;
      check_both_directions<small>(keys);
    }
    for (std::size_t i = 0; i < count; ++i) keys[i] = 17;
    for (std::size_t const place : sampled_places<small>(count)) keys[place] = 90;
    check_both_directions<small>(keys);
  }
}

// Both zeros are equal, and keep their order within a bucket and where buckets part them.
BOOST_AUTO_TEST_CASE(zeros) {
  for (unsigned const negative : {2u, 3u, 400u, 5000u}) {
    auto keys = test::radix_keys<float>(1900, 1);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (i % 3 != 0) keys[i] = i % negative == 0 ? -0.0f : 0.0f;
    }
    check_both_directions<small>(keys);
    check_ascending<overfull>(keys);
  }
}

// More items than there can be buckets or tiles for are refused, before scratch memory is asked for.
BOOST_AUTO_TEST_CASE(refused) {
  namespace detail = mgpu::detail;
  test::buffer<std::uint32_t> keys(std::vector<std::uint32_t>(one_sample::max_items + 1, 3));
  auto const problem = detail::sort_in_place(keys.begin(), detail::no_values{}, detail::no_values{},
                                             static_cast<std::int64_t>(one_sample::max_items) + 1);
  detail::run_on_device("sample_sort", mgpu::par, problem.num_items, [&](detail::device_call& call) {
    BOOST_TEST(!(detail::sample_sort<one_sample, detail::sample_sort_by_bits<false>>(call, problem,
                                                                                     detail::compare_bits<false>{})));
    call.allocate(detail::scratch_layout());
  });
}

// The sample has every part of the input, and no place twice, where there are at least as many items.
BOOST_AUTO_TEST_CASE(places_of_samples) {
  for (std::uint32_t const count : {1u, 2u, 63u, 64u, 65u, 100u, 511u, 512u, 513u, 2047u}) {
    auto const places = sampled_places<small>(count);
    std::size_t samples = 8;
    while (count > samples / 8 * 64) samples *= 2;
    BOOST_TEST(*places.rbegin() < count);
    if (count >= samples) BOOST_TEST(places.size() == samples);
  }
}

// The library's own tuning, with as few items as it is chosen for.
using usual_types = std::tuple<std::uint32_t, float, double>;
BOOST_AUTO_TEST_CASE_TEMPLATE(usual_tuning, Key, usual_types) {
  constexpr auto least =
      static_cast<std::size_t>(mgpu::detail::sample_sort_default_tuning<sizeof(Key), 0>::at(90).min_items);
  auto keys = test::radix_keys<Key>(least + 5000, 1);
  auto const order = test::radix_order<false>(keys);
  test::buffer<Key> sorted(keys);
  mgpu::sort(mgpu::par, sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(keys.size()));
  BOOST_TEST(test::same_bytes(sorted.get(), test::permuted(keys, order)));
}

// The tuning for many keys with values sorts as few and as many as it is chosen for; one more goes another way.
BOOST_AUTO_TEST_CASE(many_pairs) {
  namespace detail = mgpu::detail;
  constexpr detail::sample_sort_tuning some = detail::sample_sort_default_tuning<4, 4>::at(90);
  constexpr detail::sample_sort_tuning many = detail::sample_sort_many_pairs_tuning::at(90);
  static_assert(some.can_sort(some.min_items) && some.can_sort(some.max_items));
  static_assert(many.min_items == some.max_items + 1 && many.can_sort(many.min_items) &&
                many.can_sort(many.max_items));
  for (auto const pattern : {test::pattern::random, test::pattern::few_distinct}) {
    for (std::int64_t const count : {many.min_items, many.max_items, many.max_items + 1}) {
      auto const size = static_cast<std::size_t>(count);
      if (pattern != test::pattern::random && count != many.min_items) continue;
      auto const keys = test::keys<std::uint32_t>(pattern, size);
      auto const order = test::stable_order<std::uint32_t>(keys, std::less<>());
      test::buffer<std::uint32_t> sorted(keys), values(test::numbered<std::uint32_t>(size));
      mgpu::stable_sort_by_key(mgpu::par, sorted.begin(), sorted.end(), values.begin());
      BOOST_TEST(test::same_bytes(sorted.get(), test::permuted(keys, order)), size << " pairs");
      BOOST_TEST(test::same_bytes(values.get(), test::permuted(test::numbered<std::uint32_t>(size), order)));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
