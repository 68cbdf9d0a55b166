// block_merge merges four runs, for all ways to share small tiles among them, and tiles that are full to the last
// item.
#include <mgpu/detail/block/joined_shares.cuh>
#include <mgpu/detail/block/merge.cuh>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/simt/simt.cuh>
#include <support/device.h>
#include <support/guarded.h>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

BOOST_AUTO_TEST_SUITE(block_merge_four, *boost::unit_test::precondition(test::can_run{}))

namespace {

constexpr int num_runs = 4;
using counts = std::array<int, num_runs>;
using shares = mgpu::detail::run_shares<num_runs>;

template <class Key, class Value, int threads, int items>
struct blocks {
  using merger = mgpu::detail::block_merge<Key, Value, threads, items, num_runs>;
  struct storage {
    typename merger::temp_storage of_block;
    shares of_runs;
  };
};

// Each block has a tile. The output of tile t begins at t * (a tile and a stranger).
template <class Key, class Value, int threads, int items, class Comp>
__global__ void merge_four_kernel(Key const* keys, Value const* values, shares const* of_tiles, Key stranger,
                                  Key* keys_out, Value* values_out, Comp comp) {
  namespace simt = mgpu::detail::simt;
  using namespace mgpu::detail;
  using merger = typename blocks<Key, Value, threads, items>::merger;
  auto& temp = simt::shared<typename blocks<Key, Value, threads, items>::storage>();
  constexpr int room = threads * items + items;
  for (int i = static_cast<int>(simt::thread_rank()); i < room; i += threads) temp.of_block.keys[i] = stranger;
  if (simt::thread_rank() == 0) temp.of_runs = of_tiles[simt::block_rank()];
  simt::sync_block();

  joined_shares<Key const*, num_runs> const joined{keys, temp.of_runs};
  std::int64_t const out = static_cast<std::int64_t>(simt::block_rank()) * (threads * items + 1);
  if constexpr (has_values<Value>) {
    joined_shares<Value const*, num_runs> const joined_values{values, temp.of_runs};
    merger::merge(temp.of_block, joined, joined_values, temp.of_runs.ends, keys_out + out, values_out + out, comp);
  } else {
    joined_shares<no_values, num_runs> const joined_values{{}, temp.of_runs};
    merger::merge(temp.of_block, joined, joined_values, temp.of_runs.ends, keys_out + out, no_values{}, comp);
  }
}

// The runs of a tile lie apart, in an order of their own, with strangers around each.
template <class Key, class Value, int threads, int items, class Order>
void check_tiles(std::vector<counts> const& tiles, std::uint32_t num_distinct, Order order) {
  constexpr bool with_values = mgpu::detail::has_values<Value>;
  using stored_value = std::conditional_t<with_values, Value, unsigned char>;
  constexpr std::size_t room = threads * items + 1;
  auto const comp = [&](Key const& a, Key const& b) { return order(test::number_of(a), test::number_of(b)); };

  std::vector<Key> keys{test::stranger<Key>()};
  std::vector<shares> of_tiles;
  std::vector<std::size_t> sources;  // sources[i] is the place in `keys` of item i of the output
  constexpr std::size_t none = 0;
  std::uint32_t seed = 1;
  for (counts const& tile : tiles) {
    shares of_runs{};
    std::array<std::size_t, num_runs> begins{};
    for (std::size_t const r : {2, 0, 3, 1}) {
      auto run = test::random_keys<Key>(static_cast<std::size_t>(tile[r]), num_distinct, seed++);
      std::stable_sort(run.begin(), run.end(), comp);
      begins[r] = keys.size();
      keys.insert(keys.end(), run.begin(), run.end());
      keys.push_back(test::stranger<Key>());
    }
    std::vector<std::size_t> merged;
    for (std::size_t r = 0; r < num_runs; ++r) {
      of_runs.offsets[r] = static_cast<std::int64_t>(begins[r]) - static_cast<std::int64_t>(merged.size());
      for (int i = 0; i < tile[r]; ++i) merged.push_back(begins[r] + static_cast<std::size_t>(i));
      of_runs.ends[r] = static_cast<int>(merged.size());
    }
    std::stable_sort(merged.begin(), merged.end(),
                     [&](std::size_t a, std::size_t b) { return comp(keys[a], keys[b]); });
    merged.resize(room, none);
    sources.insert(sources.end(), merged.begin(), merged.end());
    of_tiles.push_back(of_runs);
  }
  auto values = test::random_keys<stored_value>(keys.size(), test::key_bound, 3);
  values[none] = test::stranger<stored_value>();
  std::vector<Key> expected;
  std::vector<stored_value> expected_values;
  for (std::size_t const source : sources) {
    expected.push_back(keys[source]);
    expected_values.push_back(values[source]);
  }

  test::stranger_flag strangers;
  test::buffer<Key> keys_in(keys), keys_out(std::vector<Key>(expected.size(), test::stranger<Key>()));
  test::buffer<stored_value> values_in(values);
  test::buffer<stored_value> values_out(std::vector<stored_value>(expected.size(), test::stranger<stored_value>()));
  test::buffer<shares> device_shares(of_tiles);
  auto const run = [&](Value const* in, Value* out) {
    test::run_kernel(merge_four_kernel<Key, Value, threads, items, test::guarded<Order>>,
                     static_cast<unsigned>(tiles.size()), threads,
                     sizeof(typename blocks<Key, Value, threads, items>::storage),
                     static_cast<Key const*>(keys_in.begin()), in, static_cast<shares const*>(device_shares.begin()),
                     test::stranger<Key>(), keys_out.begin(), out, strangers.comparator(order));
  };
  BOOST_TEST_CONTEXT(threads << " threads of " << items << " items of " << sizeof(Key) << " + " << sizeof(Value)
                             << " B, " << num_distinct << " different") {
    if constexpr (with_values) {
      run(values_in.begin(), values_out.begin());
      BOOST_TEST(test::same_bytes(values_out.get(), expected_values));
    } else {
      run(nullptr, nullptr);
    }
    BOOST_TEST(!strangers.raised());
    BOOST_TEST(test::same_bytes(keys_out.get(), expected));
  }
}

// Returns every way to share so many items among the runs, in steps.
std::vector<counts> ways_to_share(int num_items, int step) {
  std::vector<counts> made;
  for (int a = 0; a <= num_items; a += step) {
    for (int b = 0; a + b <= num_items; b += step) {
      for (int c = 0; a + b + c <= num_items; c += step) made.push_back({a, b, c, num_items - a - b - c});
    }
  }
  return made;
}

using no_value = mgpu::detail::no_value;

}  // namespace

BOOST_AUTO_TEST_CASE(few_items) {
  for (int const num_items : {0, 1, 2, 5}) {
    check_tiles<std::uint32_t, std::uint32_t, 32, 1>(ways_to_share(num_items, 1), 2, test::ascending{});
    check_tiles<std::uint32_t, std::uint32_t, 32, 3>(ways_to_share(num_items, 1), 2, test::ascending{});
  }
}

// A full tile has a thread's share less than the threads might have.
BOOST_AUTO_TEST_CASE(full_tiles) {
  check_tiles<std::uint32_t, std::uint32_t, 32, 1>(ways_to_share(31, 2), 3, test::ascending{});
  check_tiles<std::uint32_t, std::uint32_t, 32, 5>(ways_to_share(31 * 5, 9), 3, test::ascending{});
  check_tiles<std::uint32_t, std::uint32_t, 64, 7>(ways_to_share(63 * 7, 49), test::key_bound, test::ascending{});
  check_tiles<std::uint32_t, std::uint32_t, 64, 2>(ways_to_share(63 * 2, 21), test::key_bound, test::descending{});
}

BOOST_AUTO_TEST_CASE(all_but_full_tiles) {
  check_tiles<std::uint32_t, std::uint32_t, 32, 5>(ways_to_share(31 * 5 - 1, 22), 3, test::ascending{});
}

BOOST_AUTO_TEST_CASE(no_values) {
  check_tiles<std::uint32_t, no_value, 32, 5>(ways_to_share(31 * 5, 31), 3, test::ascending{});
  check_tiles<test::item<16, 4>, no_value, 32, 5>(ways_to_share(31 * 5, 31), 3, test::ascending{});
}

BOOST_AUTO_TEST_CASE(types) {
  auto const tiles = ways_to_share(31 * 3, 31);
  check_tiles<std::uint8_t, std::uint64_t, 32, 3>(tiles, test::key_bound, test::ascending{});
  check_tiles<std::uint16_t, std::uint8_t, 32, 3>(tiles, test::key_bound, test::ascending{});
  check_tiles<std::uint64_t, test::item<24, 8>, 32, 3>(tiles, test::key_bound, test::ascending{});
  check_tiles<test::item<12, 4>, std::uint16_t, 32, 3>(tiles, test::key_bound, test::ascending{});
  check_tiles<test::item<9, 1>, test::item<16, 16>, 32, 3>(tiles, test::key_bound, test::ascending{});
}

BOOST_AUTO_TEST_SUITE_END()
