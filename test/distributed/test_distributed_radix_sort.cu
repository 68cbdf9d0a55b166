// Sorts of many bare keys over ranks by the most significant digits first: the ranks exchange buckets, which they sort in
// place of a merge. Where keys are too few, too many or unevenly spread, they are sorted in the other way.
#include <mgpu/distributed.h>
#include <backend/radix_sorts.h>
#include <distributed/ranks.h>
#include <distributed/small_buckets.h>
#include <distributed/sorts.h>
#include <support/items.h>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>
#if defined(MGPU_EMULATED)
#include <emulator/emulator.h>
#endif

BOOST_AUTO_TEST_SUITE(distributed_radix_sort, *boost::unit_test::precondition(test::can_run_ranks()))

namespace {

using test::small_buckets;
struct of_any_number {
  __host__ __device__ static constexpr mgpu::detail::msd_radix_tuning at(int arch) {
    mgpu::detail::msd_radix_tuning numbers = small_buckets::at(arch);
    numbers.min_items = 0;
    return numbers;
  }
};
// Ranks of fewer than 128 times as many keys put these into buckets before the host knows which of them stay.
struct many_to_be_moved {
  __host__ __device__ static constexpr mgpu::detail::msd_radix_tuning at(int arch) {
    mgpu::detail::msd_radix_tuning numbers = small_buckets::at(arch);
    numbers.min_items = 40;
    return numbers;
  }
};
constexpr std::size_t fewest = 64 * 64 + 1;  // that have more buckets than a block has threads
constexpr std::size_t most = 1024 * 128;

enum class way { buckets, merges, any };

template <class Tuning = small_buckets, class Key, class Comp = std::less<>>
void check(test::rank_counts const& counts, std::vector<Key> const& whole, way expected, std::uint32_t seed = 1,
           Comp comp = {}) {
  test::check_keys(
      counts, whole, comp, seed, seed % 4,
      [&](auto const& policy, auto first, auto last) { mgpu::sort(policy, first, last, comp); },
      [](auto const& policy) { return policy.with_tuning(Tuning{}); });
#if defined(MGPU_EMULATED)
  if (expected == way::any) return;
  bool const by_buckets = mgpu::emulator::last_kernel().find("joined_finish") != std::string::npos;
  BOOST_TEST(by_buckets == (expected == way::buckets));
#else
  static_cast<void>(expected);
#endif
}

template <class Key>
std::vector<Key> uniform(std::size_t count, std::uint32_t seed = 1) {
  return test::radix_keys<Key>(count, 3 * seed + 1);
}

}  // namespace

BOOST_AUTO_TEST_CASE(shares) {
  std::uint32_t seed = 1;
  for (int const ranks : test::numbers_of_ranks()) {
    if (ranks == 1) continue;
    auto const num_ranks = static_cast<std::size_t>(ranks);
    std::size_t const usual = fewest / num_ranks + 1;
    test::rank_counts lopsided(num_ranks, 700);
    lopsided[seed % num_ranks] = fewest;
    test::rank_counts rising;
    for (std::size_t r = 0; r < num_ranks; ++r) rising.push_back(usual / 2 + r * usual);
    for (auto const& counts : {test::rank_counts(num_ranks, usual), lopsided, rising}) {
      BOOST_TEST_CONTEXT(ranks << " ranks, seed " << seed) {
        check(counts, uniform<std::uint32_t>(test::sum_of(counts), seed), way::buckets, seed);
        check(counts, uniform<std::uint64_t>(test::sum_of(counts), seed), way::buckets, seed, std::greater<>());
      }
      ++seed;
    }
  }
}

// All ranks, some, or none move keys that stay, and others copy them.
BOOST_AUTO_TEST_CASE(some_move_keys_that_stay) {
  std::uint32_t seed = 1;
  for (auto const& counts :
       {test::rank_counts{5119, 5119}, {5120, 5119}, {5119, 5120}, {5121, 5200}, {700, 9000}, {9000, 700}}) {
    check<many_to_be_moved>(counts, uniform<std::uint32_t>(test::sum_of(counts), seed), way::buckets, seed);
    check<many_to_be_moved>(counts, uniform<std::uint64_t>(test::sum_of(counts), seed), way::buckets, seed,
                            std::greater<>());
    ++seed;
  }
}

// Keys that stay are moved wherever these and those that arrive have room, and never to where keys of their bins still lie.
// The output of the first of two ranks ends in any bucket: so keys that stay meet others of theirs, just do, or do not.
BOOST_AUTO_TEST_CASE(keys_that_stay) {
  using Bits = std::uint32_t;
  namespace detail = mgpu::detail;
  detail::msd_radix_digits const digits(small_buckets::at(90), 8192, false);
  auto const num_buckets = static_cast<std::uint32_t>(digits.num_buckets());
  auto const of_bin = static_cast<std::uint32_t>(digits.buckets_per_bin());
  std::vector<Bits> memory(std::size_t{1} << 15);
  for (int rank : {0, 1}) {
    int moved = 0, copied = 0;
    for (std::uint32_t cut = 1; cut < num_buckets; ++cut) {
      for (std::uint32_t const spare : {0u, 32u, 320u}) {
        // Each bucket has 9 keys of this rank. Both ranks get the bucket in which the first one's output ends.
        detail::joined_cuts cuts{};
        auto const set = [&](int to, int part, std::uint32_t bucket) {
          auto& one = cuts.of_rank[to][part];
          one.bucket = bucket;
          std::uint32_t const before = bucket + (part == detail::num_joined_parts ? of_bin - 1 : 0);
          for (int from : {0, 1}) one.starts[from] = 9 * bucket;
          for (int from : {0, 1}) one.bin_starts[from] = 9 * (before - before % of_bin);
        };
        set(0, 0, 0), set(0, 1, cut / 2), set(0, 2, cut);
        set(1, 0, cut - 1), set(1, 1, (cut + num_buckets) / 2), set(1, 2, num_buckets);
        std::int64_t const num_items = 9 * std::int64_t{num_buckets};
        std::int64_t const room = num_items + 640 + spare;
        detail::joined_layout<Bits> const layout(rank, 2, cuts, {{0}, {0}});
        Bits* const binned = memory.data() + (rank == 0 ? 0 : spare);
        auto const kept = layout.kept(digits, memory.data(), room, binned, true);
        BOOST_TEST(layout.kept(digits, memory.data(), room, binned, false).num_bins == 0);
        BOOST_TEST((kept.piece.memory >= memory.data() && kept.piece.end() <= memory.data() + room));
        BOOST_TEST(kept.all.count() == kept.piece.begin + kept.piece.count - kept.all.begin);
        // Whole bins of which nothing is sent to the other rank.
        std::uint32_t const first = rank == 0 ? 0 : (cut + of_bin - 1) / of_bin;
        std::uint32_t const end = rank == 0 ? (cut - 1) / of_bin : num_buckets / of_bin;
        Bits const* const from = binned + 9 * of_bin * first;
        Bits const* const from_end = binned + 9 * of_bin * end;
        Bits const* const to = kept.piece.items - kept.all.begin + 9 * of_bin * first;
        bool const are_apart = to >= from_end || to + (from_end - from) <= from;
        BOOST_TEST((kept.num_bins > 0) == (first < end && are_apart), "rank " << rank << ", cut " << cut);
        if (kept.num_bins == 0) {
          ++copied;
          continue;
        }
        ++moved;
        BOOST_TEST(static_cast<std::uint32_t>(kept.first_bin) == first);
        BOOST_TEST(static_cast<std::uint32_t>(kept.first_bin + kept.num_bins) == end);
        BOOST_TEST(kept.moved.begin == 9 * of_bin * first);
        BOOST_TEST(kept.moved.end == 9 * of_bin * end);
      }
    }
    BOOST_TEST(moved > 0);
    BOOST_TEST(copied > 0);
  }
}

// Signed keys, and those whose range is no power of two, or that share their highest bits.
BOOST_AUTO_TEST_CASE(ranges_of_keys) {
  test::rank_counts const counts{4000, 6000};
  check(counts, uniform<std::int32_t>(10000), way::buckets, 2);
  check(counts, uniform<std::int64_t>(10000), way::buckets, 3, std::greater<>());
  auto keys = uniform<std::uint32_t>(10000);
  for (auto& key : keys) key = key % 3000000 + 0x12345678u;
  check(counts, keys, way::any);
  // The ranks' keys share different bits.
  for (std::size_t i = 0; i < keys.size(); ++i)
    keys[i] = (keys[i] & 0xffffffu) | (i < 4000 ? 0x35000000u : 0x36000000u);
  check(counts, keys, way::any);
}

// There are as many keys as usual buckets, or twice as large ones, hold, and more.
BOOST_AUTO_TEST_CASE(numbers_of_keys) {
  for (std::size_t const count : {fewest - 1, fewest, most / 2, most / 2 + 1, most, most + 1}) {
    if (!test::is_tried(3, count / 3)) continue;
    test::rank_counts const counts{count / 3, count - count / 3 - count / 5, count / 5};
    if (static_cast<int>(counts.size()) > test::most_ranks()) continue;
    check(counts, uniform<std::uint32_t>(count), count < fewest || count > most ? way::merges : way::buckets);
  }
}

// A rank without keys, or with fewer than the tuning asks for, lets all sort in the other way.
BOOST_AUTO_TEST_CASE(a_rank_without_keys) {
  check({2 * fewest, 0}, uniform<std::uint32_t>(2 * fewest), way::merges);
  check({0, 2 * fewest}, uniform<std::uint32_t>(2 * fewest), way::merges);
  check<of_any_number>({0, 2 * fewest}, uniform<std::uint32_t>(2 * fewest), way::merges);
}

// A rank may sort beside the exchange to where another rank still gets keys from: all keys of a rank go to
// the other one, or a rank's output begins far from where its keys are.
BOOST_AUTO_TEST_CASE(everything_moves) {
  for (auto const& counts : {test::rank_counts{10000, 10000}, {3000, 17000}, {17000, 3000}}) {
    auto whole = uniform<std::uint32_t>(test::sum_of(counts));
    for (bool const descends : {false, true}) {
      // All of a rank's keys are lower than the other's, but those that a survey looks at are not in order.
      std::sort(whole.begin(), whole.end(), [&](auto a, auto b) { return descends ? b < a : a < b; });
      std::size_t const half = counts[0];
      for (std::size_t i = 0; i < whole.size(); ++i) {
        std::size_t const begin = i < half ? 0 : half;
        std::size_t const size = i < half ? half : whole.size() - half;
        std::swap(whole[i], whole[begin + (i - begin) * 7919 % size]);
      }
      check(counts, whole, way::any);
    }
  }
}

// Keys that are uneven in their bucket, which a block sorts by their digits; and those of an end of a rank's output.
BOOST_AUTO_TEST_CASE(uneven_buckets) {
  for (std::size_t const first : {2000u, 5000u, 9990u}) {
    auto keys = uniform<std::uint32_t>(12000);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      keys[i] = (keys[i] & 0xfe000000u) | (i % 9 == 0 ? 0x1ffffffu : keys[i] % 7);
    }
    check({first, 12000 - first}, keys, way::any, 5);
  }
}

BOOST_AUTO_TEST_CASE(much_alike) {
  for (auto const pattern : test::all_patterns) {
    check({6000, 5000}, test::keys<std::uint32_t>(pattern, 11000), way::any);
  }
}

// Floats keep the order of their two zeros.
BOOST_AUTO_TEST_CASE(floats) {
  auto keys = uniform<float>(10000);
  for (float& key : keys) key = std::isfinite(key) ? key : 1.5f;
  check({5000, 5000}, keys, way::buckets);
  keys[7] = 0.0f;
  check({5000, 5000}, keys, way::buckets);
  keys[8000] = -0.0f;
  check({5000, 5000}, keys, way::merges);
  keys[7] = -0.0f;
  check({5000, 5000}, keys, way::buckets);
}

BOOST_AUTO_TEST_SUITE_END()
