// The emulator's own tests run these kernels in clusters: right ones, and ones with one defect each.
#pragma once
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/mbarrier.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace self_test {

namespace simt = mgpu::detail::simt;
using word = std::uint32_t;

constexpr unsigned cluster_threads = 48;

inline void sync_cluster() {
  simt::arrive_cluster();
  simt::wait_cluster();
}

// ---- right kernels; the flags take out what makes them right

struct boxes_storage {
  word from[16];
};

// Each block pushes a word to every block of its cluster.
template <bool with_wait = true, bool with_release = true>
__global__ void push_kernel(word* out) {
  auto& temp = simt::shared<boxes_storage>();
  unsigned const rank = simt::thread_rank();
  unsigned const blocks = simt::blocks_per_cluster();
  simt::arrive_cluster_relaxed();
  simt::wait_cluster();  // all have started
  if (rank < blocks) {
    simt::in_cluster_block(temp.from[simt::cluster_rank()], rank) = simt::block_rank() * 100 + rank;
  }
  with_release ? simt::arrive_cluster() : simt::arrive_cluster_relaxed();
  if (with_wait) simt::wait_cluster();
  if (rank < blocks) out[simt::block_rank() * blocks + rank] = temp.from[rank];
  if (!with_wait) simt::wait_cluster();
}

struct counted_boxes_storage {
  simt::mbarrier arrived[2];
  word from[16];
  std::uint64_t wide_from[16];
};

// Makes a barrier of the block ready for so many bytes. Called by one thread.
inline void expect_words(simt::mbarrier& arrived, unsigned bytes) {
  simt::mbarrier_init(arrived, 1);
  simt::mbarrier_arrive_expecting(arrived, bytes);
  simt::mbarrier_init_fence();
}

// Each block stores words, of 4 and then of 8 bytes, to every block of its cluster, which are waited for by their bytes.
template <bool with_wait = true>
__global__ void store_async_kernel(word* out) {
  auto& temp = simt::shared<counted_boxes_storage>();
  unsigned const rank = simt::thread_rank();
  unsigned const blocks = simt::blocks_per_cluster();
  if (rank == 0) expect_words(temp.arrived[0], blocks * 4);
  if (rank == 0) expect_words(temp.arrived[1], blocks * 8);
  simt::arrive_cluster_relaxed();
  simt::wait_cluster();
  unsigned const from = simt::cluster_rank();
  if (rank < blocks) simt::store_async(temp.from[from], simt::block_rank() * 100, temp.arrived[0], rank);
  if (with_wait) simt::mbarrier_wait_in_cluster(temp.arrived[0], 0);
  if (rank < blocks) {
    simt::store_async(temp.wide_from[from], std::uint64_t{temp.from[from] + rank} << 32, temp.arrived[1], rank);
  }
  simt::mbarrier_wait_in_cluster(temp.arrived[1], 0);
  if (rank < blocks) {
    out[simt::block_rank() * blocks + rank] = static_cast<word>(temp.wide_from[rank] >> 32);
  }
}

// Each block reads what stands in a box of another one, which has told it by a word, after a barrier of the cluster that
// shows it.
template <bool with_release = true>
__global__ void boxes_behind_words_kernel(word* out) {
  auto& temp = simt::shared<counted_boxes_storage>();
  unsigned const rank = simt::thread_rank();
  unsigned const blocks = simt::blocks_per_cluster();
  if (rank == 0) expect_words(temp.arrived[0], blocks * 4);
  if (rank < blocks) temp.wide_from[rank] = simt::block_rank() * 100 + rank;
  simt::sync_block();
  with_release ? simt::arrive_cluster() : simt::arrive_cluster_relaxed();
  simt::wait_cluster();
  if (rank < blocks) simt::store_async(temp.from[simt::cluster_rank()], word{1}, temp.arrived[0], rank);
  simt::mbarrier_wait_in_cluster(temp.arrived[0], 0);
  if (rank < blocks) {
    std::uint64_t const box = simt::in_cluster_block(temp.wide_from[simt::cluster_rank()], rank);
    out[simt::block_rank() * blocks + rank] = static_cast<word>(box);
  }
  simt::arrive_cluster_relaxed();
  simt::wait_cluster();
}

struct sum_storage {
  word sum;
};

// Each block reads the sums of all blocks of its cluster. Its last warp shows them for the others.
template <bool with_barrier_at_end = true, bool with_barrier_before = true>
__global__ void reduce_cluster_kernel(word const* in, word* out) {
  auto& temp = simt::shared<sum_storage>();
  if (simt::thread_rank() == 0) temp.sum = 0;
  simt::sync_block();
  simt::add_shared(temp.sum, in[simt::block_rank() * cluster_threads + simt::thread_rank()]);
  if (with_barrier_before) simt::sync_block();
  simt::warp() == cluster_threads / 32 ? simt::arrive_cluster() : simt::arrive_cluster_relaxed();
  simt::wait_cluster();
  if (simt::thread_rank() == 0) {
    word total = 0;
    for (unsigned i = 0; i < simt::blocks_per_cluster(); ++i) total += simt::in_cluster_block(temp.sum, i);
    out[simt::block_rank()] = total;
  }
  if (with_barrier_at_end) {  // nobody's memory goes before all have read it
    simt::arrive_cluster_relaxed();
    simt::wait_cluster();
  }
}

struct relay_storage {
  word boxes[2][cluster_threads];
};

// In each round each thread hands its value on to the next block. Two boxes, in turns, save a barrier a round.
template <bool with_two_boxes = true>
__global__ void relay_kernel(word* items) {
  auto& temp = simt::shared<relay_storage>();
  unsigned const next = (simt::cluster_rank() + 1) % simt::blocks_per_cluster();
  word& item = items[simt::block_rank() * cluster_threads + simt::thread_rank()];
  word value = item;
  sync_cluster();
  for (unsigned round = 0; round < 3; ++round) {
    word& box = temp.boxes[with_two_boxes ? round % 2 : 0][simt::thread_rank()];
    simt::in_cluster_block(box, next) = value;
    simt::arrive_cluster();
    simt::sync_warp(simt::warp() == 0 ? simt::full_mask : 0xffffu);  // work for the time between the halves
    simt::wait_cluster();
    value = box;
  }
  item = value;
}

// The cluster's first block waits for its last, through device memory: both must get to run.
__global__ inline void hand_over_in_cluster_kernel(word* data, word* flags, word* out) {
  unsigned const cluster = simt::block_rank() / simt::blocks_per_cluster();
  if (simt::thread_rank() != 0) return;
  if (simt::cluster_rank() + 1 == simt::blocks_per_cluster()) {
    data[cluster] = 42;
    simt::store_release(flags[cluster], word{1});
  }
  if (simt::cluster_rank() == 0) {
    while (simt::load_acquire(flags[cluster]) == 0) simt::spin_pause();
    out[cluster] = data[cluster];
  }
}

// Most threads, one block of them entirely, end where the others meet.
__global__ inline void early_exits_kernel(word* out) {
  if (simt::cluster_rank() == 1 || simt::thread_rank() % 5 != 0) return;
  for (unsigned round = 0; round < 3; ++round) sync_cluster();
  simt::add_relaxed(*out, word{1});
}

// Logs which block comes when: each thread makes two entries, with a barrier between.
__global__ inline void log_kernel(word* entries, word* count) {
  entries[simt::add_relaxed(*count, word{1})] = simt::block_rank();
  sync_cluster();
  simt::spin_pause();
  entries[simt::add_relaxed(*count, word{1})] = simt::block_rank();
}

// ---- defects

__global__ inline void arrive_twice_kernel() {
  simt::arrive_cluster();
  if (simt::block_rank() == 1 && simt::thread_rank() == 5) simt::arrive_cluster();
  simt::wait_cluster();
}

__global__ inline void wait_only_kernel() {
  if (simt::block_rank() != 1 || simt::thread_rank() != 5) simt::arrive_cluster();
  simt::wait_cluster();
}

__global__ inline void leave_without_waiting_kernel() {
  simt::arrive_cluster();
  if (simt::block_rank() == 1 && simt::thread_rank() == 5) return;
  simt::wait_cluster();
}

__global__ inline void divergent_arrival_kernel() {
  if (simt::lane() < 16) {
    sync_cluster();
  } else {
    simt::sync_warp();
  }
}

// Warp 1 of each block goes elsewhere.
__global__ inline void deadlock_in_cluster_kernel() {
  if (simt::warp() == 0) {
    sync_cluster();
  } else {
    simt::sync_block();
  }
}

__global__ inline void no_such_block_kernel() {
  auto& temp = simt::shared<sum_storage>();
  sync_cluster();
  simt::in_cluster_block(temp.sum, simt::cluster_rank() + 1) = 1;
  sync_cluster();
}

__global__ inline void not_shared_kernel(word* out) {
  sync_cluster();
  simt::in_cluster_block(*out, 1) = 1;
}

// It asks for another block's place where that of a third is already mapped.
__global__ inline void mapped_twice_kernel() {
  auto& temp = simt::shared<sum_storage>();
  sync_cluster();
  word& other = simt::in_cluster_block(temp.sum, (simt::cluster_rank() + 1) % 4);
  simt::in_cluster_block(other, (simt::cluster_rank() + 2) % 4) = 1;
}

__global__ inline void too_early_kernel() {
  auto& temp = simt::shared<sum_storage>();
  simt::in_cluster_block(temp.sum, simt::cluster_rank()) = 1;  // one's own has started
  simt::arrive_cluster();
  simt::in_cluster_block(temp.sum, 1 - simt::cluster_rank()) = 1;
  simt::wait_cluster();
}

// Block 0 finds its place in block 1's memory in time, but comes to write there only after a while.
__global__ inline void late_write_kernel(unsigned pauses) {
  auto& temp = simt::shared<sum_storage>();
  sync_cluster();
  if (simt::cluster_rank() == 1) return simt::spin_pause();  // so that it does not end before block 0 has begun
  if (simt::thread_rank() != 0) return;
  word& other = simt::in_cluster_block(temp.sum, 1);
  for (unsigned i = 0; i < pauses; ++i) simt::spin_pause();
  other = 1;
}

}  // namespace self_test
