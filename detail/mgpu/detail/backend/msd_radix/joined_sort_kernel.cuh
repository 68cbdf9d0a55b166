// The ranks of a communicator sort together by the most significant digits first: when each has its buckets, in a piece
// from each rank, these kernels sort them, a block each.
#pragma once
#include <mgpu/detail/backend/msd_radix/joined_plan_kernel.cuh>
#include <mgpu/detail/backend/msd_radix/sort_kernel.cuh>
#include <mgpu/detail/backend/msd_radix/state.h>
#include <mgpu/detail/backend/msd_radix/tuning.h>
#include <mgpu/detail/block/bare_key_sort.cuh>
#include <mgpu/detail/block/radix_sort.cuh>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/bare_key.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/radix_key.h>
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

// The buckets that a rank sorts, as they arrived: what a part has of rank r lies in one piece, in the order of buckets,
// and item i of rank r's keys in buckets is memory[offsets[part][r] + i]. Buckets below `middle` are in part 0.
template <class Bits>
struct joined_buckets {
  joined_starts starts;
  Bits const* memory;
  std::int64_t offsets[num_joined_parts][max_joined_ranks];
  std::uint32_t middle;
};

// A bucket, in the shared memory of the block that sorts it: item i, if it is one of before[r] to before[r + 1], is
// memory[firsts[r] + i], modulo 2^32.
template <class Bits>
struct joined_bucket {
  std::uint32_t counts[max_joined_ranks];
  std::uint32_t begins[max_joined_ranks];
  std::uint32_t before[max_joined_ranks];
  std::uint32_t firsts[max_joined_ranks];
  counted_bucket size;  // how many items it has, and how many of all ranks' are in lower buckets

  // Looks a bucket up. Called by all threads of the block; the last thing in it is a barrier.
  __device__ __forceinline__ void find(joined_buckets<Bits> const& all, std::uint32_t bucket) {
    auto const rank = static_cast<int>(simt::thread_rank());
    if (rank < max_joined_ranks) {
      bool const exists = rank < all.starts.num_ranks;
      std::uint32_t const begin = exists ? all.starts.of(rank, static_cast<int>(bucket)) : 0;
      begins[rank] = begin;
      counts[rank] = exists ? all.starts.of(rank, static_cast<int>(bucket + 1)) - begin : 0;
    }
    simt::sync_warp();
    if (rank < max_joined_ranks) {
      std::uint32_t sum = 0;
      std::uint32_t start = 0;
      for (int other = 0; other < max_joined_ranks; ++other) {
        if (other == rank) {
          before[rank] = sum;
          firsts[rank] =
              static_cast<std::uint32_t>(all.offsets[bucket < all.middle ? 0 : 1][rank]) + begins[rank] - sum;
        }
        sum += counts[other];
        start += begins[other];
      }
      if (rank == 0) size = {sum, start};
    }
    simt::sync_block();
  }
};

// Tells where the items of a bucket lie. It has no loop that loads would wait for.
template <class Bits>
class joined_bucket_places {
 public:
  __device__ __forceinline__ joined_bucket_places(joined_bucket<Bits> const& bucket, Bits const* memory)
      : memory_(memory) {
#pragma unroll
    for (int rank = 0; rank < max_joined_ranks; ++rank) {
      before_[rank] = bucket.before[rank];
      firsts_[rank] = bucket.firsts[rank];
    }
  }
  __device__ __forceinline__ Bits operator[](std::uint32_t at) const {
    std::uint32_t first = firsts_[0];
#pragma unroll
    for (int rank = 1; rank < max_joined_ranks; ++rank) first = at >= before_[rank] ? firsts_[rank] : first;
    return memory_[first + at];
  }

 private:
  Bits const* memory_;
  std::uint32_t before_[max_joined_ranks];
  std::uint32_t firsts_[max_joined_ranks];
};

// The items of a bucket, as an iterator.
template <class Bits>
struct joined_bucket_items {
  using value_type = Bits;
  joined_bucket_places<Bits> const* places;
  std::uint32_t at;
  __device__ __forceinline__ friend joined_bucket_items operator+(joined_bucket_items it, int distance) {
    it.at += static_cast<std::uint32_t>(distance);
    return it;
  }
  __device__ __forceinline__ Bits operator*() const { return (*places)[at]; }
};

// A rank's output: num_items keys, the first of which has the number `first` of all ranks' items. What does not belong
// there is dropped, as a bucket in which a rank's output begins or ends is sorted by both ranks.
template <bool descending, class Key>
struct joined_output {
  Key* keys;
  std::uint32_t first;
  std::uint32_t num_items;
  __device__ __forceinline__ void put(std::uint32_t number, ordered_bits_t<Key> bits,
                                      bare_key_maker<descending, Key> const& make_key) const {
    if (number - first < num_items) keys[number - first] = make_key(bits);
  }
};

// This writes a bucket's items to a rank's output, as an iterator.
template <bool descending, class Key>
struct joined_bucket_output {
  joined_output<descending, Key> to;
  bare_key_maker<descending, Key> make_key;
  std::uint32_t number;

  __device__ __forceinline__ friend joined_bucket_output operator+(joined_bucket_output it, int distance) {
    it.number += static_cast<std::uint32_t>(distance);
    return it;
  }
  __device__ __forceinline__ joined_bucket_output const& operator*() const { return *this; }
  __device__ __forceinline__ void operator=(ordered_bits_t<Key> bits) const { to.put(number, bits, make_key); }
};

// The memory of a block that sorts.
template <class Tuning, bool is_doubled, class Bits>
struct msd_radix_joined_bucket {
  template <int arch>
  struct storage : msd_radix_bucket<Tuning, is_doubled, Bits>::template storage<arch> {
    joined_bucket<Bits> bucket;
  };
};

// Sorts the buckets from first_bucket on, a block each, but lists those whose keys are unevenly spread.
template <class Tuning, bool descending, bool is_doubled, class Key>
__global__ void __launch_bounds__(Tuning::at(current_arch()).bucket_shape(is_doubled).threads_per_block,
                                  Tuning::at(current_arch()).bucket_shape(is_doubled).min_blocks_per_sm)
    msd_radix_joined_sort_kernel(joined_buckets<ordered_bits_t<Key>> from, std::uint32_t first_bucket,
                                 joined_output<descending, Key> to, msd_radix_state<ordered_bits_t<Key>> state) {
  using storage =
      typename msd_radix_joined_bucket<Tuning, is_doubled, ordered_bits_t<Key>>::template storage<current_arch()>;
  if constexpr (is_doubled && !Tuning::at(current_arch()).doubles_buckets) return;  // another architecture does
  auto& shared = simt::shared<storage>();
  std::uint32_t const bucket = first_bucket + simt::block_rank();
  shared.bucket.find(from, bucket);
  counted_bucket const& size = shared.bucket.size;
  if (size.count == 0) return;
  int const count = static_cast<int>(size.count);
  joined_bucket_places<ordered_bits_t<Key>> const places(shared.bucket, from.memory);
  auto const bits_at = [&](int at) { return places[static_cast<std::uint32_t>(at)]; };
  if (!detail::block_order_numbers(shared, bits_at, bits_at(0), count)) {
    if (simt::thread_rank() == 0) {
      state.uneven[simt::add_relaxed<std::uint32_t>(state.found->num_uneven, 1)] = bucket;
    }
    return;
  }
  simt::sync_block();
  bare_key_maker<descending, Key> const make_key{state.found->has_negative_zero != 0};
  detail::for_each_striped_tested<storage::threads_per_block, storage::items_per_thread>(
      count, [&](int, int at) { to.put(size.start + static_cast<std::uint32_t>(at), shared.keys[at], make_key); });
}

// The memory of a block that sorts unevenly spread keys.
template <class Tuning, class Bits>
struct msd_radix_joined_finish {
  static constexpr int threads_per_block = 512;
  template <int arch>
  struct storage {
    block_radix_storage<Bits, no_value, threads_per_block,
                        divide_up(Tuning::at(arch).bucket_shape(true).tile_items(), threads_per_block),
                        Tuning::at(arch).max_digit_bits>
        sort;
    joined_bucket<Bits> bucket;
    __device__ storage() {}
  };
};

// Sorts the buckets that the kernel above has listed. The grid has any number of blocks.
template <class Tuning, bool descending, class Key>
__global__ void __launch_bounds__(msd_radix_joined_finish<Tuning, ordered_bits_t<Key>>::threads_per_block, 1)
    msd_radix_joined_finish_kernel(joined_buckets<ordered_bits_t<Key>> from, joined_output<descending, Key> to,
                                   msd_radix_state<ordered_bits_t<Key>> state) {
  using Bits = ordered_bits_t<Key>;
  using storage = typename msd_radix_joined_finish<Tuning, Bits>::template storage<current_arch()>;
  using items = joined_bucket_items<Bits>;
  using output = joined_bucket_output<descending, Key>;
  auto& shared = simt::shared<storage>();
  bare_key_maker<descending, Key> const make_key{state.found->has_negative_zero != 0};
  for (unsigned i = simt::block_rank(); i < state.found->num_uneven; i += simt::block_count()) {
    shared.bucket.find(from, state.uneven[i]);
    counted_bucket const& size = shared.bucket.size;
    joined_bucket_places<Bits> const places(shared.bucket, from.memory);
    block_radix_sort<decltype(shared.sort), false, items, no_values, output, no_values>{
        shared.sort, items{&places, 0}, {}, output{to, make_key, size.start}, {}, static_cast<int>(size.count)}
        .run();
    simt::sync_block();
  }
}

}  // namespace mgpu::detail
