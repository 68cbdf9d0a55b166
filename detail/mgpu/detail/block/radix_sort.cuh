// One block sorts as many items as it can hold by the bits of their keys, stable: by buckets, or where a bucket gets
// many items by digits, the lowest first.
#pragma once
#include <mgpu/detail/block/buckets.cuh>
#include <mgpu/detail/block/digit_pass.cuh>
#include <mgpu/detail/block/radix_rank.cuh>
#include <mgpu/detail/block/or_of_bits.cuh>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/number_range.h>
#include <mgpu/detail/core/radix_digits.h>
#include <mgpu/detail/core/radix_key.h>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

struct no_step {};

// The shared memory of such a block, and of a step before the sort.
template <class Key, class Value, int num_threads, int items_per_thread, int max_digit_bits, class Before = no_step>
struct block_radix_storage {
  using key_type = Key;
  using value_type = Value;
  static constexpr int threads_per_block = num_threads;
  static constexpr int tile_items = threads_per_block * items_per_thread;
  using digits = radix_digits<Key, max_digit_bits>;
  using ranker = block_radix_rank<threads_per_block, items_per_thread, digits::bits>;
  // Says whether the output shows which of two items with the same bits comes first.
  static constexpr bool shows_order = has_values<Value> || !has_key_of_bits<Key>;
  using buckets = block_buckets<threads_per_block, divide_up(tile_items, 4)>;
  using pass = block_digit_pass<ranker, tile_items>;
  struct by_digits {
    typename pass::temp_storage temp;
    bool is_shared[digits::count];  // whether all keys have the same digit
  };
  struct by_buckets {
    typename buckets::temp_storage temp;
    std::uint16_t sources[shows_order ? tile_items : 1];  // source indices of the items in buckets
  };
  // A pass reads one array of a column, and writes the other.
  uninitialized_array<Key, tile_items> keys[2];
  union {
    by_digits digit;
    by_buckets bucket;
    Before before;
  };
  ordered_bits_t<Key> differing[threads_per_block / threads_per_warp];
  uninitialized_array<Value, has_values<Value> ? tile_items : 1> values[2];
  __device__ block_radix_storage() {}
};

// The sort of one block, whose functions are called by all threads. Loops over rows are not unrolled: no step is done
// often enough to pay for fetching more instructions. Input and output may be the same range, as all items are read
// before one is written.
template <class Storage, bool descending, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut>
class block_radix_sort {
  using Key = iterator_value_t<KeysIn>;
  using Value = iterator_value_t<ValuesIn>;
  using Bits = ordered_bits_t<Key>;
  static constexpr int threads = Storage::threads_per_block;
  using digits = typename Storage::digits;
  using ranker = typename Storage::ranker;
  using buckets = typename Storage::buckets;
  static constexpr bool shows_order = Storage::shows_order;

 public:
  Storage& shared;
  KeysIn keys_in;
  ValuesIn values_in;
  KeysOut keys_out;
  ValuesOut values_out;
  int num_items;

  // Loads the items and sorts them. There is at least one. Called once.
  __device__ __forceinline__ void run() { sort_loaded(load(bits_of(*keys_in))); }

  // These are the steps of a sort that may do something else between them.

  // Loads the items into shared memory, and returns the bits in which keys of this thread differ from `first`. A barrier
  // is owed.
  __device__ __forceinline__ Bits load(Bits first) {
    Bits differing = 0;
#pragma unroll 4
    for (int i = thread(); i < num_items; i += threads) {
      Key const key = *(keys_in + i);
      differing |= bits_of(key) ^ first;
      shared.keys[0][i] = key;
      if constexpr (has_values<Value>) shared.values[0][i] = *(values_in + i);
    }
    return differing;
  }
  // Returns the bits in which loaded keys of this thread differ from the first one. There is at least one.
  __device__ __forceinline__ Bits differing_of_loaded() const {
    Bits const first = bits_of(shared.keys[0][0]);
    Bits differing = 0;
#pragma unroll 4
    for (int i = thread(); i < num_items; i += threads) differing |= bits_of(shared.keys[0][i]) ^ first;
    return differing;
  }
  // Sorts what is loaded, by the bits in which keys differ. Buckets share out the range in which the directed bits of
  // the keys lie, as far as the caller knows it.
  __device__ __forceinline__ void sort_loaded(Bits differing, number_range<Bits> range = {}) {
    buckets(shared.bucket.temp, num_items).clear();
    int const width = detail::width_of_bits(detail::block_or_of_bits(differing, shared.differing));
    if (width <= range.width) {
      range = {static_cast<Bits>(bits_of(shared.keys[0][0]) & ~detail::bits_below<Bits>(width)), width};
    }
    if (!sort_by_buckets(range)) sort_by_digits(width);
  }
  // Writes the items, which are in order in these arrays of the columns, to the output.
  __device__ __forceinline__ void write(int keys, [[maybe_unused]] int values) const {
#pragma unroll 4
    for (int i = thread(); i < num_items; i += threads) {
      *(keys_out + i) = shared.keys[keys][i];
      if constexpr (has_values<Value>) *(values_out + i) = shared.values[values][i];
    }
  }

 private:
  static __device__ __forceinline__ int thread() { return static_cast<int>(simt::thread_rank()); }
  static __device__ __forceinline__ Bits bits_of(Key const& key) { return detail::directed_bits<descending>(key); }

  // Sorts by buckets: items are put into them by the highest bits that tell keys of the range apart, and the items of a
  // bucket are compared with each other. Returns false, having moved nothing, if a bucket gets too many items.
  __device__ __forceinline__ bool sort_by_buckets(number_range<Bits> range) {
    buckets const in_buckets(shared.bucket.temp, num_items);
    int const shift = larger(0, range.width - in_buckets.bits());
    auto const bucket_of = [&](Bits bits) {
      return static_cast<std::uint32_t>(static_cast<Bits>(bits - range.lowest) >> shift);
    };
#pragma unroll 4
    for (int i = thread(); i < num_items; i += threads) in_buckets.count(bucket_of(bits_of(shared.keys[0][i])));
    simt::sync_block();
    if (!in_buckets.open()) return false;

#pragma unroll 4
    for (int i = thread(); i < num_items; i += threads) {
      Key const key = shared.keys[0][i];
      int const place = in_buckets.take(bucket_of(bits_of(key)));
      shared.keys[1][place] = key;
      if constexpr (shows_order) shared.bucket.sources[place] = static_cast<std::uint16_t>(i);
    }
    simt::sync_block();

#pragma unroll 1
    for (int i = thread(); i < num_items; i += threads) {
      Key const key = shared.keys[1][i];
      Bits const bits = bits_of(key);
      int const number = source_at(i);
      auto const places = in_buckets.places(bucket_of(bits));
      int target = places.begin;
#pragma unroll 4
      for (int other = places.begin; other < places.end; ++other) {
        Bits const other_bits = bits_of(shared.keys[1][other]);
        target += other_bits < bits || (other_bits == bits && source_at(other) < number) ? 1 : 0;
      }
      *(keys_out + target) = key;
      if constexpr (has_values<Value>) *(values_out + target) = shared.values[0][number];
    }
    return true;
  }

  // Returns by what two items with the same bits are ordered: the source index of the item at a place in its bucket,
  // or just the place if the output does not show the order.
  __device__ __forceinline__ int source_at(int place) const {
    if constexpr (shows_order) {
      return shared.bucket.sources[place];
    } else {
      return place;
    }
  }

  // Sorts by passes over the digits, from the lowest up. The warps share the items out evenly, in rows of 32.
  __device__ __forceinline__ void sort_by_digits(int width) {
    using pass = typename Storage::pass;
    auto& shared_digits = shared.digit;
    for (int digit = thread(); digit < digits::count; digit += threads) shared_digits.is_shared[digit] = false;
    simt::sync_block();
    int from = 0;
#pragma unroll 1
    for (int digit = 0; digit * digits::bits < width; ++digit) {
      auto const digit_in = [&](int array, int i) { return digits::get(bits_of(shared.keys[array][i]), digit); };
      auto const digit_of = [&](int i) { return digit_in(from, i); };
      auto const counts = pass::count(shared_digits.temp, num_items, true, digit_of, [&](int, std::uint32_t total) {
        if (static_cast<int>(total) == num_items) shared_digits.is_shared[digit] = true;
      });
      if (!shared_digits.is_shared[digit]) {
        auto const put = [&](int i, std::uint32_t target) {
          shared.keys[1 - from][target] = shared.keys[from][i];
          if constexpr (has_values<Value>) shared.values[1 - from][target] = shared.values[from][i];
        };
        pass::place(shared_digits.temp, num_items, counts, true, digit_of, put,
                    [&](int i) { return digit_in(1 - from, i); });
        from = 1 - from;
      }
      simt::sync_block();
    }
    write(from, from);
  }
};

}  // namespace mgpu::detail
