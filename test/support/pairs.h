// Checks a sort of keys with values against the standard library.
#pragma once
#include <support/items.h>
#include <mgpu/sort.h>
#include <cstddef>
#include <vector>

namespace test {

// Sorts `count` keys of the pattern, and as many values, by sort(keys_first, keys_last, values_first).
template <class K, class V, class Sort, class Comp>
void check_pairs(pattern which, std::size_t count, Sort sort, Comp comp) {
  BOOST_TEST_CONTEXT(which << ", " << count << " items, keys of " << sizeof(K) << " bytes, values of " << sizeof(V)) {
    auto const key_input = test::keys<K>(which, count);
    auto const value_input = numbered<V>(count);
    buffer<stored_t<K>> keys(key_input);
    buffer<V> values(value_input);
    K* const first = reinterpret_cast<K*>(keys.begin());
    sort(first, first + count, values.begin());
    auto const order = stable_order<K>(key_input, comp);
    BOOST_TEST(same_bytes(keys.get(), permuted(key_input, order)));
    BOOST_TEST(same_bytes(values.get(), permuted(value_input, order)));
  }
}

}  // namespace test
