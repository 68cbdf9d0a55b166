// The cuts of sorted runs are exact after as many rounds as are promised, however few samples a round takes. One device
// stands for all ranks.
#include <mgpu/detail/backend/distributed/cut_window.h>
#include <mgpu/detail/backend/distributed/cuts_kernel.cuh>
#include <support/device.h>
#include <support/guarded.h>
#include <support/items.h>
#include <support/schedules.h>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(cuts, *boost::unit_test::precondition(test::can_run{}))

namespace {

using mgpu::detail::cut_window;

// Sorted runs, and where their first items end in the order by key, then by run, then by place.
class runs {
 public:
  explicit runs(std::vector<std::vector<std::uint32_t>> sorted) : sorted_(std::move(sorted)) {
    for (std::size_t r = 0; r < sorted_.size(); ++r) {
      for (std::uint32_t const key : sorted_[r]) order_.push_back({key, r});
    }
    std::stable_sort(order_.begin(), order_.end(), [](auto const& a, auto const& b) { return a.first < b.first; });
  }
  std::size_t size() const { return sorted_.size(); }
  std::vector<std::uint32_t> const& operator[](std::size_t run) const { return sorted_[run]; }
  std::int64_t num_items() const { return static_cast<std::int64_t>(order_.size()); }
  std::int64_t longest() const {
    std::size_t most = 0;
    for (auto const& run : sorted_) most = std::max(most, run.size());
    return static_cast<std::int64_t>(most);
  }
  // Returns how many of the first `target` items are of each run.
  std::vector<std::int64_t> cut(std::int64_t target) const {
    std::vector<std::int64_t> counts(size(), 0);
    for (std::int64_t i = 0; i < target; ++i) ++counts[order_[static_cast<std::size_t>(i)].second];
    return counts;
  }

 private:
  std::vector<std::vector<std::uint32_t>> sorted_;
  std::vector<std::pair<std::uint32_t, std::size_t>> order_;
};

void check(runs const& given, std::vector<std::int64_t> const& targets, int num_samples) {
  auto const num_ranks = static_cast<int>(given.size());
  int const num_cuts = num_ranks - 1;
  BOOST_REQUIRE_EQUAL(targets.size(), static_cast<std::size_t>(num_cuts));
  test::stranger_flag strangers;
  auto const comp = strangers.comparator(test::ascending{}, std::uint64_t{1} << 31);
  std::vector<std::uint32_t> all;
  std::vector<cut_window> whole_runs;
  for (int c = 0; c < num_cuts; ++c) {
    for (std::size_t r = 0; r < given.size(); ++r)
      whole_runs.push_back({0, static_cast<std::int64_t>(given[r].size())});
  }
  for (std::size_t r = 0; r < given.size(); ++r) all.insert(all.end(), given[r].begin(), given[r].end());
  test::buffer<std::uint32_t> keys(all);
  test::buffer<std::int64_t> device_targets(targets);
  test::buffer<cut_window> windows(whole_runs);
  test::buffer<cut_window> narrowed(whole_runs.size());
  auto const samples_of_rank = static_cast<std::size_t>(num_cuts) * static_cast<std::size_t>(num_samples);
  // What is no sample is a stranger.
  test::buffer<std::uint32_t> gathered(
      std::vector<std::uint32_t>(samples_of_rank * given.size(), test::stranger<std::uint32_t>()));

  auto* now = windows.begin();
  auto* next = narrowed.begin();
  for (std::int64_t length = given.longest(); length > 0;
       length = mgpu::detail::length_after_round(length, num_ranks, num_samples)) {
    std::uint32_t const* run = keys.begin();
    for (std::size_t r = 0; r < given.size(); ++r) {
      test::run_kernel(mgpu::detail::take_samples_kernel<std::uint32_t>, static_cast<unsigned>(num_cuts), 32, 0, run,
                       now, static_cast<int>(r), num_ranks, num_samples, gathered.begin() + samples_of_rank * r);
      run += given[r].size();
    }
    test::run_kernel(mgpu::detail::narrow_windows_kernel<std::uint32_t, std::decay_t<decltype(comp)>>,
                     static_cast<unsigned>(num_cuts * num_ranks), 64, sizeof(mgpu::detail::known_samples),
                     gathered.begin(), now, device_targets.begin(), num_ranks, num_samples, next, comp);
    std::swap(now, next);
  }
  auto const found = now == windows.begin() ? windows.get() : narrowed.get();
  for (int c = 0; c < num_cuts; ++c) {
    auto const expected = given.cut(targets[static_cast<std::size_t>(c)]);
    for (std::size_t r = 0; r < given.size(); ++r) {
      cut_window const& window = found[static_cast<std::size_t>(c) * given.size() + r];
      BOOST_TEST(window.begin == expected[r]);
      BOOST_TEST(window.end == expected[r]);
    }
  }
  BOOST_TEST(!strangers.raised());
}

runs random_runs(std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<std::vector<std::uint32_t>> made(2 + random() % 4);
  std::uint32_t const num_distinct = seed % 3 == 0 ? 1 : seed % 3 == 1 ? 5 : 1u << 30;
  for (auto& run : made) {
    run.resize(random() % 4 == 0 ? random() % 3 : random() % 900);
    std::uint32_t const low = random() % 4 == 0 ? num_distinct / 2 : 0;  // so that some runs lie behind others
    for (auto& key : run) key = low + static_cast<std::uint32_t>(random()) % (num_distinct - low);
    std::sort(run.begin(), run.end());
  }
  return runs(made);
}

}  // namespace

BOOST_AUTO_TEST_CASE(random_targets) {
  test::for_each_schedule(200, [](std::uint32_t seed) {
    runs const given = random_runs(seed);
    std::mt19937 random(seed);
    std::vector<std::int64_t> targets(given.size() - 1);
    for (auto& target : targets) {
      target = static_cast<std::int64_t>(random() % static_cast<std::uint32_t>(given.num_items() + 1));
    }
    // Windows get shorter from four samples for each rank on.
    int const num_samples = 4 * static_cast<int>(given.size()) + static_cast<int>(random() % 40);
    check(given, targets, num_samples);
  });
}

BOOST_AUTO_TEST_CASE(both_ends) {
  runs const given({{1, 1, 1, 2}, {}, {1, 1}});
  check(given, {0, 6}, 12);
  check(given, {5, 1}, 12);
  check(runs({{}, {7}, {}}), {0, 1}, 12);
}

// Equal keys go by their run, so that a cut may lie anywhere among them.
BOOST_AUTO_TEST_CASE(all_equal) {
  runs const given({std::vector<std::uint32_t>(700, 3), std::vector<std::uint32_t>(700, 3)});
  for (std::int64_t const target : {0, 1, 699, 700, 701, 1399, 1400}) check(given, {target}, 16);
}

// Runs of more items than 2^32, of which only samples are ever made: item i of run r is i / equal[r] * step[r] + first[r].
struct imagined_run {
  std::int64_t count;
  std::uint64_t first, step;
  std::int64_t equal;
  std::uint64_t operator[](std::int64_t i) const { return static_cast<std::uint64_t>(i / equal) * step + first; }
};
void check_imagined(std::vector<imagined_run> const& given, std::vector<std::int64_t> const& targets) {
  auto const num_ranks = static_cast<int>(given.size());
  int const num_cuts = num_ranks - 1;
  constexpr int num_samples = 256;
  std::vector<cut_window> whole_runs;
  std::int64_t longest = 0;
  for (int c = 0; c < num_cuts; ++c) {
    for (auto const& run : given) whole_runs.push_back({0, run.count});
  }
  for (auto const& run : given) longest = std::max(longest, run.count);
  test::buffer<std::int64_t> device_targets(targets);
  test::buffer<cut_window> windows(whole_runs);
  test::buffer<cut_window> narrowed(whole_runs.size());
  test::buffer<std::uint64_t> gathered(whole_runs.size() * num_samples);
  for (std::int64_t length = longest; length > 0;
       length = mgpu::detail::length_after_round(length, num_ranks, num_samples)) {
    auto const now = windows.get();
    std::vector<std::uint64_t> samples(gathered.size());
    for (std::size_t r = 0; r < given.size(); ++r) {
      for (std::size_t c = 0; c < static_cast<std::size_t>(num_cuts); ++c) {
        cut_window const& window = now[c * given.size() + r];
        for (int i = 0; i < window.samples(num_samples); ++i) {
          samples[(r * static_cast<std::size_t>(num_cuts) + c) * num_samples + static_cast<std::size_t>(i)] =
              given[r][window.place(i, num_samples)];
        }
      }
    }
    gathered.set(samples);
    test::run_kernel(mgpu::detail::narrow_windows_kernel<std::uint64_t, test::ascending>,
                     static_cast<unsigned>(num_cuts * num_ranks), 64, sizeof(mgpu::detail::known_samples),
                     gathered.begin(), windows.begin(), device_targets.begin(), num_ranks, num_samples,
                     narrowed.begin(), test::ascending{});
    windows.set(narrowed.get());
  }
  auto const found = windows.get();
  for (std::size_t c = 0; c < static_cast<std::size_t>(num_cuts); ++c) {
    std::int64_t sum = 0;
    for (std::size_t r = 0; r < given.size(); ++r) {
      cut_window const& mine = found[c * given.size() + r];
      BOOST_TEST(mine.length() == 0);
      sum += mine.begin;
      // The last item before the cut comes before the first behind it, of whatever run.
      for (std::size_t s = 0; s < given.size(); ++s) {
        std::int64_t const other = found[c * given.size() + s].begin;
        if (mine.begin == 0 || other == given[s].count) continue;
        std::uint64_t const last = given[r][mine.begin - 1];
        std::uint64_t const next = given[s][other];
        BOOST_TEST((r <= s ? last <= next : last < next));
      }
    }
    BOOST_TEST(sum == targets[c]);
  }
}

BOOST_AUTO_TEST_CASE(more_items_than_fit_32_bits) {
  constexpr std::int64_t many = std::int64_t{3} << 32;
  check_imagined({{many, 0, 5, 1}, {many - 3, 7, 5, 1}}, {many});
  check_imagined({{many, 0, 1, many}, {many, 0, 1, many}, {many, 0, 1, many}},
                 {many - 1, 2 * many + 1});  // all equal
  check_imagined({{many, 0, 3, 1000}, {0, 0, 1, 1}, {many / 2 + 1, 100, 2, 1}, {5, 1000, 1, 1}},
                 {many, many, many + many / 2 + 1});
  check_imagined({{many, std::uint64_t{1} << 40, 1, 1}, {many, 0, 1, 1}}, {many});  // what the one has lies behind
}

// Windows are of any length, and their samples lie within, in order, and evenly.
BOOST_AUTO_TEST_CASE(places) {
  for (std::int64_t const length : {1ll, 7ll, 8ll, 9ll, 100ll, 1000003ll, 1ll << 60}) {
    for (int const num_samples : {8, 1024}) {
      cut_window const window{5, 5 + length};
      int const count = window.samples(num_samples);
      BOOST_TEST(count == std::min<std::int64_t>(length, num_samples));
      std::int64_t const gap = length <= num_samples ? 1 : length / (num_samples + 1) + 1;
      std::int64_t before = window.begin - 1;
      for (int i = 0; i < count; ++i) {
        std::int64_t const place = window.place(i, num_samples);
        BOOST_REQUIRE(place > before);
        BOOST_REQUIRE(place - before <= gap);
        before = place;
      }
      BOOST_TEST(before < window.end);
      BOOST_TEST(window.end - before <= gap);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
