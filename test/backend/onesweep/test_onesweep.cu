// The radix sort with small tiles is right for sizes around these, in both directions, for keys of many types, and
// for digits that keys share.
#include <backend/radix_sorts.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(onesweep, *boost::unit_test::precondition(test::can_run{}))

namespace {

using test::check_ascending;
using test::check_both_directions;
using small = test::small_onesweep;
using partial_last = test::small_partial_last;
constexpr std::size_t tile = small::tile_items;

}  // namespace

BOOST_AUTO_TEST_CASE(sizes) {
  for (std::size_t const count : {std::size_t{1}, std::size_t{2}, std::size_t{31}, std::size_t{32}, std::size_t{33},
                                  tile - 1, tile, tile + 1, 2 * tile, 3 * tile + 5, 3 * tile + 64, 10 * tile - 1}) {
    auto const keys = test::radix_keys<std::uint32_t>(count, static_cast<std::uint32_t>(count));
    check_both_directions<small>(keys);
    check_both_directions<partial_last>(keys);
  }
}

using key_types = std::tuple<std::uint8_t, std::uint16_t, std::uint64_t, std::int8_t, std::int16_t, std::int32_t,
                             std::int64_t, double>;
BOOST_AUTO_TEST_CASE_TEMPLATE(types, Key, key_types) {
  for (std::uint32_t seed = 0; seed < 3; ++seed)
    test::check_by_sign<small>(test::radix_keys<Key>(4 * tile + 7, seed));
}
using key_types_of_partial_last = std::tuple<std::int8_t, std::int64_t, float>;
BOOST_AUTO_TEST_CASE_TEMPLATE(types_of_partial_last, Key, key_types_of_partial_last) {
  for (std::uint32_t seed = 0; seed < 3; ++seed) {
    check_ascending<partial_last>(test::radix_keys<Key>(4 * tile + 7, seed));
  }
}

// The digits that differ lie anywhere in the key, so any set of passes is made, none among them.
BOOST_AUTO_TEST_CASE(shared_digits) {
  for (unsigned needed = 0; needed < 16; ++needed) {
    auto keys = test::radix_keys<std::uint32_t>(2 * tile + 3, 1);
    for (std::uint32_t& key : keys) {
      for (int digit = 0; digit < 4; ++digit) {
        if ((needed >> digit & 1) == 0) key = (key & ~(0xFFu << 8 * digit)) | (0x5Au << 8 * digit);
      }
    }
    check_both_directions<small>(keys);
  }
}

BOOST_AUTO_TEST_CASE(signed_zeros) {
  std::vector<float> keys;
  for (std::size_t i = 0; i < 3 * tile; ++i) keys.push_back(i % 5 == 0 ? 1.0f : i % 2 == 0 ? 0.0f : -0.0f);
  check_both_directions<small>(keys);
}

// Keys that come in order are found out and not sorted; keys that nearly do are sorted.
BOOST_AUTO_TEST_CASE(keys_in_order) {
  for (std::size_t const count : {std::size_t{1}, std::size_t{2}, std::size_t{33}, tile + 1, 10 * tile + 3}) {
    std::vector<std::uint32_t> keys(count);
    for (std::size_t i = 0; i < count; ++i) keys[i] = static_cast<std::uint32_t>(i * 77'777);
    check_both_directions<small>(keys);
    for (std::size_t swapped = 1; swapped < count; swapped += 1 + count / 7) {
      auto nearly = keys;
      std::swap(nearly[swapped - 1], nearly[swapped]);
      check_both_directions<small>(nearly);
      auto with_tie = keys;
      with_tie[swapped] = with_tie[swapped - 1];
      check_both_directions<small>(with_tie);
    }
    std::swap(keys.front(), keys.back());
    check_both_directions<small>(keys);
  }
  check_both_directions<small>(std::vector<std::uint64_t>(5 * tile, 42));
}

// Keys in order are copied, if at all. Here are more of them than all blocks of a launch take at a time, and than one
// launch takes.
BOOST_AUTO_TEST_CASE(many_keys_in_order) {
  std::vector<std::uint32_t> keys(12'000);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<std::uint32_t>(i * 77'777);
  check_both_directions<test::onesweep_tuning<32, 4, 8, 8, 2, 1, 5'000>>(keys);
}

// Digits that many keys have are ranked in another way.
BOOST_AUTO_TEST_CASE(crowded_digits) {
  for (std::uint32_t const crowd : {0u, 0x7F7F7F7Fu, 0xFFFFFFFFu}) {
    auto keys = test::radix_keys<std::uint32_t>(7 * tile + 5, 4);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (i % 3 != 0) keys[i] = crowd;
    }
    check_both_directions<small>(keys);
    check_both_directions<partial_last>(keys);
  }
}

// There are tiles all of whose keys have one digit, others next to them, and the ends of runs in other tiles. A tile
// that is not full may be all of the last digit, or of none like it.
BOOST_AUTO_TEST_CASE(long_runs) {
  for (std::size_t const run : {tile / 2, tile, 2 * tile + 1}) {
    auto of_run = test::radix_keys<std::uint32_t>(9, 2);
    of_run.back() = run == tile / 2 ? 0xFFFFFFFFu : of_run.back();
    std::vector<std::uint32_t> keys;
    for (std::size_t i = 0; i < 9 * run; ++i) keys.push_back(of_run[i / run]);
    check_both_directions<small>(keys);
    check_both_directions<partial_last>(keys);
  }
}

BOOST_AUTO_TEST_CASE(other_tunings) {
  auto const keys = test::radix_keys<std::uint32_t>(1500, 7);
  check_ascending<test::onesweep_tuning<32, 1>>(keys);
  check_ascending<test::onesweep_tuning<128, 2, 8, 5>>(keys);
  check_ascending<test::onesweep_tuning<64, 7, 8, 11, 4>>(keys);
  check_ascending<test::onesweep_tuning<256, 2, 8, 8, 1, 1>>(keys);
  check_ascending<test::onesweep_tuning<256, 2, 8, 8, 1, 1, 1 << 20, false>>(keys);
}

// There are more items than one launch takes, and the launches of a pass go on where the last one ended.
BOOST_AUTO_TEST_CASE(several_launches_a_pass) {
  using three_tiles = test::onesweep_tuning<64, 3, 8, 8, 2, 2, 3 * tile + 1>;
  using one_tile = test::onesweep_tuning<64, 3, 8, 8, 2, 2, tile>;
  using one_partial_last = test::onesweep_tuning<64, 3, 8, 8, 2, 2, tile, false>;
  for (std::size_t const count : {3 * tile, 3 * tile + 1, 6 * tile, 7 * tile + 5}) {
    for (std::uint32_t seed = 0; seed < 3; ++seed) {
      auto const keys = test::radix_keys<std::uint32_t>(count, seed);
      check_ascending<three_tiles>(keys);
      check_ascending<one_tile>(keys);
      check_ascending<one_partial_last>(keys);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
