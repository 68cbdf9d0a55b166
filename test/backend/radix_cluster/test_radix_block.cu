// One block sorts by digits what it can hold.
#include <backend/radix_sorts.h>
#include <support/device.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

BOOST_AUTO_TEST_SUITE(radix_block, *boost::unit_test::precondition(test::can_run{}))

namespace {

using test::check_ascending;
using test::check_both_directions;
using small = test::block_tuning<64, 3>;
constexpr std::size_t tile = small::tile_items;

}  // namespace

BOOST_AUTO_TEST_CASE(sizes) {
  for (std::size_t const count : {std::size_t{1}, std::size_t{2}, std::size_t{31}, std::size_t{32}, std::size_t{33},
                                  std::size_t{95}, std::size_t{97}, tile - 1, tile}) {
    for (std::uint32_t seed = 0; seed < 3; ++seed)
      check_both_directions<small>(test::radix_keys<std::uint32_t>(count, seed));
  }
}

using key_types = std::tuple<std::uint8_t, std::uint64_t, std::int64_t, float>;
BOOST_AUTO_TEST_CASE_TEMPLATE(types, Key, key_types) {
  for (std::uint32_t seed = 0; seed < 3; ++seed) check_ascending<small>(test::radix_keys<Key>(tile - 7, seed));
}
using key_types_both_ways = std::tuple<std::int16_t, double>;
BOOST_AUTO_TEST_CASE_TEMPLATE(types_both_ways, Key, key_types_both_ways) {
  for (std::uint32_t seed = 0; seed < 3; ++seed) check_both_directions<small>(test::radix_keys<Key>(tile - 7, seed));
}

// The digits that differ lie anywhere in the key.
BOOST_AUTO_TEST_CASE(shared_digits) {
  for (unsigned needed = 0; needed < 16; ++needed) {
    auto keys = test::radix_keys<std::uint32_t>(tile - 5, 1);
    for (std::uint32_t& key : keys) {
      for (int digit = 0; digit < 4; ++digit) {
        if ((needed >> digit & 1) == 0) key |= 0xFFu << 8 * digit;
      }
    }
    check_both_directions<small>(keys);
  }
}

// The bits that differ decide what the buckets are. How full these are decides which of the two ways is taken.
using roomy = test::block_tuning<64, 16>;

BOOST_AUTO_TEST_CASE(as_many_alike_as_a_bucket_may_hold) {
  for (std::size_t const alike : {2u, 47u, 48u, 49u, 300u}) {
    auto keys = test::radix_keys<std::uint32_t>(roomy::tile_items, 1);
    for (std::size_t i = 0; i < alike; ++i) keys[i * 7919 % keys.size()] = 0x80000001u;
    check_both_directions<roomy>(keys);
  }
}

// Returns keys that differ in their lowest `width` bits only.
template <class Key>
void check_widths() {
  using Bits = mgpu::detail::ordered_bits_t<Key>;
  constexpr int bits = 8 * static_cast<int>(sizeof(Key));
  for (int width = 0; width <= bits; ++width) {
    std::vector<Key> keys;
    for (Bits const drawn : test::radix_keys<Bits>(300, 1)) {
      Bits const shared = width == bits ? Bits{0} : static_cast<Bits>(static_cast<Bits>(~Bits{0}) << width);
      keys.push_back(static_cast<Key>(width == 0 ? shared : static_cast<Bits>(shared | drawn >> (bits - width))));
    }
    check_ascending<roomy>(keys);
  }
}
BOOST_AUTO_TEST_CASE(widths) {
  check_widths<std::uint8_t>();
  check_widths<std::int32_t>();
  check_widths<std::uint64_t>();
  check_widths<mgpu::detail::uint128>();
}

// Each value comes a few times: the order of equal keys shows in their values, and for zeros in the keys.
BOOST_AUTO_TEST_CASE(few_alike) {
  std::vector<std::uint32_t> keys = test::radix_keys<std::uint32_t>(roomy::tile_items - 3, 1);
  for (auto& key : keys) key %= 200;
  check_both_directions<roomy>(keys);
  std::vector<float> floats;
  for (auto const key : keys) floats.push_back(key % 3 == 0 ? 0.0f : key % 3 == 1 ? -0.0f : static_cast<float>(key));
  for (std::size_t i = 0; i < floats.size(); ++i) {
    if (i % 12 != 0 && floats[i] == 0.0f) floats[i] = static_cast<float>(i) - 500;
  }
  check_both_directions<roomy>(floats);
}

BOOST_AUTO_TEST_CASE(other_tunings) {
  check_ascending<test::block_tuning<32, 1>>(test::radix_keys<std::uint32_t>(30, 7));
  check_ascending<test::block_tuning<256, 4>>(test::radix_keys<std::uint32_t>(1000, 7));
  check_ascending<test::block_tuning<1024, 1, 5>>(test::radix_keys<std::uint32_t>(1024, 7));
}

// There are more digits than the block has threads, and keys so much alike that no bucket could hold them.
BOOST_AUTO_TEST_CASE(many_digits) {
  auto keys = test::radix_keys<std::uint64_t>(1000, 7);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = (i % 5 == 0 ? keys[i] : i % 3) | std::uint64_t{1} << 63;
  check_both_directions<test::block_tuning<32, 32, 1>>(keys);
}

BOOST_AUTO_TEST_SUITE_END()
