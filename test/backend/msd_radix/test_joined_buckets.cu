// Ranks that sort together by the most significant digits first: what each knows of its keys is joined, and the buckets
// that it gets are sorted, in pieces of all ranks. One device stands for all ranks, and all that is exchanged is there.
#include <backend/msd_radix/msd_radix_sorts.h>
#include <support/schedules.h>
#include <mgpu/detail/backend/msd_radix/joined_plan_kernel.cuh>
#include <mgpu/detail/backend/msd_radix/joined_sort_kernel.cuh>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

BOOST_AUTO_TEST_SUITE(joined_buckets, *boost::unit_test::precondition(test::can_run{}))

namespace {

namespace detail = mgpu::detail;
using Bits = std::uint32_t;
using tuning = test::doubling<test::msd_tuning<3, 3, 32, 6, 2>>;
constexpr int num_parts = detail::num_joined_parts;

// The keys of each rank, in buckets of equal widths, within which they have any order.
class ranks {
 public:
  ranks(std::vector<std::vector<Bits>> keys, detail::msd_radix_digits digits)
      : keys_(std::move(keys)), digits_(digits) {
    for (auto& of_rank : keys_) {
      std::stable_sort(of_rank.begin(), of_rank.end(), [&](Bits a, Bits b) { return bucket_of(a) < bucket_of(b); });
      whole_.insert(whole_.end(), of_rank.begin(), of_rank.end());
    }
    std::sort(whole_.begin(), whole_.end());
  }
  std::size_t size() const { return keys_.size(); }
  std::vector<Bits> const& operator[](std::size_t rank) const { return keys_[rank]; }
  detail::msd_radix_digits const& digits() const { return digits_; }
  std::vector<Bits> const& whole() const { return whole_; }  // in order
  int bucket_of(Bits key) const { return static_cast<int>(key >> (32 - digits_.bits())); }

  std::vector<std::uint32_t> counts() const {
    std::vector<std::uint32_t> all;
    for (auto const& of_rank : keys_) {
      std::vector<std::uint32_t> counts(static_cast<std::size_t>(digits_.num_buckets()), 0);
      for (Bits const key : of_rank) ++counts[static_cast<std::size_t>(bucket_of(key))];
      all.insert(all.end(), counts.begin(), counts.end());
    }
    return all;
  }
  // Tells whether a block can sort the keys that all ranks have in any bucket.
  bool fits() const {
    std::vector<int> of_all(static_cast<std::size_t>(digits_.num_buckets()), 0);
    for (Bits const key : whole_) ++of_all[static_cast<std::size_t>(bucket_of(key))];
    return *std::max_element(of_all.begin(), of_all.end()) <=
           tuning::at(90).bucket_shape(digits_.has_doubled_buckets).tile_items();
  }
  // Returns how many keys of a rank are in lower buckets.
  std::uint32_t start(std::size_t rank, int bucket) const {
    return static_cast<std::uint32_t>(
        std::count_if(keys_[rank].begin(), keys_[rank].end(), [&](Bits key) { return bucket_of(key) < bucket; }));
  }

 private:
  std::vector<std::vector<Bits>> keys_;
  detail::msd_radix_digits digits_;
  std::vector<Bits> whole_;
};

detail::msd_radix_findings<Bits> survey_of(Bits lowest, Bits highest) {
  detail::msd_radix_findings<Bits> found{};
  found.is_promising = 1;
  found.lowest = lowest;
  found.highest = highest;
  return found;
}

template <bool is_doubled>
void launch_sort(detail::device_call const& call, detail::joined_buckets<Bits> const& buckets, std::uint32_t first,
                 std::uint32_t end, detail::joined_output<false, Bits> const& out,
                 detail::msd_radix_state<Bits> const& state) {
  auto const kernel = detail::msd_radix_joined_sort_kernel<tuning, false, is_doubled, Bits>;
  int const arch = detail::compiled_arch(call, kernel);
  using bucket = detail::msd_radix_joined_bucket<tuning, is_doubled, Bits>;
  detail::launch(call,
                 {end - first, tuning::at(arch).bucket_shape(is_doubled).threads_per_block,
                  detail::storage_bytes<bucket::template storage>(arch)},
                 kernel, buckets, first, out, state);
}

// Joins what the ranks know, and sorts each rank's buckets, of which the first `middle` parts come from another place than
// the others. They are sorted if they fit in their buckets, or else left alone.
void check(ranks const& given) {
  auto const num_ranks = static_cast<int>(given.size());
  int const num_buckets = given.digits().num_buckets();
  auto const survey = detail::joined_survey(survey_of(0x12345678u, 0x7fffffffu), survey_of(0x80000000u, 0xfedcba98u));
  BOOST_TEST(survey.is_promising == 1u);
  BOOST_TEST(survey.lowest == 0u);
  BOOST_TEST(survey.highest == ~0u);
  BOOST_TEST(survey.width == 32);
  std::vector<detail::msd_radix_findings<Bits>> surveys(given.size(), survey);
  test::buffer<detail::msd_radix_findings<Bits>> of_ranks(surveys), found({survey});
  test::buffer<std::uint32_t> counts(given.counts());
  test::buffer<std::uint32_t> starts(given.size() * static_cast<std::size_t>(num_buckets + 1));
  test::buffer<std::uint32_t> uneven(static_cast<std::size_t>(num_buckets));
  test::buffer<detail::joined_cuts> cuts(1);
  detail::joined_places places{};
  std::uint32_t first = 0;
  for (std::size_t rank = 0; rank < given.size(); ++rank) {
    auto const count = static_cast<std::uint32_t>(given[rank].size());
    places.of_rank[rank][0] = first;
    places.of_rank[rank][1] = first + count / 2;
    places.of_rank[rank][2] = first + count - 1;
    first += count;
  }
  detail::run_on_device("joined_buckets", mgpu::par, 1, [&](detail::device_call& call) {
    auto const join_counts = detail::msd_radix_join_counts_kernel<tuning, Bits>;
    int const arch = detail::compiled_arch(call, join_counts);
    int const threads = tuning::at(arch).histogram_threads_per_block;
    detail::launch(call,
                   {num_ranks * detail::divide_up(num_buckets, threads), threads,
                    detail::storage_bytes<detail::msd_radix_planner<tuning>::template storage>(arch)},
                   join_counts, of_ranks.begin(), counts.begin(), num_ranks, given.digits(), starts.begin(),
                   found.begin());
    auto now = found.get();
    now[0].is_taken = now[0].has_large_bucket == 0;
    found.set(now);
    detail::joined_starts const all{starts.begin(), num_ranks, num_buckets};
    detail::launch(call, {1, 64}, detail::msd_radix_cut_kernel<Bits>, all, places, given.digits().buckets_per_bin(),
                   cuts.begin(), found.begin());
    auto const cut = cuts.get()[0];
    BOOST_TEST(cut.are_taken == (given.fits() ? 1u : 0u));
    if (cut.are_taken == 0) return;

    std::vector<Bits> memory;
    std::vector<std::int64_t> begins;
    for (int part = 0; part < num_parts; ++part) {
      for (std::size_t rank = 0; rank < given.size(); ++rank) {
        memory.insert(memory.end(), 3, 0);  // so that places differ
        begins.push_back(static_cast<std::int64_t>(memory.size()));
        memory.insert(memory.end(), given[rank].begin(), given[rank].end());
      }
    }
    test::buffer<Bits> received(memory);
    for (std::size_t rank = 0; rank < given.size(); ++rank) {
      if (given[rank].empty()) continue;
      auto const* const mine = cut.of_rank[rank];
      BOOST_TEST(mine[0].bucket == given.bucket_of(given.whole()[places.of_rank[rank][0]]));
      BOOST_TEST(mine[1].bucket == given.bucket_of(given.whole()[places.of_rank[rank][1]]));
      BOOST_TEST(mine[2].bucket == given.bucket_of(given.whole()[places.of_rank[rank][2]]) + 1);
      for (int part = 0; part <= num_parts; ++part) {
        for (std::size_t from = 0; from < given.size(); ++from) {
          BOOST_TEST(mine[part].starts[from] == given.start(from, static_cast<int>(mine[part].bucket)));
          int const of_bin = given.digits().buckets_per_bin();
          int const before = static_cast<int>(mine[part].bucket) + (part == num_parts ? of_bin - 1 : 0);
          BOOST_TEST(mine[part].bin_starts[from] == given.start(from, before - before % of_bin));
        }
      }
      detail::joined_buckets<Bits> buckets{all, received.begin(), {}, mine[1].bucket};
      for (std::size_t from = 0; from < begins.size(); ++from) {
        buckets.offsets[from / given.size()][from % given.size()] = begins[from];
      }
      auto const count = static_cast<std::uint32_t>(given[rank].size());
      test::buffer<Bits> out(count);
      detail::joined_output<false, Bits> const to{out.begin(), places.of_rank[rank][0], count};
      detail::msd_radix_state<Bits> state{};
      state.found = found.begin();
      state.uneven = uneven.begin();
      now[0].num_uneven = 0;
      found.set(now);
      for (int part = 0; part < num_parts; ++part) {
        if (mine[part].bucket == mine[part + 1].bucket) continue;
        if (given.digits().has_doubled_buckets) {
          launch_sort<true>(call, buckets, mine[part].bucket, mine[part + 1].bucket, to, state);
        } else {
          launch_sort<false>(call, buckets, mine[part].bucket, mine[part + 1].bucket, to, state);
        }
      }
      using finish = detail::msd_radix_joined_finish<tuning, Bits>;
      detail::launch(call, {2, finish::threads_per_block, detail::storage_bytes<finish::template storage>(arch)},
                     detail::msd_radix_joined_finish_kernel<tuning, false, Bits>, buckets, to, state);
      auto const begin = given.whole().begin() + places.of_rank[rank][0];
      BOOST_TEST(test::same_bytes(out.get(), std::vector<Bits>(begin, begin + count)), "rank " << rank);
    }
  });
}

// Shares the keys out among ranks, each of which gets one at least.
std::vector<std::vector<Bits>> shared_out(std::vector<Bits> const& keys, std::size_t num_ranks, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<std::vector<Bits>> shares(num_ranks);
  for (std::size_t i = 0; i < keys.size(); ++i) shares[i < num_ranks ? i : random() % num_ranks].push_back(keys[i]);
  return shares;
}

detail::msd_radix_digits digits_for(std::size_t count) {
  return {tuning::at(90), static_cast<std::int64_t>(count), false};
}

}  // namespace

BOOST_AUTO_TEST_CASE(uniform) {
  test::for_each_schedule(4, [](std::uint32_t seed) {
    for (std::size_t const count : {1400u + seed, 5000u}) {
      auto const keys = test::radix_keys<Bits>(count, 3 * seed + 1);
      for (std::size_t const num_ranks : {2u, 3u, 8u}) {
        check(ranks(shared_out(keys, num_ranks, seed), digits_for(count)));
      }
    }
  });
}

// Keys that are uneven in their buckets are left to the kernel that sorts by digits.
BOOST_AUTO_TEST_CASE(uneven) {
  test::for_each_schedule(4, [](std::uint32_t seed) {
    auto keys = test::radix_keys<Bits>(5000, 3 * seed + 1);
    for (std::size_t i = 0; i < keys.size(); ++i)
      keys[i] = (keys[i] & 0xfc000000u) | (i % 9 == 0 ? 0x3ffffffu : keys[i] % 7);
    check(ranks(shared_out(keys, 3, seed), digits_for(5000)));
  });
}

// A bucket has as many keys of all ranks as fit, or one more.
BOOST_AUTO_TEST_CASE(a_large_bucket) {
  auto const digits = digits_for(5000);
  int const most = tuning::at(90).bucket_shape(digits.has_doubled_buckets).tile_items();
  for (int const large : {most, most + 1}) {
    std::vector<Bits> keys;
    for (int i = 0; i < 5000; ++i) {
      Bits const low = static_cast<Bits>(i) * 0x9e3779b9u >> digits.bits();
      Bits const other = static_cast<Bits>(i % (digits.num_buckets() - 1));
      Bits const bucket = i < large ? 17 : other + (other < 17 ? 0 : 1);
      keys.push_back(bucket << (32 - digits.bits()) | low);
    }
    ranks const given(shared_out(keys, 2, 1), digits);
    BOOST_TEST(given.fits() == (large == most));
    check(given);
  }
}

BOOST_AUTO_TEST_SUITE_END()
