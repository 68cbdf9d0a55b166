// The first kernel of the sample sort puts the items of each tile into buckets, between splitters that every block
// finds by itself: all sort the same sample of the keys.
#pragma once
#include <mgpu/detail/backend/sample_sort/tuning.h>
#include <mgpu/detail/block/digit_pass.cuh>
#include <mgpu/detail/block/merge_sort.cuh>
#include <mgpu/detail/block/radix_rank.cuh>
#include <mgpu/detail/block/start_copies.cuh>
#include <mgpu/detail/core/addressof.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/sample_index.h>
#include <mgpu/detail/simt/async_copy.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/thread/find_ranks.cuh>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// The memory of a block.
template <class Tuning, class Key, class Value>
struct sample_sort_distributor {
  template <int arch>
  using sorter =
      block_merge_sort<Key, int, Tuning::at(arch).tile.threads_per_block, Tuning::at(arch).samples_per_thread>;
  template <int arch>
  using ranker = block_radix_rank<Tuning::at(arch).tile.threads_per_block, Tuning::at(arch).tile.items_per_thread,
                                  Tuning::at(arch).max_bucket_bits>;
  template <int arch>
  using pass = block_digit_pass<ranker<arch>, Tuning::at(arch).tile.tile_items()>;

  template <int arch>
  struct storage {
    static constexpr int tile_items = Tuning::at(arch).tile.tile_items();
    union {
      typename sorter<arch>::temp_storage sample;
      typename pass<arch>::temp_storage pass;
    };
    alignas(16) uninitialized_array<Key, tile_items> keys;
    alignas(16) uninitialized_array<Value, has_values<Value> ? tile_items : 1> values;
    // An item is of a splitter's bucket, or of a later one, if its key comes behind the splitter's, or if the keys
    // are equal and its index is at least the splitter's. So equal keys are shared out among buckets, too.
    uninitialized_array<Key, Tuning::at(arch).max_buckets()> splitters;
    std::uint32_t splitter_indices[Tuning::at(arch).max_buckets()];
    std::uint16_t buckets[tile_items];  // the items'
    std::uint16_t sources[tile_items];  // source indices of the items in buckets
    __device__ storage() {}
  };
};

namespace impl {

// Sets buckets[i] for the items of a batch, the first of which is item `first` of the tile and the others follow
// `threads` apart; `begin` is the index of the tile's first item.
template <class Key, int threads, class Shared, class Comp>
__device__ __forceinline__ void find_buckets(Shared& shared, int first, int valid, std::uint32_t begin,
                                             int num_splitters, Comp& comp) {
  constexpr int batch = 4;
  uninitialized_array<Key, batch> keys;
#pragma unroll
  for (int k = 0; k < batch; ++k) keys[k] = shared.keys[smaller(first + k * threads, valid - 1)];
  int buckets[batch] = {};  // so many splitters have no larger keys
  detail::find_ranks<Key>(
      buckets, num_splitters, [&](int, int splitter) { return shared.splitters[splitter]; },
      [&](int k, int, Key const& splitter) { return !comp(keys[k], splitter); });
#pragma unroll
  for (int k = 0; k < batch; ++k) {
    int const i = first + k * threads;
    if (i >= valid) continue;
    int bucket[1] = {buckets[k]};
    if (buckets[k] > 0 && !comp(shared.splitters[buckets[k] - 1], keys[k])) {
      // Splitters with the same key come before the item if their indices do.
      bucket[0] = 0;
      detail::find_ranks<Key>(
          bucket, buckets[k], [&](int, int splitter) { return shared.splitters[splitter]; },
          [&](int, int splitter, Key const& key) {
            return shared.splitter_indices[splitter] <= begin + static_cast<std::uint32_t>(i) || comp(key, keys[k]);
          });
    }
    shared.buckets[i] = static_cast<std::uint16_t>(bucket[0]);
  }
}

}  // namespace impl

// Puts the items of each tile into buckets, in the order of buckets, and tells where these begin: starts[b *
// num_tiles + t] says how many items of tile t are of buckets before b. The grid has one block a tile. Items keep
// their order in a bucket if keeps_order.
template <class Tuning, bool keeps_order, class KeysIn, class ValuesIn, class ValuesOut, class Comp>
__global__ void __launch_bounds__(Tuning::at(current_arch()).tile.threads_per_block)
    sample_sort_distribute_kernel(KeysIn keys_in, ValuesIn values_in, iterator_value_t<KeysIn>* keys_out,
                                  ValuesOut values_out, std::uint16_t* starts, sample_sort_shares shares, Comp comp) {
  constexpr sample_sort_tuning tuning = Tuning::at(current_arch());
  static_assert(tuning.is_valid(), "mgpu: a tuning of the sample sort is not possible");
  using Key = iterator_value_t<KeysIn>;
  using Value = iterator_value_t<ValuesIn>;
  using blocks = sample_sort_distributor<Tuning, Key, Value>;
  using sorter = typename blocks::template sorter<current_arch()>;
  using ranker = typename blocks::template ranker<current_arch()>;
  using pass = typename blocks::template pass<current_arch()>;
  constexpr int threads = tuning.tile.threads_per_block;
  constexpr int samples = tuning.samples_per_thread;
  auto& shared = simt::shared<typename blocks::template storage<current_arch()>>();
  simt::launch_dependents();
  auto const thread = static_cast<int>(simt::thread_rank());
  std::uint32_t const begin = simt::block_rank() * shares.tile_items;
  auto const valid = static_cast<int>(smaller(shares.num_items - begin, shares.tile_items));

  auto const num_samples = static_cast<int>(shares.num_samples);
  uninitialized_array<Key, samples> sample;
  int numbers[samples];
#pragma unroll
  for (int i = 0; i < samples; ++i) {
    numbers[i] = thread * samples + i;
    if (numbers[i] < num_samples) {
      sample[i] = *(keys_in + std::int64_t{detail::index_of_sample(static_cast<std::uint32_t>(numbers[i]),
                                                                   shares.sample_share)});
    }
  }
  // The tile comes while the sample is sorted.
  simt::async_copies copies;
  detail::start_copies<threads>(copies, keys_in + std::int64_t{begin}, cuda::std::addressof(shared.keys[0]), valid);
  if constexpr (has_values<Value>) {
    detail::start_copies<threads>(copies, values_in + std::int64_t{begin}, cuda::std::addressof(shared.values[0]),
                                  valid);
  }
  sorter::sort(shared.sample, sample.items, numbers, num_samples, comp);
  int const bits_of_bucket = threads_per_warp - 1 - simt::leading_zeros(shares.samples_of_bucket);
#pragma unroll
  for (int i = 0; i < samples; ++i) {
    int const place = thread * samples + i;
    int const splitter = (place >> bits_of_bucket) - 1;
    if (place < num_samples && place == (splitter + 1) << bits_of_bucket && splitter >= 0) {
      shared.splitters[splitter] = sample[i];
      shared.splitter_indices[splitter] =
          detail::index_of_sample(static_cast<std::uint32_t>(numbers[i]), shares.sample_share);
    }
  }
  copies.wait();
  simt::sync_block();

  int const num_splitters = static_cast<int>(shares.num_buckets) - 1;
#pragma unroll 1
  for (int first = thread; first < valid; first += 4 * threads) {
    impl::find_buckets<Key, threads>(shared, first, valid, begin, num_splitters, comp);
  }
  simt::sync_block();
  auto const digit_of = [&](int i) { return std::uint32_t{shared.buckets[i]}; };
  auto const counts = pass::count(shared.pass, valid, true, digit_of, [](int, std::uint32_t) {});
  ranker::for_each_bin([&](int b, int bucket) {
    if (static_cast<std::uint32_t>(bucket) < shares.num_buckets) {
      starts[static_cast<std::uint32_t>(bucket) * shares.num_tiles + simt::block_rank()] =
          static_cast<std::uint16_t>(counts.bins.starts[b]);
    }
  });
  auto const put = [&](int i, std::uint32_t target) { shared.sources[target] = static_cast<std::uint16_t>(i); };
  pass::place(shared.pass, valid, counts, keeps_order, digit_of, put,
              [&](int i) { return digit_of(shared.sources[i]); });
  simt::sync_block();
#pragma unroll 4
  for (int i = thread; i < valid; i += threads) {
    int const source = shared.sources[i];
    keys_out[begin + static_cast<std::uint32_t>(i)] = shared.keys[source];
    if constexpr (has_values<Value>) values_out[begin + static_cast<std::uint32_t>(i)] = shared.values[source];
  }
}

}  // namespace mgpu::detail
