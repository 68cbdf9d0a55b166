// Runs block_merge on one pair of runs a block, for every split of a number of items, between strangers: keys that no
// input holds.
#pragma once
#include <mgpu/detail/block/joined_pair.cuh>
#include <mgpu/detail/block/merge.cuh>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/simt/simt.cuh>
#include <support/device.h>
#include <support/guarded.h>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace test {

struct split {
  int a_count, b_count;
};

// Returns every split of each of these numbers of items.
inline std::vector<split> splits_of(std::vector<int> const& counts) {
  std::vector<split> made;
  for (int const count : counts) {
    for (int a_count = 0; a_count <= count; ++a_count) made.push_back({a_count, count - a_count});
  }
  return made;
}

// It reads as a pointer does, but is none.
template <class T>
struct fancy {
  using value_type = T;
  T const* memory;
  __host__ __device__ friend fancy operator+(fancy it, std::int64_t distance) { return {it.memory + distance}; }
  __host__ __device__ T operator*() const { return *memory; }
};

// A block's runs lie a tile and one stranger apart.
template <class Key, class Value, int threads, int items, class KeysB, class Comp>
__global__ void merge_tile_kernel(Key const* keys_a, KeysB keys_b, Value const* values_a, Value const* values_b,
                                  split const* splits, Key stranger, Key* keys_out, Value* values_out, Comp comp) {
  namespace simt = mgpu::detail::simt;
  using namespace mgpu::detail;
  using merger = block_merge<Key, Value, threads, items>;
  constexpr int tile = threads * items;
  auto& temp = simt::shared<typename merger::temp_storage>();
  for (int i = static_cast<int>(simt::thread_rank()); i < tile + items; i += threads) temp.keys[i] = stranger;
  simt::sync_block();

  auto const block = static_cast<std::int64_t>(simt::block_rank());
  split const runs = splits[block];
  std::int64_t const run = block * (tile + 1);
  std::int64_t const out = block * tile;
  int const ends[2]{runs.a_count, runs.a_count + runs.b_count};
  joined_pair<Key const*, KeysB> const keys{keys_a + run, runs.a_count, keys_b + run};
  if constexpr (has_values<Value>) {
    joined_pair<Value const*, Value const*> const values{values_a + run, runs.a_count, values_b + run};
    merger::merge(temp, keys, values, ends, keys_out + out, values_out + out, comp);
  } else {
    joined_pair<no_values, no_values> const values{{}, runs.a_count, {}};
    merger::merge(temp, keys, values, ends, keys_out + out, no_values{}, comp);
  }
}

// Returns one sorted run a block, of the count that `count` picks from its split, with strangers behind it.
template <class Key, class Order>
std::vector<Key> sorted_runs(std::vector<split> const& splits, int split::*count, int tile,
                             std::uint32_t num_distinct, std::uint32_t seed, Order order) {
  std::vector<Key> made;
  for (split const& runs : splits) {
    auto const run_items = static_cast<std::size_t>(runs.*count);
    std::vector<Key> run = random_keys<Key>(run_items, num_distinct, seed++);
    std::stable_sort(run.begin(), run.end(),
                     [&](Key const& a, Key const& b) { return order(number_of(a), number_of(b)); });
    run.resize(static_cast<std::size_t>(tile) + 1, stranger<Key>());
    made.insert(made.end(), run.begin(), run.end());
  }
  return made;
}

// Returns the first `valid` items of each block's output, with strangers behind them.
template <class T>
struct tiles_of {
  std::vector<T> items;
  void add(std::vector<T> const& a, std::size_t a_place, std::vector<T> const& b, std::size_t b_place,
           std::vector<bool> const& from_a, int tile) {
    for (bool const take_a : from_a) items.push_back(take_a ? a[a_place++] : b[b_place++]);
    items.resize(items.size() + static_cast<std::size_t>(tile) - from_a.size(), stranger<T>());
  }
};

template <class Key, class Value, int threads, int items, class Order, bool one_type = true>
void check_merged_tiles(std::vector<split> const& splits, std::uint32_t num_distinct, Order order) {
  constexpr int tile = threads * items;
  constexpr bool with_values = mgpu::detail::has_values<Value>;
  using stored_value = std::conditional_t<with_values, Value, unsigned char>;
  using kernel_keys_b = std::conditional_t<one_type, Key const*, fancy<Key>>;
  using storage = typename mgpu::detail::block_merge<Key, Value, threads, items>::temp_storage;

  auto const a = sorted_runs<Key>(splits, &split::a_count, tile, num_distinct, 1, order);
  auto const b = sorted_runs<Key>(splits, &split::b_count, tile, num_distinct, 100000, order);
  auto const a_values = random_keys<stored_value>(a.size(), key_bound, 3);
  auto const b_values = random_keys<stored_value>(b.size(), key_bound, 4);
  tiles_of<Key> expected;
  tiles_of<stored_value> expected_values;
  for (std::size_t block = 0; block < splits.size(); ++block) {
    std::size_t const place = block * (tile + 1);
    auto const run = [&](std::vector<Key> const& keys, int count) {
      auto const begin = keys.begin() + static_cast<std::ptrdiff_t>(place);
      return std::vector<Key>(begin, begin + count);
    };
    auto const from_a = merge_steps(run(a, splits[block].a_count), run(b, splits[block].b_count), order);
    expected.add(a, place, b, place, from_a, tile);
    expected_values.add(a_values, place, b_values, place, from_a, tile);
  }

  stranger_flag strangers;
  buffer<Key> keys_a(a), keys_b(b), keys_out(std::vector<Key>(expected.items.size(), stranger<Key>()));
  buffer<stored_value> values_a(a_values), values_b(b_values);
  buffer<stored_value> values_out(std::vector<stored_value>(expected.items.size(), stranger<stored_value>()));
  buffer<split> device_splits(splits);
  auto const launch = [&](auto const* in_a, auto const* in_b, auto* out) {
    run_kernel(merge_tile_kernel<Key, Value, threads, items, kernel_keys_b, guarded<Order>>,
               static_cast<unsigned>(splits.size()), threads, sizeof(storage),
               static_cast<Key const*>(keys_a.begin()), kernel_keys_b{keys_b.begin()}, in_a, in_b,
               static_cast<split const*>(device_splits.begin()), stranger<Key>(), keys_out.begin(), out,
               strangers.comparator(order));
  };
  BOOST_TEST_CONTEXT(threads << " threads of " << items << " items of " << sizeof(Key) << " + " << sizeof(Value)
                             << " B, " << num_distinct << " different") {
    if constexpr (with_values) {
      launch(static_cast<Value const*>(values_a.begin()), static_cast<Value const*>(values_b.begin()),
             values_out.begin());
      BOOST_TEST(same_bytes(values_out.get(), expected_values.items));
    } else {
      launch(static_cast<Value const*>(nullptr), static_cast<Value const*>(nullptr), static_cast<Value*>(nullptr));
    }
    BOOST_TEST(!strangers.raised());
    BOOST_TEST(same_bytes(keys_out.get(), expected.items));
  }
}

}  // namespace test
