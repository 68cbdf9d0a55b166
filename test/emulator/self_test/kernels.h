// The emulator's own tests run these kernels: right ones, and ones with one defect each.
#pragma once
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace self_test {

namespace simt = mgpu::detail::simt;
using word = std::uint32_t;

constexpr unsigned threads = 96;

// ---- right kernels; the flags take out what makes them right

struct tile_storage {
  word items[threads];
};

// Each block reverses its tile through shared memory.
template <bool with_barrier = true>
__global__ void reverse_kernel(word const* in, word* out) {
  auto& temp = simt::shared<tile_storage>();
  unsigned const first = simt::block_rank() * threads;
  temp.items[simt::thread_rank()] = in[first + simt::thread_rank()];
  if (with_barrier) simt::sync_block();
  out[first + simt::thread_rank()] = temp.items[threads - 1 - simt::thread_rank()];
}

// Each warp reverses its items through shared memory.
template <bool with_barrier = true>
__global__ void reverse_warps_kernel(word const* in, word* out) {
  auto& temp = simt::shared<tile_storage>();
  unsigned const first = simt::block_rank() * threads;
  temp.items[simt::thread_rank()] = in[first + simt::thread_rank()];
  if (with_barrier) simt::sync_warp();
  out[first + simt::thread_rank()] = temp.items[simt::warp() * 32 + 31 - simt::lane()];
}

inline word scan_warp(word value) {
  for (unsigned delta = 1; delta < 32; delta *= 2) {
    word const before = simt::shuffle_up(simt::full_mask, value, delta);
    if (simt::lane() >= delta) value += before;
  }
  return value;
}

struct scan_storage {
  word warps[threads / 32];
  word tile, before;
};

// In each round each thread hands its value on to the next, through one place each.
template <bool with_barrier = true>
__global__ void rotate_kernel(word* items) {
  auto& temp = simt::shared<tile_storage>();
  for (unsigned round = 0; round < 3; ++round) {
    temp.items[simt::thread_rank()] = items[simt::thread_rank()];
    simt::sync_block();
    items[simt::thread_rank()] = temp.items[(simt::thread_rank() + 1) % threads];
    if (with_barrier) simt::sync_block();  // before the next round writes
  }
}

template <bool with_barrier = true>
__global__ void rotate_warps_kernel(word* items) {
  auto& temp = simt::shared<tile_storage>();
  for (unsigned round = 0; round < 3; ++round) {
    temp.items[simt::thread_rank()] = items[simt::thread_rank()];
    simt::sync_warp();
    items[simt::thread_rank()] = temp.items[simt::warp() * 32 + (simt::lane() + 1) % 32];
    if (with_barrier) simt::sync_warp();
  }
}

// Returns the sum of the block's values up to and with the thread's.
inline word scan_block(scan_storage& temp, word value, word& total) {
  word sum = scan_warp(value);
  if (simt::lane() == 31) temp.warps[simt::warp()] = sum;
  simt::sync_block();
  total = 0;
  for (unsigned warp = 0; warp < threads / 32; ++warp) {
    if (warp < simt::warp()) sum += temp.warps[warp];
    total += temp.warps[warp];
  }
  return sum;
}

// Scans inclusively in one pass. Tile numbers come from a ticket; a block looks back for the sum of the tiles before,
// and sums a tile itself whose block is late. states[tile] is 0 until the tile's sum is there, then that + 1.
template <bool with_fallback = true, bool with_ticket = true>
__global__ void look_back_scan_kernel(word const* in, word* out, word* ticket, word* states) {
  auto& temp = simt::shared<scan_storage>();
  if (simt::thread_rank() == 0) temp.tile = with_ticket ? simt::add_relaxed(*ticket, word{1}) : simt::block_rank();
  simt::sync_block();
  unsigned const tile = temp.tile;
  unsigned const i = tile * threads + simt::thread_rank();
  word total;
  word const sum = scan_block(temp, in[i], total);
  if (simt::thread_rank() == 0) {
    simt::store_release(states[tile], total + 1);
    word before = 0;
    for (unsigned back = tile; back-- > 0;) {
      word state = simt::load_acquire(states[back]);
      for (int patience = 20; state == 0 && (!with_fallback || patience > 0); --patience) {
        simt::spin_pause();
        state = simt::load_acquire(states[back]);
      }
      if (state == 0) {
        state = 1;
        for (unsigned k = 0; k < threads; ++k) state += in[back * threads + k];
        simt::store_release(states[back], state);
      }
      before += state - 1;
    }
    temp.before = before;
  }
  simt::sync_block();
  out[i] = temp.before + sum;
}

// Block 0 writes data and then a flag; the others wait for the flag and read the data.
template <bool with_release = true>
__global__ void hand_over_kernel(word* data, word* flag, word* out) {
  if (simt::thread_rank() != 0) return;
  if (simt::block_rank() == 0) {
    *data = 42;
    with_release ? simt::store_release(*flag, word{1}) : simt::store_relaxed(*flag, word{1});
  } else {
    while (simt::load_acquire(*flag) == 0) simt::spin_pause();
    out[simt::block_rank()] = *data;
  }
}

struct histogram_storage {
  word bins[16];
};

__global__ inline void histogram_kernel(word const* in, word* bins) {
  auto& temp = simt::shared<histogram_storage>();
  if (simt::thread_rank() < 16) temp.bins[simt::thread_rank()] = 0;
  simt::sync_block();
  simt::add_shared(temp.bins[in[simt::block_rank() * threads + simt::thread_rank()] % 16], word{1});
  simt::sync_block();
  if (simt::thread_rank() < 16) simt::add_relaxed(bins[simt::thread_rank()], temp.bins[simt::thread_rank()]);
}

// There is one word per thread and operation, and each half of a warp works for itself.
constexpr unsigned half_warp_results = 9;
__global__ inline void half_warps_kernel(word* out) {
  word const lane = simt::lane();
  word const mask = lane < 16 ? 0x0000ffffu : 0xffff0000u;
  word* const results = out + simt::thread_rank() * half_warp_results;
  results[0] = simt::ballot(mask, lane % 3 == 0);
  results[1] = simt::all(mask, lane < 16);
  results[2] = simt::any(mask, lane == 20);
  results[3] = simt::match_any(mask, lane % 4);
  results[4] = simt::shuffle(mask, lane, lane < 16 ? 5 : 21);
  results[5] = simt::shuffle_xor(mask, lane, 1);
  if (lane < 16) {
    results[6] = simt::shuffle_up(mask, lane, 1);
  } else {
    results[6] = simt::shuffle_down(mask, lane, 1);
  }
  results[7] = static_cast<word>(simt::shuffle(mask, std::uint64_t{lane} << 32, lane) >> 32);
  results[8] = simt::population_count(simt::ballot(mask, true));
}

// ---- defects

// Writes one item behind its storage.
__global__ inline void overrun_kernel() {
  auto& temp = simt::shared<tile_storage>();
  word* const items = temp.items;
  items[simt::thread_rank() + 1] = 1;
}

__global__ inline void misaligned_kernel() {
  auto& temp = simt::shared<tile_storage>();
  char* const odd = reinterpret_cast<char*>(temp.items) + 1;
  *reinterpret_cast<word*>(odd + sizeof(word) * simt::thread_rank()) = 1;
}

__global__ inline void signed_overflow_kernel(int largest) {
  int volatile sum = largest;
  sum = sum + static_cast<int>(simt::thread_rank());
}

// Thread 17 forgets to write its item.
__global__ inline void unwritten_kernel(word const* in, word* out) {
  auto& temp = simt::shared<tile_storage>();
  if (simt::thread_rank() != 17) temp.items[simt::thread_rank()] = in[simt::thread_rank()];
  simt::sync_block();
  out[simt::thread_rank()] = temp.items[threads - 1 - simt::thread_rank()];
}

__global__ inline void divergent_shuffle_kernel(word* out) {
  if (simt::lane() < 16) {
    out[simt::thread_rank()] = simt::shuffle_down(simt::full_mask, simt::lane(), 1);
  } else {
    out[simt::thread_rank()] = simt::shuffle_up(simt::full_mask, simt::lane(), 1);
  }
}

__global__ inline void two_types_kernel() {
  if (simt::lane() < 16) {
    simt::shuffle(simt::full_mask, simt::lane(), 0);
  } else {
    simt::shuffle(simt::full_mask, float(simt::lane()), 0);
  }
}

__global__ inline void divergent_barrier_kernel() {
  if (simt::thread_rank() < 40) {
    simt::sync_block();
  } else {
    simt::sync_warp();
  }
}

// Whether the lane has already gone or goes while others wait depends on the order of threads.
__global__ inline void exited_lane_kernel(word* out) {
  if (simt::lane() == 7) return;
  out[simt::thread_rank()] = simt::shuffle_down(simt::full_mask, simt::lane(), 1);
}

__global__ inline void missing_lane_kernel(word* out) {
  out[simt::thread_rank()] = simt::ballot(simt::full_mask, true);
}

__global__ inline void foreign_mask_kernel() { simt::sync_warp(simt::lane() == 3 ? ~(1u << 3) : simt::full_mask); }

__global__ inline void outside_mask_kernel(word* out) {
  word const mask = simt::lane() < 16 ? 0x0000ffffu : 0xffff0000u;
  out[simt::thread_rank()] = simt::shuffle_xor(mask, simt::lane(), 16);
}

__global__ inline void wrong_storage_kernel() { simt::shared<histogram_storage>().bins[0] = 1; }

template <bool with_pause = true>
__global__ void wait_for_ever_kernel(word* flag) {
  while (simt::load_acquire(*flag) == 0) {
    if (with_pause) simt::spin_pause();
  }
}

// Lane 0 waits for lane 1, lane 1 for lane 2, lane 2 for lane 0.
__global__ inline void deadlock_kernel() {
  word const lane = simt::lane();
  if (lane < 3) simt::sync_warp(1u << lane | 1u << (lane + 1) % 3);
}

__global__ inline void throwing_kernel() { throw 7; }

// ---- two kernels, the second launched early

__global__ inline void double_kernel(word const* in, word* out) {
  simt::launch_dependents();
  out[simt::thread_rank()] = 2 * in[simt::thread_rank()];
}

// Thread 5 ends without waiting, unless all wait.
template <bool all_wait = true>
__global__ void increment_kernel(word const* in, word* out) {
  if (!all_wait && simt::thread_rank() == 5) return;
  simt::wait_for_primary();
  out[simt::thread_rank()] = in[simt::thread_rank()] + 1;
}

// Each thread reads its neighbour's item before the first kernel has ended.
__global__ inline void early_increment_kernel(word const* in, word* out) {
  word const number = in[(simt::thread_rank() + 1) % threads];
  simt::wait_for_primary();
  out[simt::thread_rank()] = number + 1;
}

__global__ inline void skipped_kernel() { simt::skip_launch(); }

// Each thread reads its neighbour's item once the launch before has ended.
__global__ inline void late_increment_kernel(word const* in, word* out) {
  simt::wait_for_primary();
  out[simt::thread_rank()] = in[(simt::thread_rank() + 1) % threads] + 1;
}

// Each thread copies its item; with waits_first, others start only then.
template <bool waits_first>
__global__ void early_copy_kernel(word const* in, word* out) {
  if (!waits_first) simt::launch_dependents();
  simt::wait_for_primary();
  if (waits_first) simt::launch_dependents();
  out[simt::thread_rank()] = in[simt::thread_rank()];
}

}  // namespace self_test
