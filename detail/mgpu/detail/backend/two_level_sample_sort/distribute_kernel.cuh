// The kernels of both levels that put items into buckets: the items of each tile change places within the tile, and
// tables tell where its buckets begin. A splitter tree and buckets of equal keys: Sanders, Winkel, ESA 2004.
#pragma once
#include <mgpu/detail/backend/two_level_sample_sort/pieces.cuh>
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

// Splitters 1, 2 and so on, in order, begin the buckets after the first. They lie in shared memory as a tree: node 1
// is the middle one, and below node i are nodes 2 i and 2 i + 1. So steps of a search find their nodes by the result
// of the one before alone, and the first steps of all lanes read few words.
template <class Key, int bits>
struct splitter_tree {
  static constexpr int num_buckets = 1 << bits;
  uninitialized_array<Key, num_buckets> nodes;  // from node 1 on
  // A splitter has a bit if its key is equal to that of the one before. Between these two is a bucket that no search
  // ends in: keys that are equal to them go there, so that none has to be compared again.
  std::uint32_t repeats[divide_up(num_buckets, threads_per_warp)];
  std::uint32_t has_repeats;

  static __device__ __forceinline__ int node_of(int splitter) {
    int const lowest_bit = threads_per_warp - 1 - simt::leading_zeros(static_cast<unsigned>(splitter & -splitter));
    return (1 << (bits - 1 - lowest_bit)) + (splitter >> (lowest_bit + 1));
  }

  // Loads the splitters; splitter(i) reads one from global memory. If has_first, splitter 0 is there, too: no key
  // comes before it. Called by all threads; has a barrier and owes one.
  template <int threads_per_block, class Splitter, class Comp>
  __device__ __forceinline__ void load(Splitter splitter, bool has_first, Comp& comp) {
    auto const thread = static_cast<int>(simt::thread_rank());
    if (thread == 0) has_repeats = 0;
    simt::sync_block();
#pragma unroll 1
    for (int first = thread - static_cast<int>(simt::lane()); first < num_buckets; first += threads_per_block) {
      int const i = first + static_cast<int>(simt::lane());
      bool is_repeat = false;
      if (i > 0 && i < num_buckets) {
        Key const key = splitter(i);
        nodes[node_of(i)] = key;
        is_repeat = (i > 1 || has_first) && !comp(splitter(i - 1), key);
      }
      std::uint32_t const bits_of_warp = simt::ballot(simt::full_mask, is_repeat);
      if (simt::lane() == 0) {
        repeats[first / threads_per_warp] = bits_of_warp;
        if (bits_of_warp != 0) simt::or_shared(has_repeats, 1u);
      }
    }
  }

  // Sets buckets[k] to the bucket of keys[k]: so many splitters are not behind it, or one less where it has a bucket
  // of equal keys.
  template <int count, class Comp>
  __device__ __forceinline__ void find(Key const (&keys)[count], int (&buckets)[count], Comp& comp) const {
#pragma unroll
    for (int k = 0; k < count; ++k) buckets[k] = 1;
#pragma unroll
    for (int step = 0; step < bits; ++step) {
      uninitialized_array<Key, count> splitters;
#pragma unroll
      for (int k = 0; k < count; ++k) splitters[k] = nodes[buckets[k]];
#pragma unroll
      for (int k = 0; k < count; ++k) buckets[k] = 2 * buckets[k] + (comp(keys[k], splitters[k]) ? 0 : 1);
    }
#pragma unroll
    for (int k = 0; k < count; ++k) buckets[k] -= num_buckets;
    if (has_repeats == 0) return;
#pragma unroll
    for (int k = 0; k < count; ++k) {
      int const last = buckets[k];
      bool const is_repeat = (repeats[last / threads_per_warp] >> last % threads_per_warp & 1) != 0;
      if (is_repeat && !comp(nodes[node_of(last)], keys[k])) --buckets[k];
    }
  }
};

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
    splitter_tree<Key, Tuning::at(arch).bucket_bits> splitters;
    source_indices<tile_items> sources;  // of the items in buckets
    std::uint8_t buckets[tile_items];    // of the items in the order of the input, where they are ranked again
    int num_misplaced;                   // how many items come right behind a later one of their bucket
    __device__ storage() {}
  };
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
  constexpr two_level_sample_sort_tuning tuning = Tuning::at(current_arch());
  static_assert(
      tuning.is_valid(),
      "mgpu: with_tuning: blocks have whole warps, at most 32, a group's a power of two of threads, with fewer "
      "items each than threads; tiles have 4 to 65,532 items, a multiple of 4, groups 1 to 65,536; a bucket's "
      "number has 1 to 8 bits; at least two items are sorted so");
  using Key = iterator_value_t<KeysIn>;
  using Value = iterator_value_t<ValuesIn>;
  using blocks = two_level_distributor<Tuning, Key, Value>;
  using ranker = typename blocks::template ranker<current_arch()>;
  constexpr int threads = tuning.tile.threads_per_block;
  constexpr int items = tuning.tile.items_per_thread;
  constexpr int num_buckets = tuning.num_buckets();
  auto& shared = simt::shared<typename blocks::template storage<current_arch()>>();
  simt::wait_for_primary();
  if (skip()) return;
  auto const thread = static_cast<int>(simt::thread_rank());
  std::uint32_t const block = simt::block_rank();

  std::uint32_t bucket = 0, begin = block * state.tile_items, valid_items = 0;
  std::uint32_t number = block, tiles = state.num_tiles;  // of the tile, and of those of its table
  if (is_second) {
    if (block >= state.buckets->first_tiles[num_buckets]) return;
    bucket = state.tiles[block].bucket;
    number = block - state.buckets->first_tiles[bucket];
    tiles = state.tiles_of(bucket);
    begin = number * state.tile_items;  // in the bucket
    valid_items = smaller(state.buckets->sizes[bucket] - begin, state.tile_items);
  } else {
    valid_items = state.items_of_tile(block);
  }
  auto const valid = static_cast<int>(valid_items);

  if (thread == 0) shared.num_misplaced = 0;
  std::uint32_t const samples_apart = is_second ? state.samples_of_part : num_buckets * state.samples_of_part;
  Key const* const first_sample = sample + bucket * num_buckets * state.samples_of_part;
  auto const source = [&](int i) {
    return smaller(ranker::item_index(i), valid - 1);
  };  // an absent item is the last one
  simt::async_copies copies;
  uninitialized_array<Key, items> keys;
  if (!is_second) {
#pragma unroll
    for (int i = 0; i < items; ++i) keys[i] = *(keys_in + std::int64_t{begin + static_cast<unsigned>(source(i))});
    if constexpr (has_values<Value>) {
      detail::start_copies<threads>(copies, values_in + std::int64_t{begin}, cuda::std::addressof(shared.values[0]),
                                    valid);
    }
  } else if constexpr (std::is_pointer_v<KeysIn> && (std::is_pointer_v<ValuesIn> || !has_values<Value>)) {
    std::uint64_t const row = std::uint64_t{bucket} * state.num_tiles;
    std::uint32_t const* const offsets = state.offsets + row;
    std::uint32_t const end = begin + valid_items;
#pragma unroll 1
    for (std::uint32_t first = state.tiles[block].first_piece; first < state.num_tiles && offsets[first] < end;
         first += threads) {
      std::uint32_t const tile = first + static_cast<unsigned>(thread);
      item_piece mine{};
      if (tile < state.num_tiles) {
        std::uint32_t const offset = offsets[tile];
        std::uint32_t const next = tile + 1 < state.num_tiles ? offsets[tile + 1] : state.buckets->sizes[bucket];
        mine = detail::piece_within(begin, end, offset, next, tile * state.tile_items + state.starts[row + tile]);
      }
      detail::start_piece_copies<16>(copies, shared.pieces, mine, threads, static_cast<Key const*>(keys_in),
                                     cuda::std::addressof(shared.keys[0]), values_in,
                                     cuda::std::addressof(shared.values[0]));
      simt::sync_block();
    }
  }
  shared.splitters.template load<threads>(
      [&](int i) { return first_sample[static_cast<unsigned>(i) * samples_apart]; }, bucket > 0, comp);
  copies.wait();
  simt::sync_block();
  if (is_second) {
#pragma unroll
    for (int i = 0; i < items; ++i) keys[i] = shared.keys[source(i)];
  }

  typename ranker::digits_type buckets;
  constexpr int batch = 4;
#pragma unroll
  for (int first = 0; first < items; first += batch) {
    uninitialized_array<Key, batch> searched;
    int found[batch];
#pragma unroll
    for (int k = 0; k < batch; ++k) searched[k] = keys[smaller(first + k, items - 1)];
    shared.splitters.find(searched.items, found, comp);
#pragma unroll
    for (int k = 0; k < batch; ++k) {
      if (first + k >= items) continue;
      bool const is_absent = ranker::item_index(first + k) >= valid;
      buckets.set(first + k, static_cast<std::uint32_t>(is_absent ? num_buckets - 1 : found[k]));
    }
  }
  typename ranker::ranks_type ranks;
  ranker::rank_by_atomics(shared.rank, buckets, -1, ranks);
  simt::sync_block();
  typename ranker::bins mine{};
  ranker::for_each_bin([&](int b, int bin) {
    mine.totals[b] = ranker::total(shared.rank, bin);
    if (bin == num_buckets - 1) mine.totals[b] -= tuning.tile.tile_items() - valid_items;
  });
  ranker::scan_totals(shared.rank, mine);
  std::uint16_t* const table = is_second ? state.part_starts_of(bucket) : state.starts;
  ranker::for_each_bin([&](int b, int bin) {
    table[static_cast<std::uint64_t>(bin) * tiles + number] = static_cast<std::uint16_t>(mine.starts[b]);
    ranker::place_bin(shared.rank, bin, mine.starts[b]);
  });
  simt::sync_block();
#pragma unroll
  for (int i = 0; i < items; ++i) {
    std::uint32_t const target = ranker::target(shared.rank, buckets[i], ranks[i]);
    shared.keys[target] = keys[i];
    shared.sources[target] = static_cast<std::uint16_t>(ranker::item_index(i));
  }
  simt::sync_block();
  std::uint32_t const output = is_second ? state.buckets->begins[bucket] + begin : begin;
  auto const write = [&](auto key_of) {
#pragma unroll 4
    for (int i = thread; i < valid; i += threads) {
      keys_out[output + static_cast<unsigned>(i)] = key_of(i);
      if constexpr (has_values<Value>)
        values_out[output + static_cast<unsigned>(i)] = shared.values[shared.sources[i]];
    }
  };
  write([&](int i) { return shared.keys[i]; });

  // In a stable tile source indices descend only where buckets begin.
  int misplaced = shared.sources.template count_descents<threads>();
  ranker::for_each_bin([&](int b, int) {
    auto const start = static_cast<int>(mine.starts[b]);
    if (mine.totals[b] > 0 && start > 0 && shared.sources[start - 1] > shared.sources[start]) --misplaced;
  });
  if (misplaced != 0) simt::add_shared(shared.num_misplaced, misplaced);
  simt::sync_block();
  if (shared.num_misplaced == 0) return;

  // Again by matching, which is stable on all hardware. The buckets stay those that were counted: a comparator that
  // is no
  // order might find others.
  buckets.forget();  // else they are kept unpacked in registers, for which there are none
#pragma unroll
  for (int i = 0; i < items; ++i) {
    if (ranker::item_index(i) >= valid) continue;
    shared.keys[ranker::item_index(i)] = keys[i];
    shared.buckets[ranker::item_index(i)] = static_cast<std::uint8_t>(buckets[i]);
  }
  simt::sync_block();
  auto const bucket_of = [&](int i) { return std::uint32_t{shared.buckets[i]}; };
  auto const rows = ranker::share_of(valid);
  ranker::count_rows(shared.rank, rows, bucket_of);
  simt::sync_block();
  ranker::for_each_bin([&](int b, int bin) { ranker::place_bin(shared.rank, bin, mine.starts[b]); });
  simt::sync_block();
  ranker::place_rows(shared.rank, rows, bucket_of,
                     [&](int i, std::uint32_t target) { shared.sources[target] = static_cast<std::uint16_t>(i); });
  simt::sync_block();
  write([&](int i) { return shared.keys[shared.sources[i]]; });
}

}  // namespace mgpu::detail
