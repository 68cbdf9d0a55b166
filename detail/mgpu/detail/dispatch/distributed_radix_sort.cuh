// Sorts of many bare keys over the ranks of a communicator by the most significant digits first. Each rank puts its keys
// into buckets, which are those of all ranks; the ranks exchange buckets, so that each gets those in which its output
// lies; and it sorts these, a block each. Nothing is merged, and one part is sorted while another goes from rank to rank.
#pragma once
#include <mgpu/detail/backend/distributed/exchange.cuh>
#include <mgpu/detail/backend/distributed/pieces.h>
#include <mgpu/detail/backend/msd_radix/joined_plan_kernel.cuh>
#include <mgpu/detail/backend/msd_radix/joined_sort_kernel.cuh>
#include <mgpu/detail/backend/msd_radix/msd_radix.cuh>
#include <mgpu/detail/backend/msd_radix/tuning.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/radix_key.h>
#include <mgpu/detail/dispatch/distributed_announcement.h>
#include <mgpu/detail/dispatch/distributed_radix_layout.cuh>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/clear.h>
#include <mgpu/detail/runtime/distributed_call.h>
#include <mgpu/detail/runtime/kernel_facts.h>
#include <mgpu/detail/runtime/launch.h>
#include <mgpu/detail/runtime/scratch.h>
#include <mgpu/detail/runtime/side_stream.h>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

namespace mgpu::detail {

// Says whether keys can be sorted so. Quantiles would have to be the same on all ranks.
template <class Tuning, class Problem>
constexpr bool can_be_joined = can_be_partitioned<Problem> && !can_have_quantiles<Tuning>(compiled_archs{});

// The part of one rank in such a sort.
template <class Tuning, bool descending, class Problem>
class joined_radix_sort {
  using Key = typename Problem::Key;
  using Bits = ordered_bits_t<Key>;
  using findings = msd_radix_findings<Bits>;
  using kernels = msd_radix_kernels<Tuning, descending, Problem>;
  static_assert(sizeof(findings) <= sort_announcement::survey_bytes, "mgpu: a survey has no room in an announcement");

 public:
  // Adds what it needs to the layout, where this rank has as many keys as make it worth while.
  joined_radix_sort(distributed_call const& ranks, scratch_layout& layout, Problem const& problem)
      : ranks_(ranks),
        problem_(problem),
        arch_(detail::compiled_arch(ranks.local(), msd_radix_plan_kernel<Tuning, Bits>)),
        tuning_(Tuning::at(arch_)),
        has_enough_(ranks.num_ranks() > 1 && ranks.num_ranks() <= max_joined_ranks &&
                    problem.num_items >= larger<std::int64_t>(tuning_.min_items, 1) &&
                    problem.num_items <= tuning_.max_items()),
        scratch_(has_enough_ ? layout : unused_, tuning_, most_digits()),
        surveys_(add<findings>(layout, num_ranks())),
        counts_(add<std::uint32_t>(layout, std::int64_t{num_ranks()} * most_digits().num_buckets())),
        starts_(add<std::uint32_t>(layout, std::int64_t{num_ranks()} * (most_digits().num_buckets() + 1))),
        cuts_(add<joined_cuts>(layout, 1)) {}

  // Returns for how many keys there must be memory while it sorts: those that arrive, of which those in the buckets at
  // both ends may be other ranks', and some more.
  std::int64_t received_items() const {
    if (!has_enough_) return 0;
    return detail::received_items<Key>(problem_.num_items, num_joined_parts * num_ranks()) +
           2 * std::int64_t{tuning_.bucket_shape(true).tile_items()} + spare_items();
  }
  static constexpr std::size_t host_bytes() { return larger(sizeof(joined_cuts), sizeof(findings)); }

  // Returns for what architecture the rank would sort so, which is to be the same on all ranks, or 0 if it would not.
  std::int64_t announced_arch() const { return has_enough_ ? arch_ : 0; }

  // Looks at this rank's keys as if the others had as many, and tells what it found.
  void begin() const {
    if (!has_enough_) return;
    std::int64_t const num_items = smaller(problem_.num_items * num_ranks(), tuning_.max_items());
    kernels(ranks_.local(), problem_, digits_of(num_items), scratch_.state(ranks_.local())).survey(num_items);
  }
  void write(void* to) const {
    if (has_enough_) ranks_.copy(to, scratch_.state(ranks_.local()).found, sizeof(findings));
  }

  // Sorts and returns true, or returns false, having moved nothing, where keys are too few, too many, or unevenly spread.
  // All ranks return the same. If the surveys do not tell, the host waits once.
  bool run(announced_sort const& announced, Key* memory) const {
    std::int64_t num_items = 0;
    joined_places places{};
    findings found{};
    for (std::size_t rank = 0; rank < announced.of_ranks().size(); ++rank) {
      sort_announcement const& of_rank = announced.of_ranks()[rank];
      if (of_rank.joined_arch == 0 || of_rank.joined_arch != announced.of_ranks()[0].joined_arch) return false;
      if (of_rank.num_items > tuning_.max_items() - num_items) return false;
      places.of_rank[rank][0] = static_cast<std::uint32_t>(num_items);
      places.of_rank[rank][1] = static_cast<std::uint32_t>(
          num_items + rounds().begin_of_second_part(static_cast<int>(rank), of_rank.num_items));
      num_items += of_rank.num_items;
      places.of_rank[rank][num_joined_parts] = static_cast<std::uint32_t>(num_items - 1);
      findings of_survey;
      std::memcpy(&of_survey, of_rank.survey, sizeof(of_survey));
      found = rank == 0 ? of_survey : detail::joined_survey(found, of_survey);
    }
    msd_radix_digits const digits = digits_of(num_items);
    // The kernel that counts would plan for this rank alone if it had a thread for each bucket.
    if (digits.second_bits == 0 || digits.num_buckets() <= tuning_.histogram_threads_per_block) return false;
    if (found.is_promising == 0 || found.width < digits.bits()) return false;

    auto* const received = reinterpret_cast<Bits*>(memory);
    std::memcpy(announced.host_memory(), &found, sizeof(found));
    find_cuts(digits, places, announced.host_memory());
    side_stream side(ranks_.local());  // the host makes these while the device counts
    writing_stream writing(ranks_.local(), announced.are_a_team());
    Bits* const binned = received + (rounds().has_low_end(ranks_.rank()) ? 0 : spare_items());
    put_into_bins(digits, binned, announced.host_memory(), side);
    auto const& cuts = *static_cast<joined_cuts const*>(announced.host_memory());
    if (cuts.are_taken == 0) return false;
    std::vector<piece_grid<Bits>> grids;
    for (sort_announcement const& of_rank : announced.of_ranks()) grids.push_back({of_rank.first_aligned_key});
    joined_layout<Bits> const layout(ranks_.rank(), num_ranks(), cuts, std::move(grids));
    kept_keys<Bits> const kept = layout.kept(digits, received, received_items(), binned, moves_kept_keys());
    if (moves_kept_keys()) put_into_buckets(digits, binned, kept);
    exchange_and_sort(announced, layout, cuts, digits, received, kept, places, side, writing);
    return true;
  }

 private:
  template <class T>
  std::size_t add(scratch_layout& layout, std::int64_t num_items) const {
    return has_enough_ ? layout.add<T>(num_items) : 0;
  }
  int num_ranks() const { return ranks_.num_ranks(); }
  joined_rounds rounds() const { return joined_rounds{num_ranks()}; }
  // Tells whether keys that stay are moved instead of copied.
  bool moves_kept_keys() const { return problem_.num_items / 128 >= tuning_.min_items; }
  // Returns for how many more keys there is memory so that most of those that stay can be moved: chance may leave a rank
  // some more than its share.
  std::int64_t spare_items() const {
    constexpr std::int64_t step = piece_grid<Bits>::step;
    return moves_kept_keys() ? problem_.num_items / 64 / step * step : 0;
  }
  // There are always two partitions, as a block is to have a thread for fewer buckets.
  msd_radix_digits digits_of(std::int64_t num_items) const { return {tuning_, num_items, false}; }
  msd_radix_digits most_digits() const { return digits_of(tuning_.max_items()); }
  joined_starts starts(msd_radix_digits const& digits) const {
    return {ranks_.local().template scratch<std::uint32_t>(starts_), num_ranks(), digits.num_buckets()};
  }

  // Counts this rank's keys, and finds where the cuts are. host_memory has what the surveys have found.
  void find_cuts(msd_radix_digits const& digits, joined_places const& places, void const* host_memory) const {
    device_call const& call = ranks_.local();
    msd_radix_state<Bits> const state = scratch_.state(call);
    auto* const surveys = call.scratch<findings>(surveys_);
    auto* const counts = call.scratch<std::uint32_t>(counts_);
    auto* const starts = call.scratch<std::uint32_t>(starts_);
    auto const join_counts = msd_radix_join_counts_kernel<Tuning, Bits>;
    auto const cut = msd_radix_cut_kernel<Bits>;
    kernels const mine(call, problem_, digits, state);
    mine.load([&](auto kernel) { ranks_.load(kernel); });
    ranks_.load(join_counts);
    ranks_.load(cut);

    ranks_.copy(state.found, host_memory, sizeof(findings));
    detail::clear(call, reinterpret_cast<std::uint64_t*>(state.counts), digits.num_buckets() / 2);
    mine.count();
    ranks_.exchange([&] {
      ranks_.all_gather(state.found, surveys, sizeof(findings));
      ranks_.all_gather(state.counts, counts, static_cast<std::size_t>(digits.num_buckets()) * sizeof(*counts));
    });
    int const threads = tuning_.histogram_threads_per_block;
    detail::launch(call,
                   {std::int64_t{num_ranks()} * divide_up(digits.num_buckets(), threads), threads,
                    storage_bytes<msd_radix_planner<Tuning>::template storage>(arch_)},
                   join_counts, static_cast<findings const*>(surveys), counts, num_ranks(), digits, starts,
                   state.found);
    mine.plan();
    constexpr int cut_threads =
        divide_up(max_joined_ranks * (num_joined_parts + 1), threads_per_warp) * threads_per_warp;
    detail::launch(call, {1, cut_threads}, cut, this->starts(digits), places, digits.buckets_per_bin(),
                   call.scratch<joined_cuts>(cuts_), static_cast<findings const*>(state.found));
  }

  // Puts this rank's keys into bins, and writes the cuts to host_memory while the device does that. Few keys are put into
  // buckets at once, too, in the memory of the output: their device would have to wait until the host has the cuts.
  void put_into_bins(msd_radix_digits const& digits, Bits* binned, void* host_memory, side_stream& side) const {
    device_call const& call = ranks_.local();
    kernels const mine(call, problem_, digits, scratch_.state(call));
    side.fork();
    ranks_.copy(side.call(), host_memory, call.scratch<joined_cuts>(cuts_), sizeof(joined_cuts));
    if (moves_kept_keys()) {
      mine.put_into_bins(binned);
    } else {
      mine.partition(binned);
    }
    ranks_.wait_for(side.call(), [] {});
  }

  // Puts keys from bins into buckets, in the memory of the output, or, those that are moved, in that of their piece.
  void put_into_buckets(msd_radix_digits const& digits, Bits const* binned, kept_keys<Bits> const& kept) const {
    msd_radix_state<Bits> const state = scratch_.state(ranks_.local());
    kernels const mine(ranks_.local(), problem_, digits, state);
    int const num_others = digits.num_bins() - kept.num_bins;
    int const first_other = (kept.first_bin + kept.num_bins) % digits.num_bins();
    mine.put_into_buckets(binned, mine.in_buckets(), {first_other, num_others, &state.found->second_ticket});
    if (kept.num_bins > 0) {
      mine.put_into_buckets(binned, kept.begin(), {kept.first_bin, kept.num_bins, &state.found->kept_ticket});
    }
  }
  // Copies the keys that stay and were not moved, and some that lie before them, as if a piece were sent.
  void copy_rest(device_call const& call, kept_keys<Bits> const& kept, Bits* in_buckets) const {
    arriving_piece<Bits> low = kept.piece, high = kept.piece;
    low.count = kept.moved.begin - low.begin;
    high.begin = kept.moved.end;
    high.count = kept.all.end - kept.moved.end;
    high.memory = kept.begin() + kept.moved.end;
    std::int64_t const num_left = kept.all.count() - kept.moved.count();
    bool const gently = detail::copies_gently(num_left, problem_.num_items);
    for (auto const& piece : {low, high}) {
      if (piece.count > 0) detail::copy_own_piece<Bits>(call, ranks_.rank(), {piece}, in_buckets, gently);
    }
  }

  // Gets this rank's buckets from all ranks, in two rounds, and sorts them to the output: those of the first round beside
  // the second one, where nothing is in the way.
  void exchange_and_sort(announced_sort const& announced, joined_layout<Bits> const& layout, joined_cuts const& cuts,
                         msd_radix_digits const& digits, Bits* received, kept_keys<Bits> const& kept,
                         joined_places const& places, side_stream& side, writing_stream& writing) const {
    int const rank = ranks_.rank();
    load_kernels(digits);
    joined_buckets<Bits> buckets{starts(digits), received, {}, cuts.of_rank[rank][1].bucket};
    auto const arriving = layout.arriving(rank, received);
    layout.place(kept, arriving, buckets);
    joined_output<descending, Key> const output{problem_.keys_out, places.of_rank[rank][0],
                                                static_cast<std::uint32_t>(problem_.num_items)};
    auto* const in_buckets = reinterpret_cast<Bits*>(problem_.keys_out);
    auto const writes_to = [&](int to) { return announced.writes_to(to); };
    auto const exchange = [&](int round) {
      auto const of_round = static_cast<std::size_t>(round);
      auto const sends_to = [&](int to) { return layout.sent(to, round).count() > 0; };
      auto const write = [&](device_call const& call, int to) {
        auto const there = layout.arriving(to, static_cast<Bits*>(announced.arriving_keys_of(to)))[of_round];
        detail::copy_own_piece<Bits>(call, rank, there, in_buckets, false);
      };
      auto const send = [&](int to) {
        key_range const range = layout.sent(to, round);
        detail::send_piece(ranks_, layout.grid(), in_buckets, range.begin, range.count(), to);
      };
      detail::exchange_items(ranks_, writing, sends_to, writes_to, write, send,
                             [&] { detail::receive_pieces(ranks_, arriving[of_round], writes_to); });
      writing.join();
      announced.meet();
    };
    auto const sort = [&](device_call const& call, int round) {
      int const part = rounds().part_of(rank, round);
      sort_part(call, digits, buckets, cuts.of_rank[rank][part].bucket, cuts.of_rank[rank][part + 1].bucket, output);
    };
    side.fork();       // what is left of the keys that stay is copied beside the first round
    announced.meet();  // the memory in which keys arrive has the bins of all ranks until then
    exchange(0);
    copy_rest(side.call(), kept, in_buckets);
    if (layout.is_free_beside(places.of_rank[rank][0])) {
      side.fork();
      sort(side.call(), 0);
      exchange(1);
      side.join();
    } else {
      exchange(1);
      side.join();
      sort(ranks_.local(), 0);
    }
    sort(ranks_.local(), 1);
    using finish = msd_radix_joined_finish<Tuning, Bits>;
    detail::launch(ranks_.local(),
                   {num_multiprocessors(ranks_.local()), finish::threads_per_block,
                    storage_bytes<finish::template storage>(arch_)},
                   finish_kernel(), buckets, output, scratch_.state(ranks_.local()));
  }

  static auto finish_kernel() { return msd_radix_joined_finish_kernel<Tuning, descending, Key>; }
  template <bool is_doubled>
  static auto sort_kernel() {
    return msd_radix_joined_sort_kernel<Tuning, descending, is_doubled, Key>;
  }
  // Calls f(is_doubled), a constant.
  template <class F>
  static void with_doubled(msd_radix_digits const& digits, F f) {
    if constexpr (can_double_buckets<Tuning>(compiled_archs{})) {
      if (digits.has_doubled_buckets) return f(std::true_type{});
    }
    f(std::false_type{});
  }
  void load_kernels(msd_radix_digits const& digits) const {
    ranks_.load(copy_kernel<copy_words_per_thread>);
    ranks_.load(finish_kernel());
    with_doubled(digits, [&](auto is_doubled) { ranks_.load(sort_kernel<decltype(is_doubled)::value>()); });
  }
  void sort_part(device_call const& call, msd_radix_digits const& digits, joined_buckets<Bits> const& buckets,
                 std::uint32_t first, std::uint32_t end, joined_output<descending, Key> const& output) const {
    if (first == end) return;
    with_doubled(digits, [&](auto is_doubled) {
      using bucket = msd_radix_joined_bucket<Tuning, decltype(is_doubled)::value, Bits>;
      detail::launch(call,
                     {end - first, tuning_.bucket_shape(is_doubled).threads_per_block,
                      storage_bytes<bucket::template storage>(arch_)},
                     sort_kernel<decltype(is_doubled)::value>(), buckets, first, output,
                     scratch_.state(ranks_.local()));
    });
  }

  distributed_call const& ranks_;
  Problem const& problem_;
  int arch_;
  msd_radix_tuning tuning_;
  bool has_enough_;
  scratch_layout unused_;
  msd_radix_scratch<Bits> scratch_;
  std::size_t surveys_, counts_, starts_, cuts_;
};

}  // namespace mgpu::detail
