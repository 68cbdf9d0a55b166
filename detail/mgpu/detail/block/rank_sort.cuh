// One block sorts an item a thread by ranks: an item's place is how many others come before it. These are counted in a
// warp, and then looked for in several sorted runs at a time. That takes more comparisons than a merge path does, but few
// that wait for each other.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/word_of_key.cuh>
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

// Tells whether `item` comes before `key`, which is of another run: all items of that come before the key's run in the
// input, if it is earlier, or behind it.
template <class Key, class Comp>
__device__ __forceinline__ bool comes_before(Key const& item, bool is_earlier, Key const& key, Comp& comp) {
  using packed = word_of_key<Key>;
  auto const item_word = packed::of(item);
  auto const key_word = packed::of(key);
  Key const a = packed::key(packed::choose(is_earlier, key_word, item_word));
  Key const b = packed::key(packed::choose(is_earlier, item_word, key_word));
  bool const is_less = comp(a, b);
  return is_less != is_earlier;
}

// The memory of a block of at most max_threads.
template <class Key, int max_threads>
struct rank_sort_storage {
  using word = typename word_of_key<Key>::type;
  alignas(16) word keys[2][max_threads];  // before and after a round
  std::uint16_t sources[2][max_threads];  // source indices of the items, or none
  std::uint32_t num_lost;
};

// Thread t has the item whose place is t. Threads behind the last item have copies of an item, so that comp sees nothing
// else; what they add to a rank is taken off again. All functions are called by all threads.
template <class Key, int max_threads>
class block_rank_sort {
 public:
  using storage = rank_sort_storage<Key, max_threads>;

  // The thread's input is `key`, of `count` items; there is at least one. Threads are whole warps, beyond 128 a multiple of
  // 128, and beyond 512 there are 1,024.
  __device__ __forceinline__ block_rank_sort(storage& shared, Key const& key, int count)
      : shared_(shared),
        thread_(static_cast<int>(simt::thread_rank())),
        threads_(static_cast<int>(simt::threads_per_block())),
        count_(count),
        key_(key),
        source_(static_cast<std::uint32_t>(thread_)) {}

  __device__ __forceinline__ Key const& key() const { return key_; }
  // Returns the place of the thread's item in the input.
  __device__ __forceinline__ std::uint32_t source() const { return source_; }

  // Sorts, stable. By a comparator that is no order, all items are still there, each once.
  template <class Comp>
  __device__ __forceinline__ void sort(Comp& comp) {
    Key const unsorted = key_;
#pragma unroll
    for (int side = 0; side < 2; ++side) {
      shared_.keys[side][thread_] = packed::of(key_);
      shared_.sources[side][thread_] = none;
    }
    if (thread_ == 0) shared_.num_lost = 0;
    simt::sync_block();
    sort_warps(comp);
    merge<5, 4>(comp);
    if (threads_ > 256) {
      merge<7, 4>(comp);
    } else {  // there are two runs
      merge<7, 2>(comp);
    }
    merge<9, 2>(comp);
    if (source_ == none) static_cast<void>(simt::add_shared(shared_.num_lost, 1u));
    simt::sync_block();
    if (shared_.num_lost != 0) {
      key_ = unsorted;
      source_ = static_cast<std::uint32_t>(thread_);
    }
  }

 private:
  using packed = word_of_key<Key>;
  static constexpr std::uint16_t none = 0xffff;
  // A warp reads its keys 16 bytes at a time.
  static constexpr int keys_per_read = 16 / static_cast<int>(sizeof(typename packed::type));
  struct alignas(16) keys_of_a_read {
    typename packed::type words[keys_per_read];
  };

  // Moves the thread's item to its place. By a comparator that is no order two items may get the same place: then another
  // place gets none, and keeps a key of before, without a source; and so some item has none ever after.
  __device__ __forceinline__ void move_to(int place) {
    side_ ^= 1;
    auto& keys = shared_.keys[side_];
    auto& sources = shared_.sources[side_];
    if (thread_ < count_) {
      keys[place] = packed::of(key_);
      sources[place] = static_cast<std::uint16_t>(source_);
    }
    simt::sync_block();
    if (count_ < threads_) {
      if (thread_ >= count_) keys[thread_] = keys[count_ - 1];
      simt::sync_block();
    }
    key_ = packed::key(keys[thread_]);
    if (thread_ < count_) {
      source_ = sources[thread_];
      sources[thread_] = none;
    }
  }

  // Sorts the items of each warp.
  template <class Comp>
  __device__ __forceinline__ void sort_warps(Comp& comp) {
    unsigned const lane = simt::lane();
    int const begin = thread_ - static_cast<int>(lane);
    int const items = smaller(count_ - begin, threads_per_warp);
    int rank = 0;
    if (items > 0) {
      bool is_before = false;
      auto const* reads = reinterpret_cast<keys_of_a_read const*>(shared_.keys[side_] + begin);
#pragma unroll
      for (int i = 0; i < threads_per_warp / keys_per_read; ++i) {
        keys_of_a_read const some = reads[i];
#pragma unroll
        for (int j = 0; j < keys_per_read; ++j) {
          is_before = comp(packed::key(some.words[j]), key_);
          simt::increment_if(is_before, rank);
        }
      }
      if (is_before) rank -= threads_per_warp - items;  // the copies of the last item
      rank = smaller(larger(rank, 0), items - 1);
      // Equal items have counted the same ones: they keep their order.
      if (simt::or_of_warp(1u << rank) != simt::full_mask >> (threads_per_warp - items)) {
        std::uint32_t const equal = simt::match_any(simt::full_mask, static_cast<std::uint32_t>(rank));
        rank = smaller(rank + static_cast<int>(simt::population_count(equal & ((1u << lane) - 1))), items - 1);
      }
    }
    move_to(begin + rank);
  }

  // Merges groups of `ways` runs, each of which has 2^width_bits places. The thread's run is late if it lies in the second half
  // of its group.
  template <int width_bits, int ways, class Comp>
  __device__ __forceinline__ void merge(Comp& comp) {
    if (threads_ <= 1 << width_bits) return;
    bool const is_late = (thread_ >> width_bits & ways / 2) != 0;
    move_to(is_late ? find_place<width_bits, ways, true>(comp) : find_place<width_bits, ways, false>(comp));
  }

  // Returns the place of the thread's item in the group. The runs of the other half are earlier if its own is late: with that
  // known to the compiler, a look at one of them takes four instructions instead of six.
  template <int width_bits, int ways, bool is_late, class Comp>
  __device__ __forceinline__ int find_place(Comp& comp) {
    constexpr int width = 1 << width_bits;
    using word = typename packed::type;
    auto const* const keys = shared_.keys[side_];
    int const run = thread_ / width;
    auto const begin_of = [&](int s) { return (run ^ (s + 1)) * width; };  // of the run of search s
    word const* starts[ways - 1];
    word const* ends[ways - 1];
#pragma unroll
    for (int s = 0; s < ways - 1; ++s) starts[s] = ends[s] = keys + (begin_of(s) < count_ ? begin_of(s) : 0);
    auto const look = [&](int s, int step) {
      Key const item = packed::key(ends[s][step - 1]);
      bool is_before;
      if (s + 1 < ways / 2) {
        is_before = detail::comes_before(item, begin_of(s) < run * width, key_, comp);
      } else {
        is_before = is_late ? !comp(key_, item) : comp(item, key_);
      }
      if (is_before) ends[s] += step;
    };
#pragma unroll
    for (int step = width / 2; step > 0; step /= 2) {
#pragma unroll
      for (int s = 0; s < ways - 1; ++s) look(s, step);
    }
    int place = run / ways * ways * width + thread_ % width;
#pragma unroll
    for (int s = 0; s < ways - 1; ++s) {
      look(s, 1);
      place += larger(0, smaller(simt::items_between(starts[s], ends[s]), count_ - begin_of(s)));
    }
    return place;
  }

  storage& shared_;
  int thread_;
  int threads_;
  int count_;
  int side_ = 0;  // the keys of the threads are keys[side_]
  Key key_;
  std::uint32_t source_;
};

}  // namespace mgpu::detail
