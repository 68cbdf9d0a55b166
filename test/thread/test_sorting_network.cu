// odd_even_transposition_sort sorts as many items as it is told, is stable, and takes the indices along.
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/thread/sorting_network.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <support/device.h>
#include <support/guarded.h>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(sorting_network, *boost::unit_test::precondition(test::can_run{}))

namespace {

// Each thread sorts the first `count` keys of a sequence. Its indices start as 100, 101, ...
template <int num_items, class Key, class Index, class Comp>
__global__ void sort_kernel(Key* keys, int num_sequences, int count, int* indices_out, Comp comp) {
  auto const i = static_cast<int>(mgpu::detail::simt::block_rank() * 64 + mgpu::detail::simt::thread_rank());
  if (i >= num_sequences) return;
  Key mine[num_items];
  Index indices[num_items];
#pragma unroll
  for (int k = 0; k < num_items; ++k) {
    mine[k] = keys[i * num_items + k];
    indices[k] = Index(100 + k);
  }
  mgpu::detail::odd_even_transposition_sort(mine, indices, count, comp);
#pragma unroll
  for (int k = 0; k < num_items; ++k) {
    keys[i * num_items + k] = mine[k];
    indices_out[i * num_items + k] = static_cast<int>(indices[k]);
  }
}

// `input` holds sequences of num_items, one behind the other. What comes after the first `count` of each are made strangers.
template <int num_items, class Index, class Key, class Order>
void check(std::vector<Key> input, Order order, int count = num_items) {
  BOOST_TEST_CONTEXT(count << " of " << num_items << " items of " << sizeof(Key) << " B") {
    for (std::size_t i = 0; i < input.size(); ++i) {
      if (static_cast<int>(i % num_items) >= count) input[i] = test::stranger<Key>();
    }
    std::vector<Key> expected;
    std::vector<int> expected_indices;
    for (std::size_t begin = 0; begin < input.size(); begin += num_items) {
      auto const first = input.begin() + static_cast<std::ptrdiff_t>(begin);
      std::vector<Key> const sequence(first, first + count);
      auto const sorted = test::stable_order<Key>(
          sequence, [&](Key const& a, Key const& b) { return order(test::number_of(a), test::number_of(b)); });
      for (std::size_t const from : sorted) {
        expected.push_back(sequence[from]);
        expected_indices.push_back(100 + static_cast<int>(from));
      }
      for (int rest = count; rest < num_items; ++rest) {
        expected.push_back(test::stranger<Key>());
        expected_indices.push_back(100 + rest);
      }
    }
    test::stranger_flag strangers;
    test::buffer<Key> keys(input);
    test::buffer<int> indices(input.size());
    auto const num_sequences = static_cast<unsigned>(input.size() / num_items);
    test::run_kernel(sort_kernel<num_items, Key, Index, test::guarded<Order>>, (num_sequences + 63) / 64, 64, 0,
                     keys.begin(), static_cast<int>(num_sequences), count, indices.begin(),
                     strangers.comparator(order));
    BOOST_TEST(!strangers.raised());
    BOOST_TEST(test::same_bytes(keys.get(), expected));
    if constexpr (mgpu::detail::has_values<Index>) BOOST_TEST(test::same_bytes(indices.get(), expected_indices));
  }
}

template <int num_items>
std::vector<std::uint32_t> all_of_zeros_and_ones() {
  std::vector<std::uint32_t> made;
  for (unsigned bits = 0; bits < 1u << num_items; ++bits) {
    for (int i = 0; i < num_items; ++i) made.push_back(bits >> i & 1);
  }
  return made;
}

// A network that sorts all of these sorts everything (Knuth, volume 3, 5.3.4, theorem Z).
template <int... less_one>
void check_zeros_and_ones(std::integer_sequence<int, less_one...>) {
  (check<less_one + 1, int>(all_of_zeros_and_ones<less_one + 1>(), test::ascending{}), ...);
  (check<less_one + 1, int>(all_of_zeros_and_ones<less_one + 1>(), test::descending{}), ...);
}

template <int num_items, class Key>
std::vector<Key> random_sequences(std::uint32_t num_distinct) {
  return test::random_keys<Key>(500 * num_items, num_distinct, num_items);
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_sequences_of_zeros_and_ones) { check_zeros_and_ones(std::make_integer_sequence<int, 9>{}); }

BOOST_AUTO_TEST_CASE(every_count) {
  for (int count = 0; count <= 9; ++count) {
    check<9, int>(all_of_zeros_and_ones<9>(), test::ascending{}, count);
    check<9, int>(random_sequences<9, std::uint32_t>(5), test::descending{}, count);
    check<8, mgpu::detail::no_value>(random_sequences<8, test::item<16, 8>>(4), test::ascending{},
                                     std::min(count, 8));
  }
}

BOOST_AUTO_TEST_CASE(random) {
  check<11, int>(random_sequences<11, std::uint8_t>(6), test::ascending{});
  check<17, int>(random_sequences<17, std::uint32_t>(test::key_bound), test::ascending{});
  check<17, int>(random_sequences<17, std::uint32_t>(5), test::descending{});
  check<5, int>(random_sequences<5, std::uint64_t>(3), test::ascending{});
}

// The bytes of the items tell equal keys apart.
BOOST_AUTO_TEST_CASE(without_indices) {
  using item = test::item<16, 8>;
  check<7, mgpu::detail::no_value>(random_sequences<7, item>(4), test::ascending{});
  check<12, mgpu::detail::no_value>(random_sequences<12, item>(4), test::descending{});
}

BOOST_AUTO_TEST_SUITE_END()
