// The tests of sorts by index share this check.
#pragma once
#include <backend/sorts.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>

namespace test {

using indexed_selector = sort_tuning<32, 3>;

// Calls check(count) for sizes up to a tile, and beyond it with an odd and an even number of passes.
template <class Key, class Value, class Check>
void for_some_counts(Check check) {
  for (std::size_t const count : {1, 96, 97, 190, 700}) {
    BOOST_TEST_CONTEXT(count << " items of " << sizeof(Key) << " + " << sizeof(Value) << " B") {
      check(sort_case<Key, Value, ascending>(count, 20, static_cast<std::uint32_t>(count), {}));
    }
  }
}

}  // namespace test
