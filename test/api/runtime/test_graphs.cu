// Every function that returns at once under par_nosync, captured into a CUDA graph and replayed on other data each time.
#include <mgpu/mgpu.h>
#include <support/items.h>
#include <support/memory.h>
#include <grid/scans.h>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

BOOST_AUTO_TEST_SUITE(graphs, *boost::unit_test::precondition(test::can_run{}))

namespace {

// Captures run(policy), and checks what comes of each of 100 replays.
template <class Run, class Refill, class Check>
void capture_and_replay(Run run, Refill refill, Check check) {
  test::stream const stream;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t runnable = nullptr;
  test::require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  run(mgpu::par_nosync.on(stream));
  test::require(cudaStreamEndCapture(stream, &graph));
  test::require(cudaGraphInstantiate(&runnable, graph, 0));
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    BOOST_TEST_CONTEXT("replay " << seed) {
      refill(seed);
      test::require(cudaDeviceSynchronize());
      test::require(cudaGraphLaunch(runnable, stream));
      test::require(cudaStreamSynchronize(stream));
      check(seed);
    }
  }
  test::require(cudaGraphExecDestroy(runnable));
  test::require(cudaGraphDestroy(graph));
}

// Tells equal keys apart by where they stand.
struct by_remainder {
  template <class T>
  __host__ __device__ bool operator()(T a, T b) const {
    return a % 1000 < b % 1000;
  }
};

// All sorts of one kind of keys, values and order, in one graph.
template <class Key, class Value, class Comp>
void check_sorts(std::size_t count, Comp comp) {
  test::buffer<Key> in(count);
  test::buffer<Key> keys(count);
  test::buffer<Key> out(count);
  test::buffer<Key> keys_out(count);
  test::buffer<Value> values(test::numbered<Value>(count));
  test::buffer<Value> values_out(count);
  test::buffer<std::uint32_t> indices(count);
  test::buffer<std::uint32_t> places(count);
  std::vector<Key> items;
  auto const value_input = values.get();
  capture_and_replay(
      [&](auto const& policy) {
        mgpu::argsort(policy, in.begin(), in.end(), indices.begin(), comp);
        mgpu::sort_copy(policy, in.begin(), in.end(), out.begin(), comp);
        mgpu::sort_by_key_copy(policy, in.begin(), in.end(), values.begin(), keys_out.begin(), values_out.begin(),
                               comp);
        mgpu::sort_by_key(policy, keys.begin(), keys.end(), values.begin(), comp);
        mgpu::sort_with_indices(policy, keys.begin(), keys.end(), places.begin(), comp);
        mgpu::sort(policy, in.begin(), in.end(), comp);
      },
      [&](std::uint32_t seed) {
        auto const which = seed % 2 == 0 ? test::pattern::random : test::pattern::few_distinct;
        items = test::keys<Key>(which, count, seed);
        in.set(items);
        keys.set(items);
        values.set(value_input);
      },
      [&](std::uint32_t) {
        auto const order = test::stable_order<Key>(items, comp);
        auto const sorted = test::permuted(items, order);
        auto const sorted_values = test::permuted(value_input, order);
        BOOST_TEST(test::same_bytes(indices.get(), std::vector<std::uint32_t>(order.begin(), order.end())));
        BOOST_TEST(test::same_bytes(out.get(), sorted));
        BOOST_TEST(test::same_bytes(keys_out.get(), sorted));
        BOOST_TEST(test::same_bytes(values_out.get(), sorted_values));
        BOOST_TEST(test::same_bytes(keys.get(), sorted));
        BOOST_TEST(test::same_bytes(values.get(), sorted_values));
        std::vector<std::uint32_t> in_order(count);
        for (std::size_t i = 0; i < count; ++i) in_order[i] = static_cast<std::uint32_t>(i);
        BOOST_TEST(test::same_bytes(places.get(), in_order));
        BOOST_TEST(test::same_bytes(in.get(), sorted));
      });
}

void check_merges(std::size_t count) {
  using word = std::uint32_t;
  test::buffer<word> first(count);
  test::buffer<word> second(2 * count);
  test::buffer<word> first_values(count);
  test::buffer<word> second_values(2 * count);
  test::buffer<word> out(3 * count);
  test::buffer<word> keys_out(3 * count);
  test::buffer<word> values_out(3 * count);
  std::vector<word> expected(3 * count);
  auto const complements = [](std::vector<word> items) {
    for (word& item : items) item = ~item;
    return items;
  };
  capture_and_replay(
      [&](auto const& policy) {
        mgpu::merge(policy, first.begin(), first.end(), second.begin(), second.end(), out.begin());
        mgpu::merge_by_key(policy, first.begin(), first.end(), second.begin(), second.end(), first_values.begin(),
                           second_values.begin(), keys_out.begin(), values_out.begin());
      },
      [&](std::uint32_t seed) {
        auto a = test::keys<word>(test::pattern::random, count, 2 * seed);
        auto b = test::keys<word>(test::pattern::random, 2 * count, 2 * seed + 1);
        std::sort(a.begin(), a.end());
        std::sort(b.begin(), b.end());
        first.set(a);
        second.set(b);
        std::merge(a.begin(), a.end(), b.begin(), b.end(), expected.begin());
        first_values.set(complements(a));
        second_values.set(complements(b));
      },
      [&](std::uint32_t) {
        BOOST_TEST(test::same_bytes(out.get(), expected));
        BOOST_TEST(test::same_bytes(keys_out.get(), expected));
        BOOST_TEST(test::same_bytes(values_out.get(), complements(expected)));
      });
}

// A reduction to memory, of which the next one reads what the first wrote.
template <class T, class Op>
void check_reductions(std::size_t count, T const& init, Op op) {
  test::buffer<T> in(count);
  test::buffer<T> result(std::vector<T>{init});
  test::buffer<T> again(std::vector<T>{init});
  std::vector<T> items;
  capture_and_replay(
      [&](auto const& policy) {
        mgpu::reduce_into(policy, in.begin(), in.end(), result.begin(), init, op);
        mgpu::reduce_into(policy, result.begin(), result.end(), again.begin(), init, op);
      },
      [&](std::uint32_t seed) {
        items = test::make_items<T>(count, seed);
        in.set(items);
      },
      [&](std::uint32_t) {
        T const sum = *test::scan_one_by_one<T>(items, std::optional<T>(init), op).total;
        BOOST_TEST(test::same_items(result.get(), {sum}));
        BOOST_TEST(test::same_items(again.get(), {op(init, sum)}));
      });
}

template <class T, class Op>
void check_scans(std::size_t count, T const& init, Op op) {
  test::buffer<T> in(count);
  test::buffer<T> out(count);
  test::buffer<T> total(1);
  std::vector<T> items;
  capture_and_replay(
      [&](auto const& policy) {
        mgpu::exclusive_scan_with_total(policy, in.begin(), in.end(), out.begin(), total.begin(), init, op);
        mgpu::inclusive_scan(policy, in.begin(), in.end(), in.begin(), op);
      },
      [&](std::uint32_t seed) {
        items = test::make_items<T>(count, seed);
        in.set(items);
      },
      [&](std::uint32_t) {
        auto const after = test::scan_one_by_one<T>(items, std::optional<T>(init), op);
        BOOST_TEST(test::same_items(out.get(), after.exclusive));
        BOOST_TEST(test::same_items(total.get(), {*after.total}));
        BOOST_TEST(test::same_items(in.get(), test::scan_one_by_one<T>(items, {}, op).inclusive));
      });
}

}  // namespace

BOOST_AUTO_TEST_CASE(radix_sorts_in_a_block) { check_sorts<std::uint32_t, std::uint32_t>(1000, cuda::std::less<>{}); }
BOOST_AUTO_TEST_CASE(radix_sorts) { check_sorts<std::uint32_t, std::uint64_t>(100003, cuda::std::greater<>{}); }
BOOST_AUTO_TEST_CASE(counting_sorts) { check_sorts<std::uint8_t, std::uint32_t>(300003, cuda::std::less<>{}); }
BOOST_AUTO_TEST_CASE(merge_sorts_in_a_block) { check_sorts<std::uint32_t, std::uint32_t>(1000, by_remainder{}); }
BOOST_AUTO_TEST_CASE(merge_sorts) { check_sorts<std::uint64_t, std::uint32_t>(100003, by_remainder{}); }
BOOST_AUTO_TEST_CASE(large_values) { check_sorts<std::uint32_t, test::item<40, 4>>(50003, cuda::std::less<>{}); }
BOOST_AUTO_TEST_CASE(large_keys) { check_sorts<test::item<40, 4>, std::uint32_t>(50003, test::by_key{}); }

BOOST_AUTO_TEST_CASE(merges_in_a_block) { check_merges(300); }
BOOST_AUTO_TEST_CASE(merges) { check_merges(100003); }

BOOST_AUTO_TEST_CASE(reductions) {
  for (std::size_t const count : {0, 1000, 1000003}) check_reductions<std::uint32_t>(count, 5, cuda::std::plus<>{});
}
BOOST_AUTO_TEST_CASE(reductions_in_order) {
  check_reductions<test::matrix<2>>(200003, test::matrix<2>::make(999), test::multiply{});
}

BOOST_AUTO_TEST_CASE(scans_of_one_tile) { check_scans<std::uint32_t>(1000, 5, cuda::std::plus<>{}); }
BOOST_AUTO_TEST_CASE(scans) { check_scans<std::uint32_t>(1000003, 5, cuda::std::plus<>{}); }
BOOST_AUTO_TEST_CASE(scans_in_order) {
  check_scans<test::matrix<2>>(200003, test::matrix<2>::make(999), test::multiply{});
}

// The captured total of no items.
BOOST_AUTO_TEST_CASE(scans_of_nothing) {
  test::buffer<std::uint32_t> total(1);
  std::uint32_t* const none = total.begin();
  capture_and_replay(
      [&](auto const& policy) {
        mgpu::exclusive_scan_with_total(policy, none, none, none, total.begin(), std::uint32_t{42});
      },
      [&](std::uint32_t seed) { total.set({seed}); }, [&](std::uint32_t) { BOOST_TEST(total.get()[0] == 42u); });
}

BOOST_AUTO_TEST_SUITE_END()
