// The benchmarks' inputs and the check of their results, item by item, are right on the host: every distribution is
// what it says, right results pass, and each way of being wrong is found.
#include <boost/test/unit_test.hpp>
#include <harness/items.h>
#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace perf;

template <class Key, class Value>
struct item {
  Key key;
  Value value;
};

template <class Key, class Value>
std::vector<item<Key, Value>> input(distribution from, u64 n) {
  std::vector<item<Key, Value>> items;
  for (u64 i = 0; i < n; ++i) {
    if constexpr (std::is_same_v<Value, none>) {
      items.push_back({key_at<Key>(from, i, n), {}});
    } else {
      items.push_back({key_at<Key>(from, i, n), value_of<Value>(i)});
    }
  }
  return items;
}

template <class Items>
u64 hash_of(Items const& items) {
  u64 hash = 0;
  for (auto const& each : items) hash += hash_of_item(each.key, each.value);
  return hash;
}

template <class Items>
int breaches(Items const& items) {
  int count = 0;
  for (std::size_t i = 0; i + 1 < items.size(); ++i) {
    count += in_order(items[i].key, items[i].value, items[i + 1].key, items[i + 1].value) ? 0 : 1;
  }
  return count;
}

template <class Items>
void sort(Items& items) {
  std::stable_sort(items.begin(), items.end(), [](auto const& a, auto const& b) { return custom{}(a.key, b.key); });
}

constexpr distribution all_distributions[] = {
    distribution::uniform,     distribution::entropy_0_544,    distribution::entropy_0_201,
    distribution::entropy_0,   distribution::sorted,           distribution::reversed,
    distribution::distinct_16, distribution::disturbed_1,      distribution::low_half,
    distribution::long_runs,   distribution::sorted_runs,      distribution::zipf,
    distribution::fractions,   distribution::normal,           distribution::mixed_runs,
    distribution::apart_runs,  distribution::distinct_16_runs,
};

template <class Key, class Value>
void check_all() {
  for (distribution const from : all_distributions) {
    for (u64 const n : {1, 2, 3, 1000, 4096}) {
      auto items = input<Key, Value>(from, n);
      u64 const hash = hash_of(items);
      for (auto const& each : items) BOOST_REQUIRE(!custom{}(each.key, each.key));
      sort(items);
      BOOST_TEST(breaches(items) == 0, name_of(from) << ' ' << n);
      BOOST_TEST(hash_of(items) == hash);
    }
  }
}

// Returns how many keys come before the one in front of them.
int descents(distribution from, u64 n) {
  int count = 0;
  for (u64 i = 1; i < n; ++i) count += key_at<u32>(from, i, n) < key_at<u32>(from, i - 1, n) ? 1 : 0;
  return count;
}

// Returns the Shannon entropy of each bit of the keys, averaged.
double entropy_per_bit(distribution from) {
  constexpr int n = 1 << 16;
  double sum = 0;
  for (int bit = 0; bit < 32; ++bit) {
    int ones = 0;
    for (int i = 0; i < n; ++i) ones += static_cast<int>(key_at<u32>(from, static_cast<u64>(i), n) >> bit & 1u);
    double const p = static_cast<double>(ones) / n;
    if (p > 0 && p < 1) sum -= p * std::log2(p) + (1 - p) * std::log2(1 - p);
  }
  return sum / 32;
}

}  // namespace

BOOST_AUTO_TEST_CASE(right_results_pass) {
  check_all<u8, none>();
  check_all<u16, none>();
  check_all<u32, none>();
  check_all<u32, u32>();
  check_all<u32, b200>();
  check_all<b64, none>();
  check_all<b64, u32>();
  check_all<u64, u64>();
  check_all<f32, u32>();
  check_all<f64, none>();
  check_all<s16, none>();
  check_all<s16, u32>();
}

BOOST_AUTO_TEST_CASE(distributions_are_what_they_say) {
  BOOST_TEST(std::abs(entropy_per_bit(distribution::uniform) - 1) < 0.01);
  BOOST_TEST(std::abs(entropy_per_bit(distribution::entropy_0_544) - 0.544) < 0.01);
  BOOST_TEST(std::abs(entropy_per_bit(distribution::entropy_0_201) - 0.201) < 0.01);
  BOOST_TEST(entropy_per_bit(distribution::entropy_0) == 0);

  constexpr u64 n = 10'000;
  std::set<u32> distinct;
  int falls = 0;
  int rises = 0;
  int breaks = 0;
  for (u64 i = 0; i < n; ++i) {
    distinct.insert(key_at<u32>(distribution::distinct_16, i, n));
    if (i == 0) continue;
    falls += key_at<u32>(distribution::sorted, i, n) <= key_at<u32>(distribution::sorted, i - 1, n) ? 1 : 0;
    rises += key_at<f32>(distribution::reversed, i, n) >= key_at<f32>(distribution::reversed, i - 1, n) ? 1 : 0;
    breaks += key_at<u64>(distribution::disturbed_1, i, n) < key_at<u64>(distribution::disturbed_1, i - 1, n) ? 1 : 0;
    if (i != n / 2) {
      BOOST_REQUIRE(!(key_at<u32>(distribution::mixed_runs, i, n) < key_at<u32>(distribution::mixed_runs, i - 1, n)));
    }
  }
  BOOST_TEST(distinct.size() == 16u);
  BOOST_TEST(falls == 0);
  BOOST_TEST(rises == 0);
  BOOST_TEST(breaks > 50);
  BOOST_TEST(breaks < 200);
}

BOOST_AUTO_TEST_CASE(floats_are_finite) {
  for (u64 i = 0; i < 100'000; ++i) {
    BOOST_REQUIRE(std::isfinite(key_at<f32>(distribution::uniform, i, 100'000)));
    BOOST_REQUIRE(std::isfinite(key_of_bits<f64>(~u64{0} - i, i)));
  }
}

// Lines end in their slots, a fifth of them are there several times, and so many begin alike that the first bytes do not
// tell them apart.
BOOST_AUTO_TEST_CASE(lines_are_text) {
  constexpr u64 n = 10'000;
  std::set<std::string> lines, beginnings;
  for (u64 i = 0; i < n; ++i) {
    unsigned char slot[bytes_of_slot + 1] = {};
    write_line(slot, i, n);
    std::string const line = reinterpret_cast<char const*>(slot);
    BOOST_REQUIRE(line.size() <= bytes_of_slot);
    BOOST_REQUIRE(line.find_first_not_of("abcdefghijklmnopqrstuvwxyz ") == line.size() - 1);
    BOOST_REQUIRE(line.back() == '\n');
    lines.insert(line);
    beginnings.insert(line.substr(0, 7));
  }
  BOOST_TEST(lines.size() > n * 7 / 10);
  BOOST_TEST(lines.size() < n * 8 / 10);
  BOOST_TEST(beginnings.size() < lines.size() / 2);
}

using floats = std::tuple<f32, f64>;
BOOST_AUTO_TEST_CASE_TEMPLATE(fractions_and_normal_numbers_have_their_moments, Key, floats) {
  constexpr int n = 100'000;
  double sum = 0, squares = 0, normal_sum = 0, normal_squares = 0;
  for (u64 i = 0; i < n; ++i) {
    double const fraction = key_at<Key>(distribution::fractions, i, n);
    double const normal = key_at<Key>(distribution::normal, i, n);
    BOOST_REQUIRE((fraction >= 0 && fraction < 1));
    sum += fraction;
    squares += fraction * fraction;
    normal_sum += normal;
    normal_squares += normal * normal;
  }
  // All are within five standard errors.
  BOOST_TEST(std::abs(sum / n - 0.5) < 0.005);
  BOOST_TEST(std::abs(squares / n - 1.0 / 3) < 0.005);
  BOOST_TEST(std::abs(normal_sum / n) < 0.016);
  BOOST_TEST(std::abs(normal_squares / n - 1) < 0.023);
}

BOOST_AUTO_TEST_CASE(wrong_order_is_found) {
  auto items = input<u32, none>(distribution::uniform, 1000);
  sort(items);
  std::swap(items[499], items[500]);
  BOOST_TEST(breaches(items) > 0);
}

BOOST_AUTO_TEST_CASE(lost_stability_is_found) {
  auto pairs = input<u32, u32>(distribution::distinct_16, 1000);
  sort(pairs);
  std::swap(pairs[10], pairs[11]);
  BOOST_TEST(breaches(pairs) > 0);

  auto structs = input<s16, none>(distribution::entropy_0, 1000);
  std::swap(structs[10], structs[11]);
  BOOST_TEST(breaches(structs) > 0);
}

BOOST_AUTO_TEST_CASE(sorted_runs_are_sixteen) {
  BOOST_TEST(descents(distribution::sorted, 4096) == 0);
  for (u64 const n : {4096, 5000, 1 << 20}) BOOST_TEST(descents(distribution::sorted_runs, n) == 15);
}

BOOST_AUTO_TEST_CASE(other_items_are_found) {
  auto const items = input<u32, b200>(distribution::uniform, 1000);
  u64 const hash = hash_of(items);

  auto doubled = items;
  doubled[1] = doubled[0];
  BOOST_TEST(hash_of(doubled) != hash);

  auto altered = items;
  altered[999].value.words[49] ^= 1;
  BOOST_TEST(hash_of(altered) != hash);

  auto exchanged = items;  // keys and values that no longer belong together
  std::swap(exchanged[3].value, exchanged[4].value);
  BOOST_TEST(hash_of(exchanged) != hash);
}
