// Inputs of sorts that are made of natural runs.
#pragma once
#include <backend/sorts.h>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace test {

using lengths = std::vector<std::size_t>;

// Returns keys that are runs of these lengths: each goes up by 0 to 3 a key, and the next begins below where it ends.
template <class Key>
std::vector<Key> made_of_runs(lengths const& runs, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<Key> keys;
  std::uint32_t number = 4000;
  for (std::size_t const length : runs) {
    number = number / 2 + static_cast<std::uint32_t>(random() % 100);
    if (!keys.empty())
      number = std::min<std::uint32_t>(number, static_cast<std::uint32_t>(number_of(keys.back())) - 1);
    for (std::size_t i = 0; i < length; ++i) {
      keys.push_back(make_key<Key>(number, static_cast<std::uint32_t>(keys.size())));
      number += static_cast<std::uint32_t>(random() % 4);
    }
    number += 2;  // so that the next has room below
  }
  return keys;
}

// Returns `count` runs that have so many items in all; some have one alone.
inline lengths uneven(std::size_t count, std::size_t items, std::uint32_t seed) {
  std::mt19937 random(seed);
  lengths runs(count, 1);
  for (std::size_t left = items - count; left > 0;) {
    std::size_t const more = std::min<std::size_t>(left, 1 + random() % (2 * items / count + 1));
    runs[random() % count] += more;
    left -= more;
  }
  return runs;
}

using by_warps = sort_tuning<32, 2, 32, 2, 0, 1000, 1>;

}  // namespace test
