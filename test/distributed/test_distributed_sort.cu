// Sorts over ranks: every rank keeps its number of items, and equal keys keep their order, by rank, then by place.
#include <mgpu/distributed.h>
#include <distributed/ranks.h>
#include <distributed/sorts.h>
#include <support/always.h>
#include <support/device.h>
#include <support/items.h>
#include <support/memory.h>
#include <boost/test/unit_test.hpp>
#include <cuda/std/iterator>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

BOOST_AUTO_TEST_SUITE(distributed_sort, *boost::unit_test::precondition(test::can_run_ranks()))

namespace {

struct by_low_byte {
  __host__ __device__ bool operator()(std::uint32_t a, std::uint32_t b) const { return (a & 255) < (b & 255); }
};

// Calls check(counts, pattern, seed) for numbers of ranks, ways to share items, and patterns of the whole. Some are
// so many that the cuts take several rounds.
template <class Check>
void for_each_whole(std::vector<std::size_t> const& sizes, Check check) {
  std::uint32_t seed = 1;
  for (int const ranks : test::numbers_of_ranks()) {
    for (std::size_t const usual : sizes) {
      if (!test::is_tried(ranks, usual)) continue;
      for (auto const& counts : test::ways_to_share(ranks, usual, seed)) {
        auto const pattern = test::all_patterns[seed % std::size(test::all_patterns)];
        BOOST_TEST_CONTEXT(ranks << " ranks, about " << usual << " items each, " << pattern << ", seed " << seed) {
          check(counts, pattern, seed);
        }
        ++seed;
      }
    }
  }
}

// Sorts keys with values, which sort(policy, keys, values, keys_out, values_out, count) sorts.
template <class Key, class Value, class Comp, class Sort>
void check_pairs(test::rank_counts const& counts, std::vector<Key> const& whole, Comp comp, std::uint32_t seed,
                 Sort sort) {
  auto const values = test::numbered<Value>(whole.size());
  std::vector<std::vector<Key>> key_results(counts.size());
  std::vector<std::vector<Value>> value_results(counts.size());
  test::run_ranks(static_cast<int>(counts.size()), seed, [&](ncclComm_t comm, int rank) {
    auto const place = static_cast<std::size_t>(rank);
    test::buffer<Key> keys(test::part_of(whole, counts, rank));
    test::buffer<Value> mine(test::part_of(values, counts, rank));
    test::buffer<Key> keys_out(keys.size());
    test::buffer<Value> values_out(keys.size());
    test::meet();
    test::run_by(seed % 3 == 1, mgpu::par, comm,
                 [&](auto const& policy) { sort(policy, keys, mine, keys_out, values_out); });
    key_results[place] = keys_out.get();
    value_results[place] = values_out.get();
  });
  auto const order = test::stable_order<Key>(whole, comp);
  BOOST_TEST(test::same_bytes(test::joined(key_results), test::permuted(whole, order)));
  BOOST_TEST(test::same_bytes(test::joined(value_results), test::permuted(values, order)));
}

}  // namespace

BOOST_AUTO_TEST_CASE(numbers) {
  for_each_whole(
      {3, 400, 5000, 1000000}, [](test::rank_counts const& counts, test::pattern pattern, std::uint32_t seed) {
        auto const whole = test::keys<std::uint32_t>(pattern, test::sum_of(counts), seed);
        // The memory of some is aligned to 4 bytes alone.
        test::check_keys(counts, whole, std::less<>(), seed, seed % 4,
                         [](auto const& policy, auto first, auto last) { mgpu::sort(policy, first, last); });
      });
}

// Integers of few bits are counted.
BOOST_AUTO_TEST_CASE(bytes) {
  for_each_whole({2, 400}, [](test::rank_counts const& counts, test::pattern pattern, std::uint32_t seed) {
    auto const whole = test::keys<std::int8_t>(pattern, test::sum_of(counts), seed);
    test::check_keys(counts, whole, std::greater<>(), seed, seed % 4, [](auto const& policy, auto first, auto last) {
      mgpu::sort(policy, first, last, std::greater<>());
    });
  });
}
BOOST_AUTO_TEST_CASE(short_integers) {
  test::rank_counts const counts{3000, 100};
  for (auto const pattern : {test::pattern::random, test::pattern::all_equal}) {
    auto const whole = test::keys<std::uint16_t>(pattern, test::sum_of(counts));
    test::check_keys(counts, whole, std::less<>(), 1, 1,
                     [](auto const& policy, auto first, auto last) { mgpu::sort(policy, first, last); });
  }
}

// Items of 16 bytes, of which the comparator sees the key alone, tell equal keys apart.
BOOST_AUTO_TEST_CASE(stability) {
  using item = test::item<16, 8>;
  for_each_whole({2, 150}, [](test::rank_counts const& counts, test::pattern pattern, std::uint32_t seed) {
    auto whole = test::keys<item>(pattern, test::sum_of(counts), seed);
    test::check_keys(counts, whole, test::by_key{}, seed, 0, [](auto const& policy, auto first, auto last) {
      mgpu::stable_sort(policy, first, last, test::by_key{});
    });
  });
}

BOOST_AUTO_TEST_CASE(values) {
  for_each_whole({3, 150}, [](test::rank_counts const& counts, test::pattern pattern, std::uint32_t seed) {
    auto const whole = test::keys<std::uint32_t>(pattern, test::sum_of(counts), seed);
    check_pairs<std::uint32_t, std::uint32_t>(
        counts, whole, by_low_byte{}, seed,
        [](auto const& policy, auto& keys, auto& values, auto& keys_out, auto& values_out) {
          mgpu::sort_by_key(policy, keys.begin(), keys.end(), values.begin(), by_low_byte{});
          keys_out.set(keys.get());
          values_out.set(values.get());
        });
  });
}

// Keys of 48 bytes are sorted and merged by their indices.
BOOST_AUTO_TEST_CASE(large_items) {
  using key = test::item<48, 4>;
  using value = test::item<24, 8>;
  for_each_whole({3, 300}, [](test::rank_counts const& counts, test::pattern pattern, std::uint32_t seed) {
    auto const whole = test::keys<key>(pattern, test::sum_of(counts), seed);
    check_pairs<key, value>(counts, whole, test::by_key{}, seed,
                            [](auto const& policy, auto& keys, auto& values, auto& keys_out, auto& values_out) {
                              auto const ends =
                                  mgpu::sort_by_key_copy(policy, keys.begin(), keys.end(), values.begin(),
                                                         keys_out.begin(), values_out.begin(), test::by_key{});
                              if (ends.first != keys_out.end() || ends.second != values_out.end()) {
                                throw std::runtime_error("a sort returns other ends");
                              }
                            });
  });
}

// Items whose size does not divide the 128 bytes at which pieces begin, in memory that is aligned no better than they are.
BOOST_AUTO_TEST_CASE(items_of_odd_sizes) {
  using key = test::item<12, 4>;
  using other_key = test::item<24, 8>;
  for_each_whole({2, 150}, [](test::rank_counts const& counts, test::pattern pattern, std::uint32_t seed) {
    auto const sort = [](auto const& policy, auto first, auto last) {
      mgpu::sort(policy, first, last, test::by_key{});
    };
    test::check_keys(counts, test::keys<key>(pattern, test::sum_of(counts), seed), test::by_key{}, seed, seed % 4,
                     sort);
    test::check_keys(counts, test::keys<other_key>(pattern, test::sum_of(counts), seed), test::by_key{}, seed,
                     seed % 3, sort);
    check_pairs<other_key, key>(counts, test::keys<other_key>(pattern, test::sum_of(counts), seed), test::by_key{},
                                seed,
                                [](auto const& policy, auto& keys, auto& values, auto& keys_out, auto& values_out) {
                                  mgpu::sort_by_key_copy(policy, keys.begin(), keys.end(), values.begin(),
                                                         keys_out.begin(), values_out.begin(), test::by_key{});
                                });
  });
}

// Neither input nor output is plain memory.
BOOST_AUTO_TEST_CASE(backward) {
  for_each_whole({3, 120}, [](test::rank_counts const& counts, test::pattern pattern, std::uint32_t seed) {
    auto const whole = test::keys<std::uint32_t>(pattern, test::sum_of(counts), seed);
    std::vector<std::vector<std::uint32_t>> in_place(counts.size());
    std::vector<std::vector<std::uint32_t>> copies(counts.size());
    test::run_ranks(static_cast<int>(counts.size()), seed, [&](ncclComm_t comm, int rank) {
      auto const place = static_cast<std::size_t>(rank);
      auto part = test::part_of(whole, counts, rank);
      std::reverse(part.begin(), part.end());
      test::buffer<std::uint32_t> keys(part);
      test::buffer<std::uint32_t> out(part.size());
      test::meet();
      auto const backward = [](std::uint32_t* at) { return cuda::std::make_reverse_iterator(at); };
      test::run_by(seed % 3 == 0, mgpu::par, comm, [&](auto const& policy) {
        mgpu::sort_copy(policy, backward(keys.end()), backward(keys.begin()), backward(out.end()));
      });
      copies[place] = out.get();
      std::reverse(copies[place].begin(), copies[place].end());
      test::meet();
      test::run_by(seed % 3 == 1, mgpu::par, comm,
                   [&](auto const& policy) { mgpu::sort(policy, backward(keys.end()), backward(keys.begin())); });
      in_place[place] = keys.get();
      std::reverse(in_place[place].begin(), in_place[place].end());
    });
    auto const expected = test::permuted(whole, test::stable_order<std::uint32_t>(whole, std::less<>()));
    BOOST_TEST(test::same_bytes(test::joined(in_place), expected));
    BOOST_TEST(test::same_bytes(test::joined(copies), expected));
  });
}

// Every rank's items belong on other ranks, so that each item moves; or on the rank that has them, so that none does.
BOOST_AUTO_TEST_CASE(all_or_none_move) {
  for (int const ranks : test::numbers_of_ranks()) {
    for (bool const none : {false, true}) {
      test::rank_counts const counts(static_cast<std::size_t>(ranks), 200);
      std::vector<std::uint32_t> whole;
      for (int rank = 0; rank < ranks; ++rank) {
        for (std::uint32_t i = 0; i < 200; ++i) {
          whole.push_back(static_cast<std::uint32_t>(none ? rank : ranks - rank) * 1000 + i * 7919 % 1000);
        }
      }
      test::check_keys(counts, whole, std::less<>(), 1, 0,
                       [](auto const& policy, auto first, auto last) { mgpu::sort(policy, first, last); });
    }
  }
}

#if defined(MGPU_EMULATED)
// What comes from so many ranks is merged in three passes of groups of three.
BOOST_AUTO_TEST_CASE(many_ranks) {
  test::rank_counts const counts(11, 40);
  auto const whole = test::keys<std::uint32_t>(test::pattern::random, test::sum_of(counts));
  check_pairs<std::uint32_t, std::uint32_t>(
      counts, whole, by_low_byte{}, 1,
      [](auto const& policy, auto& keys, auto& values, auto& keys_out, auto& values_out) {
        mgpu::sort_by_key_copy(policy, keys.begin(), keys.end(), values.begin(), keys_out.begin(), values_out.begin(),
                               by_low_byte{});
      });
}
#endif

// By a comparator that is no order the result may be anything, but all ranks come back, and write to nothing else.
BOOST_AUTO_TEST_CASE(no_order) {
  for_each_whole({3, 120}, [](test::rank_counts const& counts, test::pattern, std::uint32_t seed) {
    auto whole = test::keys<std::uint32_t>(test::pattern::random, test::sum_of(counts), seed);
    std::vector<std::vector<std::uint32_t>> results(counts.size());
    test::run_ranks(static_cast<int>(counts.size()), seed, [&](ncclComm_t comm, int rank) {
      test::buffer<std::uint32_t> keys(test::part_of(whole, counts, rank));
      test::meet();
      mgpu::sort(mgpu::par.over(comm), keys.begin(), keys.end(), test::always{});
      results[static_cast<std::size_t>(rank)] = keys.get();
    });
    BOOST_TEST(test::joined(results).size() == whole.size());
  });
}

BOOST_AUTO_TEST_CASE(size_query) {
  test::run_ranks(2, 1, [&](ncclComm_t comm, int rank) {
    auto const mine = test::keys<std::uint32_t>(test::pattern::random, 30000, static_cast<std::uint32_t>(rank + 1));
    test::buffer<std::uint32_t> keys(mine);
    std::size_t bytes = 0;
    mgpu::sort(mgpu::par.query_scratch(bytes).over(comm), keys.begin(), keys.end());
    if (keys.get() != mine) throw std::runtime_error("a size query has sorted");
    test::buffer<unsigned char> scratch(bytes);
    test::meet();
    mgpu::sort(mgpu::par.with_scratch(scratch.begin(), bytes).over(comm), keys.begin(), keys.end());
    auto const by_own_memory = keys.get();
    if (!std::is_sorted(by_own_memory.begin(), by_own_memory.end())) throw std::runtime_error("not sorted");

    // If one rank has too little memory, all throw, and nothing is sorted.
    keys.set(mine);
    bool has_thrown = false;
    try {
      std::size_t const given = rank == 0 ? bytes - 1 : bytes;
      mgpu::sort(mgpu::par.with_scratch(scratch.begin(), given).over(comm), keys.begin(), keys.end());
    } catch (std::bad_alloc const&) {
      has_thrown = true;
    }
    if (!has_thrown || keys.get() != mine)
      throw std::runtime_error("a rank without memory has not stopped the others");

#if defined(MGPU_EMULATED)  // the allocator calls cudaMalloc
    test::memory_counts counts;
    keys.set(mine);
    mgpu::sort(mgpu::par(test::counting_allocator(counts)).over(comm), keys.begin(), keys.end());
    if (counts.allocations != 1 || counts.frees != 1 || counts.mismatch || counts.bytes != bytes) {
      throw std::runtime_error("a sort does not take its scratch memory at once, or give it back");
    }
    auto const sorted = keys.get();
    if (!std::is_sorted(sorted.begin(), sorted.end())) throw std::runtime_error("not sorted");
#endif
  });
}

BOOST_AUTO_TEST_SUITE_END()
