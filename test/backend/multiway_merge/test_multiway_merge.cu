// Up to four runs are merged that lie anywhere in one memory, with their values elsewhere, and strangers between them.
#include <mgpu/detail/backend/multiway_merge/multiway_merge.cuh>
#include <mgpu/detail/core/multiway_merge_problem.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/pool.h>
#include <mgpu/detail/runtime/scratch.h>
#include <support/device.h>
#include <support/guarded.h>
#include <support/items.h>
#include <support/schedules.h>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

BOOST_AUTO_TEST_SUITE(multiway_merge, *boost::unit_test::precondition(test::can_run{}))

namespace {

using mgpu::detail::column;
using mgpu::detail::has_values;
using mgpu::detail::no_value;

constexpr int num_runs = 4;
using counts = std::array<std::size_t, num_runs>;

struct small_tiles {
  __host__ __device__ static constexpr mgpu::detail::multiway_merge_tuning at(int) { return {{32, 3, 1}, 32}; }
};
constexpr std::size_t tile_items = small_tiles::at(90).tile_items();

// Memory with the runs in it, each behind a gap.
template <class T>
struct runs_in_memory {
  std::vector<T> memory;
  std::array<std::int64_t, num_runs> begins{};

  void add(std::size_t run, std::size_t gap, std::vector<T> const& items, T const& stranger) {
    memory.insert(memory.end(), gap, stranger);
    begins[run] = static_cast<std::int64_t>(memory.size());
    memory.insert(memory.end(), items.begin(), items.end());
  }
};

template <class Problem, class Begins>
void set_runs(Problem& problem, Begins const& key_begins, Begins const& value_begins, counts const& sizes) {
  for (std::size_t r = 0; r < num_runs; ++r) {
    problem.key_begins[r] = key_begins[r];
    problem.value_begins[r] = value_begins[r];
    problem.counts[r] = static_cast<std::int64_t>(sizes[r]);
  }
}

template <class Key, class Value>
void check(counts const& sizes, std::uint32_t num_distinct, std::uint32_t seed) {
  std::mt19937 random(seed);
  test::ascending const order{};
  auto const comes_first = [&](Key const& a, Key const& b) { return order(test::number_of(a), test::number_of(b)); };
  runs_in_memory<Key> key_runs;
  runs_in_memory<Value> value_runs;
  std::vector<Key> keys;
  std::size_t num_items = 0;
  for (std::size_t const size : sizes) num_items += size;
  auto const values = test::numbered<Value>(num_items);
  for (std::size_t r = 0; r < num_runs; ++r) {
    auto run = test::random_keys<Key>(sizes[r], num_distinct, seed * 10 + static_cast<std::uint32_t>(r));
    std::stable_sort(run.begin(), run.end(), comes_first);
    auto const first = values.begin() + static_cast<std::ptrdiff_t>(keys.size());
    key_runs.add(r, random() % 5, run, test::stranger<Key>());
    value_runs.add(r, random() % 5, std::vector<Value>(first, first + static_cast<std::ptrdiff_t>(sizes[r])),
                   test::stranger<Value>());
    keys.insert(keys.end(), run.begin(), run.end());
  }
  auto const from =
      test::stable_order(num_items, [&](std::size_t a, std::size_t b) { return comes_first(keys[a], keys[b]); });

  test::stranger_flag strangers;
  auto const comp = strangers.comparator(order);
  test::buffer<Key> key_memory(key_runs.memory);
  test::buffer<Value> value_memory(value_runs.memory);
  test::buffer<Key> keys_out(num_items);
  test::buffer<Key> keys_alone(num_items);
  test::buffer<Value> values_out(num_items);
  auto const run = [&](auto const& problem) {
    mgpu::detail::scratch_of source(mgpu::detail::pool_scratch{});
    mgpu::detail::device_call call("a test", cudaStreamLegacy, true, source);
    mgpu::detail::multiway_merge<small_tiles>(call, problem, comp);
    call.finish();
  };
  mgpu::detail::multiway_merge_problem<Key, Value, Key*, Value*> with_values{
      key_memory.begin(), value_memory.begin(), {}, {}, {}, keys_out.begin(), values_out.begin()};
  set_runs(with_values, key_runs.begins, value_runs.begins, sizes);
  run(with_values);
  BOOST_TEST(test::same_bytes(keys_out.get(), test::permuted(keys, from)));
  BOOST_TEST(test::same_bytes(values_out.get(), test::permuted(values, from)));

  mgpu::detail::multiway_merge_problem<Key, no_value, Key*, column<no_value>> alone{
      key_memory.begin(), {}, {}, {}, {}, keys_alone.begin(), {}};
  set_runs(alone, key_runs.begins, value_runs.begins, sizes);
  run(alone);
  BOOST_TEST(test::same_bytes(keys_alone.get(), test::permuted(keys, from)));
  BOOST_TEST(!strangers.raised());
}

template <class Key, class Value>
void check_lengths() {
  constexpr std::size_t tile = tile_items;
  for (counts const& sizes :
       {counts{1, 0, 0, 0}, counts{0, 0, 0, 1}, counts{1, 1, 1, 1}, counts{tile, 0, 0, 0}, counts{0, tile, 0, 1},
        counts{tile - 2, 1, 0, 1}, counts{tile, tile, tile, tile}, counts{5 * tile + 7, 0, 3, 2 * tile},
        counts{1, 20 * tile, 1, 0}, counts{0, 0, 3 * tile, 3 * tile}}) {
    BOOST_TEST_CONTEXT("runs of " << sizes[0] << ", " << sizes[1] << ", " << sizes[2] << ", " << sizes[3]
                                  << " items") {
      for (std::uint32_t const num_distinct : {1u, 4u, test::key_bound}) check<Key, Value>(sizes, num_distinct, 1);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(small_items) { check_lengths<std::uint32_t, std::uint32_t>(); }
BOOST_AUTO_TEST_CASE(keys_of_16_bytes) { check_lengths<test::item<16, 8>, std::uint8_t>(); }
BOOST_AUTO_TEST_CASE(large_values) { check_lengths<std::uint16_t, test::item<200, 8>>(); }

BOOST_AUTO_TEST_CASE(schedules) {
  test::for_each_schedule(200, [](std::uint32_t seed) {
    std::mt19937 random(seed);
    counts sizes;
    for (std::size_t& size : sizes) size = random() % 4 == 0 ? 0 : random() % 400;
    if (sizes[0] + sizes[1] + sizes[2] + sizes[3] == 0) sizes[0] = 1;
    check<std::uint32_t, std::uint32_t>(sizes, 1 + seed % 9, seed);
  });
}

BOOST_AUTO_TEST_SUITE_END()
