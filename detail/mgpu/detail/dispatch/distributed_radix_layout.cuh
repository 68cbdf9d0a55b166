// While ranks sort by the most significant digits first, this tells where the keys of one lie: which of them it sends, which
// stay, and where those of others arrive, in which order.
#pragma once
#include <mgpu/detail/backend/distributed/pieces.h>
#include <mgpu/detail/backend/msd_radix/joined_plan_kernel.cuh>
#include <mgpu/detail/backend/msd_radix/joined_sort_kernel.cuh>
#include <mgpu/detail/backend/msd_radix/tuning.h>
#include <mgpu/detail/core/math.h>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace mgpu::detail {

// Keys of a rank that are one behind the other when they are in buckets, by their numbers then.
struct key_range {
  std::int64_t begin;
  std::int64_t end;
  std::int64_t count() const { return end - begin; }
};

// The order in which ranks get the two parts of their output: the ends of all ranks' output first, as what is written
// there while the other parts are exchanged is not what other ranks still wait for. They are less than half of a rank's
// output by some buckets, and by what chance may add, so that these do not bring them together.
struct joined_rounds {
  int num_ranks;

  bool has_low_end(int rank) const { return 2 * rank < num_ranks; }
  int part_of(int rank, int round) const { return has_low_end(rank) ? round : 1 - round; }
  std::int64_t begin_of_second_part(int rank, std::int64_t num_items) const {
    std::int64_t const less = smaller(num_items / 16, num_items / 128 + (1 << 15));
    return num_items / 2 + (has_low_end(rank) ? -less : less);
  }
};

// The keys that stay on a rank get an end of the memory, behind or before what comes from others: the end that is farther
// from where they lie in bins. So those in bins of which nothing is sent can be put there from the bins, when all other
// keys have left these. What is left of them at both ends is copied there from the buckets.
template <class Bits>
struct kept_keys {
  key_range all;
  // These keys go there from bins. There are none if keys were put into buckets before the host knew which would stay, if no
  // bin stays as a whole, or if keys would be put where others of these bins still lie.
  key_range moved;
  int first_bin;  // of the bins that have these
  int num_bins;
  arriving_piece<Bits> piece;  // all, as if they had been sent

  // Returns what is indexed by the keys' numbers: key i of this rank goes to begin()[i], if it stays.
  Bits* begin() const { return piece.items - all.begin; }
};

// This tells where the keys of a rank lie, once the cuts are known.
template <class Bits>
class joined_layout {
 public:
  // `cuts` stays where it is; grids[r] is that of rank r's output.
  joined_layout(int rank, int num_ranks, joined_cuts const& cuts, std::vector<piece_grid<Bits>> grids)
      : rank_(rank), rounds_{num_ranks}, cuts_(cuts), grids_(std::move(grids)) {}

  piece_grid<Bits> const& grid() const { return grids_[static_cast<std::size_t>(rank_)]; }
  // Returns the keys that a rank sends to another one for a part of its output.
  key_range range_of(int to, int part, int from) const {
    return {cuts_.of_rank[to][part].starts[from], cuts_.of_rank[to][part + 1].starts[from]};
  }
  key_range sent(int to, int round) const { return range_of(to, rounds_.part_of(to, round), rank_); }
  // Returns the keys of a rank that stay on it.
  key_range kept_by(int rank) const {
    return {cuts_.of_rank[rank][0].starts[rank], cuts_.of_rank[rank][num_joined_parts].starts[rank]};
  }

  // `memory` has room for num_items keys, and this rank's lie at `binned` in bins, whose keys may be moved if can_move.
  kept_keys<Bits> kept(msd_radix_digits const& digits, Bits* memory, std::int64_t num_items, Bits const* binned,
                       bool can_move) const {
    key_range const all = kept_by(rank_);
    constexpr std::int64_t step = piece_grid<Bits>::step;
    bool const is_behind = rounds_.has_low_end(rank_);
    arriving_piece<Bits> piece = kept_piece(rank_, memory);
    if (is_behind) piece = kept_piece(rank_, memory + (num_items / step * step - (piece.end() - memory)));
    kept_keys<Bits> const copied{all, {all.end, all.end}, 0, 0, piece};
    if (!can_move) return copied;

    joined_cut const* const before = rank_ == 0 ? nullptr : &cuts_.of_rank[rank_ - 1][num_joined_parts];
    joined_cut const* const after = rank_ + 1 == rounds_.num_ranks ? nullptr : &cuts_.of_rank[rank_ + 1][0];
    auto const buckets_of_bin = static_cast<std::uint32_t>(digits.buckets_per_bin());
    auto const first = before == nullptr ? 0 : static_cast<int>(divide_up(before->bucket, buckets_of_bin));
    auto const end = after == nullptr ? digits.num_bins() : static_cast<int>(after->bucket / buckets_of_bin);
    kept_keys<Bits> const kept{all,
                               {before == nullptr ? all.begin : before->bin_starts[rank_],
                                after == nullptr ? all.end : after->bin_starts[rank_]},
                               first,
                               end - first,
                               piece};
    bool const are_apart = is_behind ? binned + kept.moved.end <= kept.begin() + kept.moved.begin
                                     : kept.begin() + kept.moved.end <= binned + kept.moved.begin;
    return first < end && are_apart ? kept : copied;
  }

  using pieces_of_rounds = std::vector<std::vector<arriving_piece<Bits>>>;
  // Returns where the pieces of each round arrive in a rank's memory, one behind the other.
  pieces_of_rounds arriving(int to, Bits* memory) const {
    pieces_of_rounds arriving;
    if (!rounds_.has_low_end(to)) memory = kept_piece(to, memory).end();
    for (int round = 0; round < num_joined_parts; ++round) {
      std::vector<run_piece> pieces;
      for (int from = 0; from < rounds_.num_ranks; ++from) {
        key_range const range = range_of(to, rounds_.part_of(to, round), from);
        if (from != to && range.count() > 0) pieces.push_back({from, range.begin, range.count()});
      }
      arriving.push_back(detail::lay_out_pieces<Bits>(pieces, grids_, memory));
      if (!pieces.empty()) memory = arriving.back().back().end();
    }
    return arriving;
  }
  // Sets in `buckets` where this rank's keys lie when these have arrived.
  void place(kept_keys<Bits> const& kept, pieces_of_rounds const& arriving, joined_buckets<Bits>& buckets) const {
    for (int round = 0; round < num_joined_parts; ++round) {
      int const part = rounds_.part_of(rank_, round);
      for (auto const& piece : arriving[static_cast<std::size_t>(round)]) {
        buckets.offsets[part][piece.from] = piece.items - buckets.memory - range_of(rank_, part, piece.from).begin;
      }
      buckets.offsets[part][rank_] = kept.begin() - buckets.memory;
    }
  }

  // Tells whether what this rank sorts first is written to memory of which nothing is sent after the first round. `first` is
  // the number of the first key of its output.
  bool is_free_beside(std::int64_t first) const {
    int const part = rounds_.part_of(rank_, 0);
    auto const place_of = [&](int p) {
      std::int64_t number = 0;
      for (int from = 0; from < rounds_.num_ranks; ++from) number += cuts_.of_rank[rank_][p].starts[from];
      return number - first;
    };
    std::int64_t const begin = place_of(part), end = place_of(part + 1);
    for (int to = 0; to < rounds_.num_ranks; ++to) {
      key_range const range = sent(to, 1);
      if (to != rank_ && range.count() > 0 && grid().begin_of(range.begin) < end && begin < range.end) return false;
    }
    return true;
  }

 private:
  // Returns the keys that stay on a rank as a piece that arrives at `memory`.
  arriving_piece<Bits> kept_piece(int rank, Bits* memory) const {
    key_range const all = kept_by(rank);
    return detail::lay_out_pieces<Bits>({{rank, all.begin, all.count()}}, grids_, memory)[0];
  }

  int rank_;
  joined_rounds rounds_;
  joined_cuts const& cuts_;
  std::vector<piece_grid<Bits>> grids_;
};

}  // namespace mgpu::detail
