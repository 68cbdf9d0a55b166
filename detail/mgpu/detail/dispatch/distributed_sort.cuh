// Sorts over the ranks of a communicator. Each rank sorts its items; together they find out where to cut the sorted
// runs, so that each rank gets as many items as it had; the pieces are exchanged, and each rank merges what it got.
#pragma once
#include <mgpu/detail/backend/distributed/cuts.cuh>
#include <mgpu/detail/backend/distributed/exchange.cuh>
#include <mgpu/detail/backend/merge/tuning.h>
#include <mgpu/detail/backend/merge_sort/tuning.h>
#include <mgpu/detail/backend/msd_radix/tuning.h>
#include <mgpu/detail/backend/multiway_merge/multiway_merge.cuh>
#include <mgpu/detail/backend/multiway_merge/tuning.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/bare_key.h>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/merge_problem.h>
#include <mgpu/detail/core/multiway_merge_problem.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/sort_problem.h>
#include <mgpu/detail/dispatch/distributed_announcement.h>
#include <mgpu/detail/dispatch/distributed_radix_sort.cuh>
#include <mgpu/detail/dispatch/items.h>
#include <mgpu/detail/dispatch/merge.h>
#include <mgpu/detail/dispatch/order.h>
#include <mgpu/detail/dispatch/sort.h>
#include <mgpu/detail/runtime/check.h>
#include <mgpu/detail/runtime/distributed_call.h>
#include <mgpu/detail/runtime/inner_call.h>
#include <mgpu/detail/runtime/policy_traits.h>
#include <mgpu/detail/runtime/scratch.h>
#include <mgpu/detail/runtime/side_stream.h>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace mgpu::detail {

// A sorted run in plain memory.
template <class Key, class Value>
struct sorted_run {
  Key* keys;
  column<Value> values;
  std::int64_t count;
};

// Several runs are merged by the tiles of a merge sort's passes, which merge as many.
template <class Key, class Value>
struct tuning_of_merged_runs {
  __host__ __device__ static constexpr multiway_merge_tuning at(int arch) {
    return {merge_sort_large_tuning<bytes_of<Key>, bytes_of<Value>>::at(arch).merge};
  }
};
// Tells whether the scratch memory for a merge of so many runs, a number of each for each tile, is enough for one of two,
// a number for each tile.
template <class OfTwo, class OfSeveral, int... archs>
constexpr bool has_room_for_two(int num_runs, arch_list<archs...>) {
  return ((OfSeveral::at(archs / 10).tile_items() <= num_runs * OfTwo::at(archs / 10).merge.tile_items()) && ...);
}

// This takes the place of a joined_radix_sort where keys cannot be sorted so.
struct no_joined_sort : no_survey {
  template <class... Args>
  explicit no_joined_sort(Args const&...) {}
  static constexpr std::int64_t received_items() { return 0; }
  static constexpr std::size_t host_bytes() { return 0; }
  static constexpr std::int64_t announced_arch() { return 0; }
  template <class... Args>
  bool run(Args const&...) const {
    return false;
  }
};

// The part of one rank in a sort.
template <sort_order order, class Tuning, class Problem, class Comp>
class sort_over_ranks {
  using Key = typename Problem::Key;
  using Value = typename Problem::Value;
  using run = sorted_run<Key, Value>;
  // The rank's sorted run lies in the output where that is plain memory, and else in scratch memory.
  static constexpr bool stays =
      std::is_same_v<typename Problem::KeysOut, Key*> && std::is_same_v<typename Problem::ValuesOut, column<Value>>;
  // A pass merges up to so many runs into one; large keys are merged in pairs, by their indices.
  static constexpr std::size_t max_group = is_moved_key<Key> ? 4 : 2;
  using joined_tuning = tuning_or_default<std::conditional_t<is_tuning_of<Tuning, msd_radix_tuning>, Tuning, void>,
                                          msd_radix_default_tuning<bytes_of<Key>, has_two_zeros<Key>>>;
  static constexpr bool can_join =
      order != sort_order::none &&
      (std::is_void_v<Tuning> || is_tuning_of<Tuning, msd_radix_tuning>)&&can_be_joined<joined_tuning, Problem>;
  using joined_sort =
      std::conditional_t<can_join, joined_radix_sort<joined_tuning, order == sort_order::descending, Problem>,
                         no_joined_sort>;

 public:
  // Lays out the scratch memory. What arrives from other ranks takes that of the local sort, which is over by then.
  sort_over_ranks(distributed_call const& ranks, Problem const& problem, Comp const& comp)
      : ranks_(ranks),
        problem_(problem),
        comp_(comp),
        run_keys_(add_column<Key>(layout_, stays ? 0 : problem.num_items)),
        run_values_(add_column<Value>(layout_, stays ? 0 : problem.num_items)),
        joined_(ranks, layout_, problem),
        received_keys_(add_column<Key>(
            received_, larger(received_items<Key>(problem.num_items, ranks.num_ranks()), joined_.received_items()))),
        received_values_(add_column<Value>(received_, received_items<Value>(problem.num_items, ranks.num_ranks()))),
        cuts_(ranks, layout_),
        sorting_(
            ranks.local(), layout_, [&](device_call& inner) { sort(inner); }, received_.bytes()),
        merging_(ranks.local(), layout_, [&](device_call& inner) { size_merges(inner); }) {}

  // Runs the call, and waits at its end if that is asked for.
  void call(bool waits) const {
    announced_sort const announced(ranks_, layout_, larger(cuts_.host_bytes(), joined_.host_bytes()), joined_,
                                   [&] { return announcement(); });
    if (announced.is_size_query()) return;
    if (joined_.run(announced, received().keys)) return ranks_.finish(waits, [] {});
    sorting_.run(ranks_.local(), [&](device_call& inner) { sort(inner); });
    side_stream side(ranks_.local());  // the host makes these while the device sorts
    writing_stream writing(ranks_.local(), announced.are_a_team());
    std::vector<std::int64_t> counts;
    for (sort_announcement const& of_rank : announced.of_ranks()) counts.push_back(of_rank.num_items);
    cut_table const cuts = cuts_.find(sorted().keys, counts, announced.host_memory(), comp_);
    auto const keeps_all = [&](int rank) { return cuts.count(rank, rank) == counts[static_cast<std::size_t>(rank)]; };
    bool const keeps_mine = keeps_all(ranks_.rank());
    std::vector<run> const runs = keeps_mine ? std::vector<run>{sorted()} : exchange(cuts, announced, side, writing);
    bool do_all_keep = true;
    for (int rank = 0; rank < ranks_.num_ranks(); ++rank) do_all_keep = do_all_keep && keeps_all(rank);
    if (!do_all_keep) announced.meet();
    if (!keeps_mine || (!stays && problem_.num_items > 0)) merge_all(runs);  // a merge of one run only moves it
    ranks_.finish(waits, [] {});
  }

 private:
  template <class T>
  static std::size_t add_column(scratch_layout& layout, std::int64_t num_items) {
    return has_values<T> ? layout.add<T>(num_items) : 0;
  }
  template <class T>
  static column<T> column_at(void* memory) {
    if constexpr (has_values<T>) {
      return static_cast<T*>(memory);
    } else {
      return {};
    }
  }

  // Returns the rank's sorted run, and the memory for what arrives.
  run sorted() const {
    if constexpr (stays) {
      return {problem_.keys_out, problem_.values_out, problem_.num_items};
    } else {
      auto const scratch = [&](std::size_t piece) { return ranks_.local().template scratch<unsigned char>(piece); };
      return {column_at<Key>(scratch(run_keys_)), column_at<Value>(scratch(run_values_)), problem_.num_items};
    }
  }
  run received() const {
    unsigned char* const memory = sorting_.memory(ranks_.local());
    return {column_at<Key>(memory + received_keys_), column_at<Value>(memory + received_values_), 0};
  }

  // Called once there is memory.
  sort_announcement announcement() const {
    sort_announcement announced{problem_.num_items,
                                piece_grid<Key>::of(sorted().keys).first,
                                piece_grid<Value>::of(sorted().values).first,
                                bytes_of<Key>,
                                bytes_of<Value>,
                                0,
                                joined_.announced_arch()};
    if (team const* const by = ranks_.by_team()) {
      std::int64_t const begin = sorting_.memory(ranks_.local()) - static_cast<unsigned char*>(by->memory());
      announced.team = by->number();
      announced.arriving_keys = begin + static_cast<std::int64_t>(received_keys_);
      announced.arriving_values = begin + static_cast<std::int64_t>(received_values_);
    }
    return announced;
  }

  void sort(device_call& inner) const {
    run const to = sorted();
    if (to.count == 0) return;
    if constexpr (Problem::keys_in_place && stays) {
      detail::sort_on_device<order, Tuning>(inner, problem_, comp_);
    } else {
      detail::sort_on_device<order, Tuning>(
          inner, detail::sort_to_copy(problem_.keys_in, problem_.values_in, to.keys, to.values, to.count), comp_);
    }
  }

  // Sends the pieces of this rank's run to the ranks that get them. Returns the pieces that it gets itself, in the order
  // of the ranks that they come from; its own is copied meanwhile. The run is there, and no rank uses the memory for what
  // arrives: the host has waited for the cuts, which are of all ranks' runs.
  std::vector<run> exchange(cut_table const& cuts, announced_sort const& announced, side_stream& side,
                            writing_stream& writing) const {
    int const rank = ranks_.rank();
    std::vector<piece_grid<Key>> key_grids;
    std::vector<piece_grid<Value>> value_grids;
    for (sort_announcement const& of_rank : announced.of_ranks()) {
      key_grids.push_back({of_rank.first_aligned_key});
      value_grids.push_back({of_rank.first_aligned_value});
    }
    auto const pieces_of = [&](int to) {
      std::vector<run_piece> pieces;
      for (int from = 0; from < ranks_.num_ranks(); ++from) {
        if (cuts.count(to, from) > 0) pieces.push_back({from, cuts.begin(to, from), cuts.count(to, from)});
      }
      return pieces;
    };
    auto const sends_to = [&](int to) { return cuts.count(to, rank) > 0; };
    auto const writes_to = [&](int to) { return announced.writes_to(to); };
    auto const mine = static_cast<std::size_t>(rank);
    auto const pieces = pieces_of(rank);
    auto const keys = detail::lay_out_pieces<Key>(pieces, key_grids, received().keys);
    auto const values = detail::lay_out_pieces<Value>(pieces, value_grids, received().values);
    ranks_.load(copy_kernel<copy_words_per_thread>);
    auto const copy = [&](device_call const& call, auto const& to_keys, auto const& to_values, bool gently) {
      detail::copy_own_piece(call, rank, to_keys, sorted().keys, gently);
      detail::copy_own_piece(call, rank, to_values, sorted().values, gently);
    };
    auto const write = [&](device_call const& call, int to) {
      auto const keys_there = column_at<Key>(announced.arriving_keys_of(to));
      auto const values_there = column_at<Value>(announced.arriving_values_of(to));
      auto const pieces_there = pieces_of(to);
      copy(call, detail::lay_out_pieces<Key>(pieces_there, key_grids, keys_there),
           detail::lay_out_pieces<Value>(pieces_there, value_grids, values_there), false);
    };
    auto const send = [&](int to) {
      std::int64_t const begin = cuts.begin(to, rank), count = cuts.count(to, rank);
      detail::send_piece(ranks_, key_grids[mine], sorted().keys, begin, count, to);
      detail::send_piece(ranks_, value_grids[mine], sorted().values, begin, count, to);
    };
    detail::exchange_items(ranks_, writing, sends_to, writes_to, write, send, [&] {
      detail::receive_pieces(ranks_, keys, writes_to);
      detail::receive_pieces(ranks_, values, writes_to);
    });
    copy(side.call(), keys, values, detail::copies_gently(cuts.count(rank, rank), problem_.num_items));
    writing.join();
    side.join();
    std::vector<run> runs;
    for (std::size_t i = 0; i < pieces.size(); ++i) runs.push_back({keys[i].items, values[i].items, pieces[i].count});
    return runs;
  }

  // Merges the runs to the output, in passes that each merge groups of neighbours. They go from the memory of what
  // arrived to that of the rank's own run and back, so that an odd number of them ends in the output.
  void merge_all(std::vector<run> runs) const {
    auto const merged_by = [](int passes, std::size_t group) {
      std::size_t num_runs = 1;
      for (; passes > 0; --passes) num_runs *= group;
      return num_runs;
    };
    int passes = 1;
    while (merged_by(passes, max_group) < runs.size()) passes += 2;
    std::size_t group = 2;
    while (merged_by(passes, group) < runs.size()) ++group;
    for (; passes > 1; --passes) {
      run const to = passes % 2 != 0 ? sorted() : received();
      runs = merge_groups(runs, group, to.keys, to.values);
    }
    merge_groups(runs, group, problem_.keys_out, problem_.values_out);
  }
  template <class KeysOut, class ValuesOut>
  std::vector<run> merge_groups(std::vector<run> const& runs, std::size_t group, KeysOut keys_out,
                                ValuesOut values_out) const {
    std::vector<run> merged;
    for (auto first = runs.begin(); first != runs.end();) {
      auto const last = first + std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(group), runs.end() - first);
      std::vector<run> const neighbours(first, last);
      merging_.run(ranks_.local(), [&](device_call& inner) { merge(inner, neighbours, keys_out, values_out); });
      std::int64_t count = 0;
      for (run const& each : neighbours) count += each.count;
      if constexpr (std::is_same_v<KeysOut, Key*> && std::is_same_v<ValuesOut, column<Value>>) {
        merged.push_back({keys_out, values_out, count});
      }
      keys_out = keys_out + count;
      values_out = values_out + count;
      first = last;
    }
    return merged;
  }

  // Merges one, two, or up to max_group runs, which lie in one memory.
  template <class KeysOut, class ValuesOut>
  void merge(device_call& inner, std::vector<run> const& runs, KeysOut keys_out, ValuesOut values_out) const {
    run const& a = runs[0];
    if (runs.size() <= 2) {
      run const b = runs.size() == 2 ? runs[1] : run{a.keys, a.values, 0};
      detail::merge_on_device<void>(
          inner,
          merge_problem{static_cast<Key const*>(a.keys), a.values, a.count, static_cast<Key const*>(b.keys), b.values,
                        b.count, keys_out, values_out},
          comp_);
    } else if constexpr (max_group > 2) {
      static_assert(
          has_room_for_two<merge_default_tuning<bytes_of<Key>, bytes_of<Value>>, tuning_of_merged_runs<Key, Value>>(
              max_group, compiled_archs{}),
          "mgpu: where several runs are merged, what is left over may be two");
      multiway_merge_problem<Key, Value, KeysOut, ValuesOut> several{a.keys, a.values, {},        {},
                                                                     {},     keys_out, values_out};
      for (std::size_t r = 0; r < runs.size(); ++r) {
        several.key_begins[r] = runs[r].keys - a.keys;
        if constexpr (has_values<Value>) several.value_begins[r] = runs[r].values - a.values;
        several.counts[r] = runs[r].count;
      }
      detail::multiway_merge<tuning_of_merged_runs<Key, Value>>(inner, several, comp_);
    }
  }

  // Lays out what merges of all items need, of two runs or of more.
  void size_merges(device_call& inner) const {
    if (problem_.num_items == 0) return;
    run const none{sorted().keys, sorted().values, 0};
    run const all{none.keys, none.values, problem_.num_items};
    merge(inner,
          ranks_.num_ranks() > 2 && max_group > 2 ? std::vector<run>{all, none, none} : std::vector<run>{all, none},
          problem_.keys_out, problem_.values_out);
  }

  distributed_call const& ranks_;
  Problem const& problem_;
  Comp const& comp_;
  scratch_layout layout_;
  scratch_layout received_;  // within the local sort's piece of the layout
  std::size_t run_keys_, run_values_;
  joined_sort joined_;
  std::size_t received_keys_, received_values_;
  cut_finder<Key> cuts_;
  inner_call sorting_;
  inner_call merging_;
};

}  // namespace mgpu::detail
