// The benchmarks' check of scans and reductions is right on the host: what std::inclusive_scan and its like give
// passes, for every kind that is measured, and each way of being wrong is found.
#include <boost/test/unit_test.hpp>
#include <operations.h>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <vector>

namespace {

using namespace perf;

constexpr distribution summands = distribution::summands;

template <class Key>
std::vector<Key> input(u64 n) {
  std::vector<Key> items;
  for (u64 i = 0; i < n; ++i) items.push_back(key_at<Key>(summands, i, n));
  return items;
}

template <class Scan, class Key>
std::vector<Key> scanned(std::vector<Key> const& items) {
  using Access = typename Scan::Access;
  std::vector<Key> results(items.size());
  auto const first = iterator_over<Access>(items.data());
  auto const last = first + static_cast<std::ptrdiff_t>(items.size());
  if constexpr (Scan::inclusive) {
    std::inclusive_scan(first, last, iterator_over<Access>(results.data()), typename Scan::Op{});
  } else {
    std::exclusive_scan(first, last, iterator_over<Access>(results.data()), initial<Key>(), typename Scan::Op{});
  }
  return results;
}

template <class Scan, class Key>
u64 wrong_results(std::vector<Key> const& results) {
  u64 wrong = 0;
  for (u64 i = 0; i < results.size(); ++i)
    wrong += follows<Scan>(results.data(), summands, i, results.size()) ? 0 : 1;
  return wrong;
}

template <class Reduction, class Key>
auto reduced(std::vector<Key> const& items) {
  using Sum = typename Reduction::Sum;
  auto const first = iterator_over<typename Reduction::Access>(items.data());
  return std::accumulate(first, first + static_cast<std::ptrdiff_t>(items.size()), initial<Sum>(),
                         typename Reduction::Op{});
}

// Calls check(problem) for all of a list.
template <class... Problems, class Check>
void for_each(std::tuple<Problems...>, Check check) {
  (check(Problems{}), ...);
}

}  // namespace

BOOST_AUTO_TEST_CASE(right_scans_pass) {
  for_each(scans{}, [](auto of) {
    using Scan = decltype(of);
    using Key = typename Scan::Key;
    for (u64 const n : {1, 2, 3, 1000, 4096}) {
      BOOST_TEST(wrong_results<Scan>(scanned<Scan>(input<Key>(n))) == 0u, name_of(Key{}) << ' ' << Scan::name());
    }
  });
}

BOOST_AUTO_TEST_CASE(an_altered_item_of_a_scan_is_found) {
  for_each(scans{}, [](auto of) {
    using Scan = decltype(of);
    using Key = typename Scan::Key;
    for (std::size_t const i : {0, 1, 499, 999}) {
      auto results = scanned<Scan>(input<Key>(1000));
      reinterpret_cast<unsigned char*>(&results[i])[sizeof(Key) - 2] ^= 1;
      BOOST_TEST(wrong_results<Scan>(results) > 0u, name_of(Key{}) << ' ' << Scan::name() << ' ' << i);
    }
  });
}

// The results are as if a tile had not got what comes before it, or not all.
BOOST_AUTO_TEST_CASE(a_lost_prefix_of_a_scan_is_found) {
  for_each(scans{}, [](auto of) {
    using Scan = decltype(of);
    using Key = typename Scan::Key;
    auto const items = input<Key>(1000);
    for (std::ptrdiff_t const lost : {500, 499}) {
      auto results = scanned<Scan>(items);
      auto const tile = scanned<Scan>(std::vector<Key>(items.begin() + lost, items.end()));
      std::copy(tile.begin() + (500 - lost), tile.end(), results.begin() + 500);
      BOOST_TEST(wrong_results<Scan>(results) > 0u, name_of(Key{}) << ' ' << Scan::name());
    }
  });
}

BOOST_AUTO_TEST_CASE(one_kind_of_scan_for_the_other_is_found) {
  using before = exclusive<u32, plus>;
  using including = inclusive<u32, plus>;
  using of_others = exclusive<u32, plus, computed>;
  auto const items = input<u32>(1000);
  BOOST_TEST(wrong_results<before>(scanned<including>(items)) > 0u);
  BOOST_TEST(wrong_results<including>(scanned<before>(items)) > 0u);
  BOOST_TEST(wrong_results<of_others>(scanned<before>(items)) > 0u);
}

BOOST_AUTO_TEST_CASE(exchanged_maps_are_found) {
  auto items = input<affine>(1000);
  std::swap(items[10], items[11]);
  using composed = inclusive<affine, compose>;
  BOOST_TEST(wrong_results<composed>(scanned<composed>(items)) > 0u);
}

BOOST_AUTO_TEST_CASE(the_reference_of_reductions_is_the_same_for_any_number_of_threads) {
  for_each(reductions{}, [](auto of) {
    using Reduction = decltype(of);
    using Key = typename Reduction::Key;
    for (u64 const n : {1, 1000, 100'000}) {
      auto const expected = reduced<Reduction>(input<Key>(n));
      for (int const threads : {1, 2, 7, 64}) {
        bool const same = reference<Reduction>(summands, static_cast<std::int64_t>(n), threads) == expected;
        BOOST_TEST(same, name_of(Key{}) << ' ' << Reduction::name() << ' ' << n << ' ' << threads);
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(a_lost_item_of_a_reduction_is_found) {
  for_each(reductions{}, [](auto of) {
    using Reduction = decltype(of);
    using Key = typename Reduction::Key;
    if (std::is_same_v<Reduction, reduction<u32, maximum>>) return;  // only one item counts
    auto items = input<Key>(100'000);
    auto const expected = reduced<Reduction>(items);
    items.erase(items.begin() + 77'777);
    BOOST_TEST(!equal_but_for_order(reduced<Reduction>(items), expected), name_of(Key{}) << ' ' << Reduction::name());
  });
}

BOOST_AUTO_TEST_CASE(order_counts_only_where_it_is_kept) {
  auto items = input<affine>(1000);
  affine const expected = reduced<reduction<affine, compose>>(items);
  std::swap(items[10], items[11]);
  affine const found = reduced<reduction<affine, compose>>(items);
  BOOST_TEST(!(found == expected));
  BOOST_TEST(equal_but_for_order(found, expected));
}

// Floats can be compared to the bit, as all partial sums are whole numbers of 24 bits. Enough items are not zero that
// what is lost shows.
BOOST_AUTO_TEST_CASE(sums_of_floats_are_exact) {
  for (u64 n = 1024; n <= u64{1} << 22; n *= 4) {
    double sum = 0;
    u64 zeros = 0;
    for (f32 const item : input<f32>(n)) {
      BOOST_REQUIRE((item >= 0 && item == std::floor(item)));
      sum += item;
      zeros += item == 0 ? 1 : 0;
    }
    BOOST_TEST(sum > 0x1p22);
    BOOST_TEST(sum <= 0x1p24);
    BOOST_TEST(zeros <= n / 4, n);
  }

  double sum = 0;  // adds up one in 2^8 of the largest
  for (u64 i = 0; i < u64{1} << 20; ++i) sum += key_at<f32>(summands, i, u64{1} << 28);
  BOOST_TEST(std::abs(sum * 0x1p8 - 0x1p23) < 0x1p18);
}
