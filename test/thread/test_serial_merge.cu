// serial_merge agrees with a merge done step by step.
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/thread/serial_merge.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <support/device.h>
#include <support/guarded.h>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

BOOST_AUTO_TEST_SUITE(serial_merge, *boost::unit_test::precondition(test::can_run{}))

namespace {

struct problem {
  int a, a_end, b, b_end;
};

constexpr int nothing = -1;

// Each thread solves a problem. Without Index only the keys are written.
template <int items_per_thread, class Index, class Comp>
__global__ void serial_merge_kernel(int const* keys, problem const* problems, int num_problems, int* merged_out,
                                    int* sources_out, Comp comp) {
  auto const i = static_cast<int>(mgpu::detail::simt::block_rank() * 128 + mgpu::detail::simt::thread_rank());
  if (i >= num_problems) return;
  problem const p = problems[i];
  int merged[items_per_thread];
  Index sources[items_per_thread];
  mgpu::detail::serial_merge(keys, p.a, p.a_end, p.b, p.b_end, merged, sources, comp);
#pragma unroll
  for (int k = 0; k < items_per_thread; ++k) {
    merged_out[i * items_per_thread + k] = merged[k];
    sources_out[i * items_per_thread + k] = static_cast<int>(sources[k]);
  }
}

// Holds pairs of runs to merge, with strangers between the runs, and what must come of them.
template <int items_per_thread>
class problems {
 public:
  // Adds a pair, whose b may also lie before a in memory.
  template <class Order>
  void add(std::vector<int> const& a, std::vector<int> const& b, Order order) {
    bool const a_first = problems_.size() % 2 == 0;
    int const first = append(a_first ? a : b);
    int const second = append(a_first ? b : a);
    int at_a = a_first ? first : second;
    int at_b = a_first ? second : first;
    problems_.push_back({at_a, at_a + static_cast<int>(a.size()), at_b, at_b + static_cast<int>(b.size())});
    auto const from_a = test::merge_steps(a, b, order);
    for (std::size_t k = 0; k < items_per_thread; ++k) {
      int const source = k >= from_a.size() ? nothing : from_a[k] ? at_a++ : at_b++;
      expected_sources_.push_back(source);
      expected_.push_back(source == nothing ? nothing : keys_[static_cast<std::size_t>(source)]);
    }
  }

  template <class Index, class Order>
  void check(Order order) {
    BOOST_TEST_CONTEXT(items_per_thread << " items a thread") {
      test::stranger_flag strangers;
      auto const count = static_cast<unsigned>(problems_.size());
      std::vector<int> with_room = keys_;  // the merge may read so far behind the last run
      with_room.resize(with_room.size() + items_per_thread, test::stranger<int>());
      test::buffer<int> keys(with_room);
      test::buffer<problem> in(problems_);
      test::buffer<int> merged(expected_.size());
      test::buffer<int> sources(expected_.size());
      test::run_kernel(serial_merge_kernel<items_per_thread, Index, test::guarded<Order>>, (count + 127) / 128, 128,
                       0, keys.begin(), in.begin(), static_cast<int>(count), merged.begin(), sources.begin(),
                       strangers.comparator(order));
      BOOST_TEST(!strangers.raised());
      BOOST_TEST(test::same_bytes(said(merged.get()), expected_));
      if constexpr (mgpu::detail::has_values<Index>)
        BOOST_TEST(test::same_bytes(said(sources.get()), expected_sources_));
    }
  }

 private:
  int append(std::vector<int> const& run) {
    auto const begin = static_cast<int>(keys_.size());
    keys_.insert(keys_.end(), run.begin(), run.end());
    keys_.push_back(test::stranger<int>());
    return begin;
  }

  // Leaves out the places where both runs have ended, of which nothing is said.
  std::vector<int> said(std::vector<int> found) const {
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (expected_[i] == nothing) found[i] = nothing;
    }
    return found;
  }

  std::vector<int> keys_{test::stranger<int>()};
  std::vector<problem> problems_;
  std::vector<int> expected_;
  std::vector<int> expected_sources_;
};

template <int items_per_thread, class Order>
problems<items_per_thread> all_pairs(std::size_t shortest, std::size_t longest, Order order) {
  problems<items_per_thread> made;
  test::for_each_pair_of_runs(shortest, longest, order, [&](auto const& a, auto const& b) { made.add(a, b, order); });
  return made;
}

template <int items_per_thread>
problems<items_per_thread> random_pairs(std::size_t shortest, std::size_t longest) {
  problems<items_per_thread> made;
  std::mt19937 random(items_per_thread);
  auto const run = [&] {
    std::vector<int> drawn(shortest + random() % (longest - shortest + 1));
    for (int& key : drawn) key = static_cast<int>(random() % 12);
    std::sort(drawn.begin(), drawn.end());
    return drawn;
  };
  for (int i = 0; i < 1000; ++i) {
    auto const a = run();
    made.add(a, run(), test::ascending{});
  }
  return made;
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_small_runs) {
  all_pairs<1>(0, 4, test::ascending{}).check<int>(test::ascending{});
  all_pairs<4>(0, 4, test::ascending{}).check<int>(test::ascending{});
  all_pairs<7>(0, 4, test::ascending{}).check<int>(test::ascending{});
  all_pairs<9>(0, 4, test::ascending{}).check<mgpu::detail::no_value>(test::ascending{});
  all_pairs<4>(0, 4, test::descending{}).check<int>(test::descending{});
}

BOOST_AUTO_TEST_CASE(random_runs) {
  random_pairs<7>(0, 12).check<int>(test::ascending{});
  random_pairs<17>(0, 12).check<int>(test::ascending{});
}

BOOST_AUTO_TEST_CASE(runs_that_do_not_end) {
  all_pairs<1>(1, 4, test::ascending{}).check<int>(test::ascending{});
  all_pairs<3>(3, 5, test::ascending{}).check<int>(test::ascending{});
  all_pairs<3>(3, 5, test::ascending{}).check<mgpu::detail::no_value>(test::ascending{});
  all_pairs<3>(3, 5, test::descending{}).check<int>(test::descending{});
}

BOOST_AUTO_TEST_CASE(random_runs_that_do_not_end) {
  random_pairs<7>(7, 12).check<int>(test::ascending{});
  random_pairs<17>(17, 20).check<int>(test::ascending{});
}

BOOST_AUTO_TEST_SUITE_END()
