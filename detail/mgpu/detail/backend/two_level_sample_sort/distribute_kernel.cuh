// The kernels of both levels that put items into buckets: the items of each tile change places within the tile, and
// tables tell where its buckets begin.
#pragma once
#include <mgpu/detail/backend/two_level_sample_sort/pieces.cuh>
#include <mgpu/detail/backend/two_level_sample_sort/splitter_tree.cuh>
#include <mgpu/detail/backend/two_level_sample_sort/state.h>
#include <mgpu/detail/backend/two_level_sample_sort/tuning.h>
#include <mgpu/detail/block/radix_rank.cuh>
#include <mgpu/detail/block/source_indices.cuh>
#include <mgpu/detail/block/start_copies.cuh>
#include <mgpu/detail/core/addressof.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/sample_index.h>
#include <mgpu/detail/core/skip.h>
#include <mgpu/detail/simt/async_copy.cuh>
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// Draws the sample, which is sorted then, and sets the counters to zero. The grid has a thread a sample.
template <class KeysIn>
__global__ void __launch_bounds__(256)
    two_level_draw_sample_kernel(KeysIn keys, iterator_value_t<KeysIn>* sample, std::uint32_t num_samples,
                                 two_level_sample_sort_state state, skip_if skip) {
  simt::wait_for_primary();
  std::uint32_t const i = simt::block_rank() * 256 + simt::thread_rank();
  if (skip() || i >= num_samples) return;
  sample[i] = *(keys + std::int64_t{detail::index_of_sample(i, state.sample_share)});
  if (i == 0) *state.counted = {};
}

// The memory of a block.
template <class Tuning, class Key, class Value>
struct two_level_distributor {
  template <int arch>
  using ranker = block_radix_rank<Tuning::at(arch).tile.threads_per_block, Tuning::at(arch).tile.items_per_thread,
                                  Tuning::at(arch).bucket_bits>;
  template <int arch>
  struct storage {
    static constexpr int tile_items = Tuning::at(arch).tile.tile_items();
    union {
      typename ranker<arch>::temp_storage rank;
      block_pieces<Tuning::at(arch).tile.threads_per_block> pieces;
    };
    alignas(16) uninitialized_array<Key, tile_items> keys;
    alignas(16) uninitialized_array<Value, has_values<Value> ? tile_items : 1> values;
    splitter_tree<Key, Tuning::at(arch).least_bits(), Tuning::at(arch).bucket_bits> splitters;
    source_indices<tile_items> sources;  // of the items in buckets
    std::uint8_t buckets[tile_items];    // of the items in the order of the input, where they are ranked again
    int num_misplaced;                   // how many items come right behind a later one of their bucket
    __device__ storage() {}
  };
};

// A block puts one tile of a level into buckets; all functions are called by all threads, in this order.
template <class Tuning, class Key, class Value>
class two_level_tile {
  static constexpr two_level_sample_sort_tuning tuning = Tuning::at(current_arch());
  static constexpr int threads = tuning.tile.threads_per_block;
  static constexpr int items = tuning.tile.items_per_thread;
  static constexpr int last_bin = (1 << tuning.bucket_bits) - 1;  // absent items have it, behind all others
  using blocks = two_level_distributor<Tuning, Key, Value>;
  using ranker = typename blocks::template ranker<current_arch()>;
  using storage = typename blocks::template storage<current_arch()>;

 public:
  __device__ __forceinline__ two_level_tile(storage& shared, two_level_sample_sort_state const& state,
                                            std::uint32_t tile, bool is_second)
      : shared_(shared), state_(state), is_second_(is_second), tile_(tile), number_(tile), tiles_(state.num_tiles) {
    std::uint32_t size = state.num_items;
    if (is_second) {
      bucket_ = state.tiles[tile].bucket;
      number_ = tile - state.buckets->first_tiles[bucket_];
      tiles_ = state.tiles_of(bucket_);
      size = state.buckets->sizes[bucket_];
    }
    begin_ = number_ * state.tile_items;
    valid_ = static_cast<int>(smaller(size - begin_, state.tile_items));
    if (thread() == 0) shared.num_misplaced = 0;
  }

  // Starts to load the items. In the first level the keys go to registers.
  template <class KeysIn, class ValuesIn>
  __device__ __forceinline__ void load(KeysIn keys_in, ValuesIn values_in) {
    if (!is_second_) {
#pragma unroll
      for (int i = 0; i < items; ++i) keys_[i] = *(keys_in + std::int64_t{begin_ + static_cast<unsigned>(source(i))});
      if constexpr (has_values<Value>) {
        detail::start_copies<threads>(copies_, values_in + std::int64_t{begin_},
                                      cuda::std::addressof(shared_.values[0]), valid_);
      }
    } else if constexpr (std::is_pointer_v<KeysIn> && (std::is_pointer_v<ValuesIn> || !has_values<Value>)) {
      std::uint64_t const row = std::uint64_t{bucket_} * state_.num_tiles;
      std::uint32_t const* const offsets = state_.offsets + row;
      std::uint32_t const end = begin_ + static_cast<unsigned>(valid_);
#pragma unroll 1
      for (std::uint32_t first = state_.tiles[tile_].first_piece; first < state_.num_tiles && offsets[first] < end;
           first += threads) {
        std::uint32_t const tile = first + static_cast<unsigned>(thread());
        item_piece mine{};
        if (tile < state_.num_tiles) {
          std::uint32_t const offset = offsets[tile];
          std::uint32_t const next = tile + 1 < state_.num_tiles ? offsets[tile + 1] : state_.buckets->sizes[bucket_];
          mine =
              detail::piece_within(begin_, end, offset, next, tile * state_.tile_items + state_.starts[row + tile]);
        }
        detail::start_piece_copies<16>(copies_, shared_.pieces, mine, threads, static_cast<Key const*>(keys_in),
                                       cuda::std::addressof(shared_.keys[0]), values_in,
                                       cuda::std::addressof(shared_.values[0]));
        simt::sync_block();
      }
    }
  }

  // Loads the splitters of the tile's buckets, which are some of the sorted sample. The items are there then.
  template <class Comp>
  __device__ __forceinline__ void load_splitters(Key const* sample, Comp& comp) {
    std::uint32_t const samples_of_bucket = static_cast<unsigned>(num_buckets()) * state_.samples_of_part;
    std::uint32_t const apart = is_second_ ? state_.samples_of_part : samples_of_bucket;
    Key const* const first = sample + bucket_ * samples_of_bucket;
    shared_.splitters.template load<threads>([&](int i) { return first[static_cast<unsigned>(i) * apart]; },
                                             num_buckets(), bucket_ > 0, comp);
    copies_.wait();
    simt::sync_block();
    if (is_second_) {
#pragma unroll
      for (int i = 0; i < items; ++i) keys_[i] = shared_.keys[source(i)];
    }
  }

  template <class Comp>
  __device__ __forceinline__ void find_buckets(Comp& comp) {
    constexpr int batch = 4;
#pragma unroll
    for (int first = 0; first < items; first += batch) {
      uninitialized_array<Key, batch> searched;
      int found[batch];
#pragma unroll
      for (int k = 0; k < batch; ++k) searched[k] = keys_[smaller(first + k, items - 1)];
      shared_.splitters.find(searched.items, found, num_buckets(), comp);
#pragma unroll
      for (int k = 0; k < batch; ++k) {
        if (first + k >= items) continue;
        bool const is_absent = ranker::item_index(first + k) >= valid_;
        buckets_.set(first + k, static_cast<std::uint32_t>(is_absent ? last_bin : found[k]));
      }
    }
  }

  // Writes the items in the order of their buckets, and the tile's column of the table.
  template <class KeysOut, class ValuesOut>
  __device__ __forceinline__ void write(KeysOut keys_out, ValuesOut values_out) {
    typename ranker::ranks_type ranks;
    ranker::rank_by_atomics(shared_.rank, buckets_, -1, ranks);
    simt::sync_block();
    typename ranker::bins mine{};
    ranker::for_each_bin([&](int b, int bin) {
      mine.totals[b] = ranker::total(shared_.rank, bin);
      if (bin == last_bin) mine.totals[b] -= static_cast<unsigned>(tuning.tile.tile_items() - valid_);
    });
    ranker::scan_totals(shared_.rank, mine);
    std::uint16_t* const table = is_second_ ? state_.part_starts_of(bucket_) : state_.starts;
    ranker::for_each_bin([&](int b, int bin) {
      ranker::place_bin(shared_.rank, bin, mine.starts[b]);
      if (bin >= num_buckets()) return;  // there are rows of buckets alone
      table[static_cast<std::uint64_t>(bin) * tiles_ + number_] = static_cast<std::uint16_t>(mine.starts[b]);
    });
    simt::sync_block();
#pragma unroll
    for (int i = 0; i < items; ++i) {
      std::uint32_t const target = ranker::target(shared_.rank, buckets_[i], ranks[i]);
      shared_.keys[target] = keys_[i];
      shared_.sources[target] = static_cast<std::uint16_t>(ranker::item_index(i));
    }
    simt::sync_block();
    write_from([&](int i) { return shared_.keys[i]; }, keys_out, values_out);

    // In a stable tile source indices descend only where buckets begin.
    int misplaced = shared_.sources.template count_descents<threads>();
    ranker::for_each_bin([&](int b, int) {
      auto const start = static_cast<int>(mine.starts[b]);
      if (mine.totals[b] > 0 && start > 0 && shared_.sources[start - 1] > shared_.sources[start]) --misplaced;
    });
    if (misplaced != 0) simt::add_shared(shared_.num_misplaced, misplaced);
    simt::sync_block();
    if (shared_.num_misplaced != 0) write_again(mine, keys_out, values_out);
  }

 private:
  static __device__ __forceinline__ int thread() { return static_cast<int>(simt::thread_rank()); }
  __device__ __forceinline__ int num_buckets() const {
    constexpr bool is_known = tuning.least_bits() == tuning.bucket_bits;
    return is_known ? 1 << tuning.bucket_bits : static_cast<int>(state_.num_buckets);
  }
  // Returns the index in the tile of the thread's item i; an absent item is the last one.
  __device__ __forceinline__ int source(int i) const { return smaller(ranker::item_index(i), valid_ - 1); }

  template <class KeyOf, class KeysOut, class ValuesOut>
  __device__ __forceinline__ void write_from(KeyOf key_of, KeysOut keys_out, ValuesOut values_out) {
    std::uint32_t const output = is_second_ ? state_.buckets->begins[bucket_] + begin_ : begin_;
#pragma unroll 4
    for (int i = thread(); i < valid_; i += threads) {
      keys_out[output + static_cast<unsigned>(i)] = key_of(i);
      if constexpr (has_values<Value>)
        values_out[output + static_cast<unsigned>(i)] = shared_.values[shared_.sources[i]];
    }
  }

  // Writes the items, which are ranked by matching, as that is stable on all hardware. The buckets stay those that
  // were counted: a comparator that is no order might find others.
  template <class KeysOut, class ValuesOut>
  __device__ __forceinline__ void write_again(typename ranker::bins const& mine, KeysOut keys_out,
                                              ValuesOut values_out) {
    buckets_.forget();  // else they are kept unpacked in registers, for which there are none
#pragma unroll
    for (int i = 0; i < items; ++i) {
      if (ranker::item_index(i) >= valid_) continue;
      shared_.keys[ranker::item_index(i)] = keys_[i];
      shared_.buckets[ranker::item_index(i)] = static_cast<std::uint8_t>(buckets_[i]);
    }
    simt::sync_block();
    auto const bucket_of = [&](int i) { return std::uint32_t{shared_.buckets[i]}; };
    auto const rows = ranker::share_of(valid_);
    ranker::count_rows(shared_.rank, rows, bucket_of);
    simt::sync_block();
    ranker::for_each_bin([&](int b, int bin) { ranker::place_bin(shared_.rank, bin, mine.starts[b]); });
    simt::sync_block();
    ranker::place_rows(shared_.rank, rows, bucket_of,
                       [&](int i, std::uint32_t target) { shared_.sources[target] = static_cast<std::uint16_t>(i); });
    simt::sync_block();
    write_from([&](int i) { return shared_.keys[shared_.sources[i]]; }, keys_out, values_out);
  }

  storage& shared_;
  two_level_sample_sort_state const& state_;
  bool is_second_;
  std::uint32_t tile_;
  std::uint32_t bucket_ = 0;  // that the items are of; in the first level all are of bucket 0
  std::uint32_t number_;      // of the tile in its bucket
  std::uint32_t tiles_;       // that the bucket has
  std::uint32_t begin_;       // of the items in the bucket
  int valid_;                 // how many there are
  simt::async_copies copies_;
  uninitialized_array<Key, items> keys_;
  typename ranker::digits_type buckets_;
};

// Puts the items of each tile into buckets, in the order of buckets; items keep their order in a bucket. In the first
// level the grid has a block a tile of the input, and the output may be the input. In the second level a tile has
// items of one bucket, which it gathers from the tiles of the first level, and puts them into the parts of the
// bucket, to where they lie when all buckets lie one behind the other. The grid has a block for as many tiles as
// there may be.
template <class Tuning, class KeysIn, class ValuesIn, class Comp>
__global__ void __launch_bounds__(Tuning::at(current_arch()).tile.threads_per_block,
                                  Tuning::at(current_arch()).tile.min_blocks_per_sm)
    two_level_distribute_kernel(KeysIn keys_in, ValuesIn values_in, iterator_value_t<KeysIn>* keys_out,
                                column<iterator_value_t<ValuesIn>> values_out, iterator_value_t<KeysIn> const* sample,
                                two_level_sample_sort_state state, bool is_second, skip_if skip, Comp comp) {
  static_assert(
      Tuning::at(current_arch()).is_valid(),
      "mgpu: with_tuning: blocks have whole warps, at most 32, a group's a power of two of threads, with fewer "
      "items each than threads; tiles have 4 to 65,532 items, a multiple of 4, groups 1 to 65,536; a bucket's "
      "number has 1 to 8 bits; at least two items are sorted so; min_bucket_bits is positive; a group has at least "
      "as many items as parts, and a part");
  using Key = iterator_value_t<KeysIn>;
  using blocks = two_level_distributor<Tuning, Key, iterator_value_t<ValuesIn>>;
  auto& shared = simt::shared<typename blocks::template storage<current_arch()>>();
  if (skip()) return simt::skip_launch();
  simt::wait_for_primary();
  if (is_second && simt::block_rank() >= state.buckets->first_tiles[state.num_buckets]) return;
  two_level_tile<Tuning, Key, iterator_value_t<ValuesIn>> tile(shared, state, simt::block_rank(), is_second);
  tile.load(keys_in, values_in);
  tile.load_splitters(sample, comp);
  tile.find_buckets(comp);
  tile.write(keys_out, values_out);
}

}  // namespace mgpu::detail
