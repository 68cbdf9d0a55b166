// A comparator that is no strict weak order has no right result, but nothing crashes, hangs, or is written outside the
// range.
#include <mgpu/merge.h>
#include <mgpu/sort.h>
#include <mgpu/sort_copy.h>
#include <support/always.h>
#include <support/items.h>
#include <support/tunings.h>
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace {

// This comparator is neither transitive nor antisymmetric.
struct by_hash_of_both {
  __host__ __device__ bool operator()(std::uint32_t a, std::uint32_t b) const {
    return ((a * 2654435761u ^ b * 40503u) >> 13 & 1) != 0;
  }
};

// These buffers have margins that must stay as they are.
template <class T>
class framed {
 public:
  framed(std::size_t count, std::ptrdiff_t margin)
      : margin_(margin),
        before_(test::keys<T>(test::pattern::random, count + 2 * static_cast<std::size_t>(margin))),
        items_(before_) {}
  T* begin() { return items_.begin() + margin_; }
  T* end() { return items_.end() - margin_; }
  bool margins_untouched() const {
    auto const after = items_.get();
    auto const same = [](T const& a, T const& b) { return std::memcmp(&a, &b, sizeof(T)) == 0; };
    return std::equal(after.begin(), after.begin() + margin_, before_.begin(), same) &&
           std::equal(after.end() - margin_, after.end(), before_.end() - margin_, same);
  }

 private:
  std::ptrdiff_t margin_;
  std::vector<T> before_;
  test::buffer<T> items_;
};

// Calls run(count, margin) for sizes around the tiles. Without a margin a sanitizer sees what lies beyond the memory.
template <class Run>
void for_sizes(Run run) {
  for (std::ptrdiff_t const margin : {0, 64}) {
    for (std::size_t const count : {1, 2, 33, 320, 321, 2000, 3333}) {
      BOOST_TEST_CONTEXT(count << " items, margin " << margin) run(count, margin);
    }
  }
}

template <class Key, class Value, class Tuning = test::small_sort, class Comp>
void check_sorts(Comp comp) {
  auto const policy = test::tuned(Tuning{});
  for_sizes([&](std::size_t count, std::ptrdiff_t margin) {
    framed<Key> keys(count, margin);
    framed<Value> values(count, margin);
    framed<Key> out(count, margin);
    framed<std::uint32_t> indices(count, margin);
    mgpu::sort_by_key(policy, keys.begin(), keys.end(), values.begin(), comp);
    mgpu::sort_copy(policy, keys.begin(), keys.end(), out.begin(), comp);
    mgpu::argsort(policy, keys.begin(), keys.end(), indices.begin(), comp);
    mgpu::sort(policy, keys.begin(), keys.end(), comp);
    BOOST_TEST(keys.margins_untouched());
    BOOST_TEST(values.margins_untouched());
    BOOST_TEST(out.margins_untouched());
    BOOST_TEST(indices.margins_untouched());
  });
}

template <class Key, class Value, class Comp, class Tuning>
void check_merges(Comp comp, Tuning tuning) {
  auto const policy = test::tuned(tuning);
  for_sizes([&](std::size_t count, std::ptrdiff_t margin) {
    framed<Key> keys(count, 0);
    framed<Value> values(count, 0);
    framed<Key> out(count, margin);
    framed<Value> values_out(count, margin);
    for (std::size_t const part : {std::size_t{0}, count / 3, count}) {
      Key* const middle = keys.begin() + part;
      mgpu::merge(policy, keys.begin(), middle, middle, keys.end(), out.begin(), comp);
      mgpu::merge_by_key(policy, keys.begin(), middle, middle, keys.end(), values.begin(), values.begin() + part,
                         out.begin(), values_out.begin(), comp);
    }
    BOOST_TEST(out.margins_untouched());
    BOOST_TEST(values_out.margins_untouched());
  });
}
// A kernel finds the tiles' shares, or each block does.
template <class Key, class Value, class Comp>
void check_merges(Comp comp) {
  check_merges<Key, Value>(comp, test::small_merge{});
  check_merges<Key, Value>(comp, test::merge_tuning<64, 3, 1 << 20>{});
}

using large = test::item<40, 4>;  // too large to travel in every pass, as key and as value

// On the host a comparator may answer as it likes. These sizes lie around what is sorted by insertion, and around
// powers of two.
constexpr std::size_t host_sizes[] = {0,  1,  2,  3,  7,   8,   9,   15,  16,  17,   24,   31,   32,
                                      33, 63, 64, 65, 100, 127, 128, 129, 511, 1024, 1025, 3333, 4097};

class at_random {
 public:
  explicit at_random(unsigned seed) : random_(seed) {}
  template <class T>
  bool operator()(T const&, T const&) {
    return (random_() & 1) != 0;
  }

 private:
  std::mt19937 random_;
};

// Makes a vector of exactly that many items, so that a sanitizer sees what lies beyond them.
template <class T>
std::vector<T> numbers(std::size_t count) {
  std::vector<T> made(count);
  for (std::size_t i = 0; i < count; ++i) {
    auto const number = static_cast<std::int32_t>(i * 7919 % 1009);
    if constexpr (std::is_same_v<T, std::string>) {
      made[i] = "too long to lie within its object " + std::to_string(number);
    } else {
      made[i] = static_cast<T>(number);
    }
  }
  return made;
}

// Tells whether every item is there once.
template <class T>
bool same_items(std::vector<T> a, std::vector<T> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  return a == b;
}
template <class T>
bool same_items(std::vector<T> const& keys, std::vector<std::uint32_t> const& from, std::vector<T> const& input) {
  std::vector<std::uint32_t> places(input.size());
  std::iota(places.begin(), places.end(), 0u);
  bool together = same_items(from, places);
  for (std::size_t i = 0; together && i < keys.size(); ++i) together = keys[i] == input[from[i]];
  return together;
}

template <class Key, class Comp>
void check_host_sorts(std::size_t count, Comp comp) {
  auto const input = numbers<Key>(count);
  auto keys = input;
  mgpu::sort(mgpu::host, keys.begin(), keys.end(), comp);
  BOOST_TEST(same_items(keys, input));

  keys = input;
  std::vector<std::uint32_t> from(count);
  std::iota(from.begin(), from.end(), 0u);
  mgpu::sort_by_key(mgpu::host, keys.begin(), keys.end(), from.begin(), comp);
  BOOST_TEST(same_items(keys, from, input));
}

template <class Key, class Comp>
void check_host_merges(std::size_t count, Comp comp) {
  auto const input = numbers<Key>(count);
  std::vector<std::uint32_t> places(count);
  std::iota(places.begin(), places.end(), 0u);
  for (std::size_t const part : {std::size_t{0}, count / 3, count}) {
    auto const middle = input.begin() + static_cast<std::ptrdiff_t>(part);
    std::vector<Key> out(count);
    mgpu::merge(mgpu::host, input.begin(), middle, middle, input.end(), out.begin(), comp);
    BOOST_TEST(same_items(out, input));

    std::vector<std::uint32_t> from(count);
    mgpu::merge_by_key(mgpu::host, input.begin(), middle, middle, input.end(), places.begin(),
                       places.begin() + static_cast<std::ptrdiff_t>(part), out.begin(), from.begin(), comp);
    BOOST_TEST(same_items(out, from, input));
  }
}

template <class Key>
void check_host_at_random() {
  for (std::size_t const count : host_sizes) {
    for (unsigned seed = 1; seed <= 10; ++seed) {
      BOOST_TEST_CONTEXT(count << " items, seed " << seed) {
        check_host_sorts<Key>(count, at_random(seed));
        check_host_merges<Key>(count, at_random(seed));
      }
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(not_an_order, *boost::unit_test::precondition(test::can_run{}))

BOOST_AUTO_TEST_CASE(sorts_by_always_true) {
  check_sorts<std::uint32_t, std::uint16_t>(test::always{});
  check_sorts<std::uint32_t, large>(test::always{});
  check_sorts<large, std::uint16_t>(test::always{});
}
BOOST_AUTO_TEST_CASE(sorts_by_a_hash_of_both_items) { check_sorts<std::uint32_t, std::uint16_t>(by_hash_of_both{}); }
// Each of the other ways to find the shares of the runs is taken.
BOOST_AUTO_TEST_CASE(sorts_whose_tiles_find_their_shares) {
  using tuning = test::sort_tuning<32, 3, 32, 3, 1000>;
  check_sorts<std::uint32_t, std::uint16_t, tuning>(test::always{});
  check_sorts<std::uint32_t, std::uint16_t, tuning>(by_hash_of_both{});
}
BOOST_AUTO_TEST_CASE(sorts_whose_shares_warps_find) {
  using tuning = test::sort_tuning<32, 3, 32, 3, 0, 1000>;
  check_sorts<std::uint32_t, std::uint16_t, tuning>(test::always{});
  check_sorts<std::uint32_t, std::uint16_t, tuning>(by_hash_of_both{});
}
BOOST_AUTO_TEST_CASE(merges_by_always_true) {
  check_merges<std::uint32_t, std::uint16_t>(test::always{});
  check_merges<large, std::uint16_t>(test::always{});
}
BOOST_AUTO_TEST_CASE(merges_by_a_hash_of_both_items) {
  check_merges<std::uint32_t, std::uint16_t>(by_hash_of_both{});
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(not_an_order_on_the_host)

BOOST_AUTO_TEST_CASE(bytes_at_random) { check_host_at_random<std::uint8_t>(); }
BOOST_AUTO_TEST_CASE(ints_at_random) { check_host_at_random<std::int32_t>(); }
BOOST_AUTO_TEST_CASE(strings_at_random) { check_host_at_random<std::string>(); }
BOOST_AUTO_TEST_CASE(always_true_and_a_hash) {
  for (std::size_t const count : host_sizes) {
    check_host_sorts<std::uint32_t>(count, test::always{});
    check_host_merges<std::uint32_t>(count, test::always{});
    check_host_sorts<std::uint32_t>(count, by_hash_of_both{});
    check_host_merges<std::uint32_t>(count, by_hash_of_both{});
  }
}

BOOST_AUTO_TEST_SUITE_END()
