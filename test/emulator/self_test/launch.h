// The emulator's own tests share launches with storage of a type, and inputs.
#pragma once
#include <emulator/emulator.h>
#include <emulator/runtime.h>
#include <mgpu/detail/simt/launch.h>
#include "cluster_kernels.h"
#include "kernels.h"
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace self_test {

struct no_storage {};

// Throws std::runtime_error if the launch is refused.
template <class Storage = no_storage, class... Params, class... Args>
void launch_in_clusters(int blocks_per_cluster, std::int64_t num_blocks, int threads_per_block,
                        void (*kernel)(Params...), Args const&... args) {
  std::size_t const shared_bytes = std::is_same_v<Storage, no_storage> ? 0 : sizeof(Storage);
  cudaError_t const status =
      simt::enqueue(kernel, {num_blocks, threads_per_block, shared_bytes, blocks_per_cluster}, nullptr, args...);
  if (status != cudaSuccess) throw std::runtime_error(std::string("launch: ") + cudaGetErrorName(status));
}

template <class Storage = no_storage, class... Params, class... Args>
void launch(std::int64_t num_blocks, int threads_per_block, void (*kernel)(Params...), Args const&... args) {
  launch_in_clusters<Storage>(1, num_blocks, threads_per_block, kernel, args...);
}

// Allows the kernel what a launch in clusters of more than 8 blocks needs.
template <class... Params>
void allow_large_clusters(void (*kernel)(Params...)) {
  auto const* const address = reinterpret_cast<void const*>(kernel);
  cudaError_t const status = cudaFuncSetAttribute(address, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  if (status != cudaSuccess) throw std::runtime_error("large clusters not allowed");
}

inline std::vector<word> numbers(unsigned count) {
  std::vector<word> items(count);
  word state = 12345;
  for (word& item : items) item = (state = state * 1664525u + 1013904223u) >> 16;
  return items;
}

template <class... Params, class... Args>
void launch_early(void (*kernel)(Params...), Args... args) {
  simt::grid_shape shape{1, threads, 0};
  shape.early = true;
  cudaError_t const status = simt::enqueue(kernel, shape, nullptr, args...);
  if (status != cudaSuccess) throw std::runtime_error(std::string("launch: ") + cudaGetErrorName(status));
}

// Launches two kernels, the second early: together they make twice each number, and one more.
template <class Kernel>
std::vector<word> doubled_and_incremented(Kernel second) {
  std::vector<word> const in = numbers(threads);
  std::vector<word> between(threads), out(threads);
  word const* const doubled = between.data();
  launch(1, threads, double_kernel, in.data(), between.data());
  launch_early(second, doubled, out.data());
  return out;
}

// The same with a skipped launch between the two. The last one then does not wait for the first.
inline void read_behind_skipped_launch() {
  std::vector<word> const in = numbers(threads);
  std::vector<word> between(threads), out(threads);
  word const* const doubled = between.data();
  launch(1, threads, double_kernel, in.data(), between.data());
  launch_early(skipped_kernel);
  launch_early(late_increment_kernel, doubled, out.data());
}

// The last of three reads early what the first one writes, which has ended if the second one waits for it before it
// lets the third start.
template <bool waits_first>
std::vector<word> incremented_early() {
  std::vector<word> const in = numbers(threads);
  std::vector<word> between(threads), copied(threads), out(threads);
  word const* const doubled = between.data();
  launch(1, threads, double_kernel, in.data(), between.data());
  launch_early(early_copy_kernel<waits_first>, doubled, copied.data());
  launch_early(early_increment_kernel, doubled, out.data());
  return out;
}

inline std::vector<word> expected_doubled_and_incremented() {
  std::vector<word> out = numbers(threads);
  for (word& item : out) item = 2 * item + 1;
  return out;
}

template <class Kernel>
std::vector<word> reversed(Kernel kernel, unsigned num_blocks) {
  std::vector<word> const in = numbers(num_blocks * threads);
  std::vector<word> out(in.size());
  launch<tile_storage>(num_blocks, threads, kernel, in.data(), out.data());
  return out;
}

template <class Kernel>
std::vector<word> scanned(Kernel kernel, unsigned num_blocks) {
  std::vector<word> const in = numbers(num_blocks * threads);
  std::vector<word> out(in.size()), states(num_blocks);
  word ticket = 0;
  launch<scan_storage>(num_blocks, threads, kernel, in.data(), out.data(), &ticket, states.data());
  return out;
}

template <class Kernel>
std::vector<word> rotated(Kernel kernel) {
  std::vector<word> items = numbers(threads);
  launch<tile_storage>(1, threads, kernel, items.data());
  return items;
}

// Returns what rotated() must return, where the numbers move by three places within groups.
inline std::vector<word> expected_rotated(unsigned group) {
  std::vector<word> const in = numbers(threads);
  std::vector<word> out(in.size());
  for (unsigned i = 0; i < out.size(); ++i) out[i] = in[i / group * group + (i + 3) % group];
  return out;
}

// Returns what each block got from the blocks of its cluster, and what it should have got.
template <class Storage = boxes_storage, class Kernel>
std::vector<word> pushed(Kernel kernel, unsigned blocks_per_cluster, unsigned num_blocks) {
  std::vector<word> out(num_blocks * blocks_per_cluster);
  allow_large_clusters(kernel);
  launch_in_clusters<Storage>(blocks_per_cluster, num_blocks, cluster_threads, kernel, out.data());
  return out;
}

inline std::vector<word> expected_pushed(unsigned blocks_per_cluster, unsigned num_blocks) {
  std::vector<word> out;
  for (unsigned block = 0; block < num_blocks; ++block) {
    unsigned const rank = block % blocks_per_cluster;
    for (unsigned from = 0; from < blocks_per_cluster; ++from) out.push_back((block - rank + from) * 100 + rank);
  }
  return out;
}

// Returns the sum of each cluster's numbers, by block.
template <class Kernel>
std::vector<word> reduced(Kernel kernel, unsigned blocks_per_cluster, unsigned num_blocks) {
  std::vector<word> const in = numbers(num_blocks * cluster_threads);
  std::vector<word> out(num_blocks);
  allow_large_clusters(kernel);
  launch_in_clusters<sum_storage>(blocks_per_cluster, num_blocks, cluster_threads, kernel, in.data(), out.data());
  return out;
}

inline std::vector<word> expected_reduced(unsigned blocks_per_cluster, unsigned num_blocks) {
  std::vector<word> const in = numbers(num_blocks * cluster_threads);
  std::vector<word> sums(num_blocks / blocks_per_cluster), out(num_blocks);
  for (unsigned i = 0; i < in.size(); ++i) sums[i / (cluster_threads * blocks_per_cluster)] += in[i];
  for (unsigned block = 0; block < num_blocks; ++block) out[block] = sums[block / blocks_per_cluster];
  return out;
}

// Returns numbers that went round by three blocks of their cluster.
template <class Kernel>
std::vector<word> relayed(Kernel kernel, unsigned blocks_per_cluster, unsigned num_blocks) {
  std::vector<word> items = numbers(num_blocks * cluster_threads);
  allow_large_clusters(kernel);
  launch_in_clusters<relay_storage>(blocks_per_cluster, num_blocks, cluster_threads, kernel, items.data());
  return items;
}

inline std::vector<word> expected_relayed(unsigned blocks_per_cluster, unsigned num_blocks) {
  std::vector<word> const in = numbers(num_blocks * cluster_threads);
  std::vector<word> out(in.size());
  for (unsigned i = 0; i < in.size(); ++i) {
    unsigned const block = i / cluster_threads;
    unsigned const rank = block % blocks_per_cluster;
    unsigned const target = block - rank + (rank + 3) % blocks_per_cluster;
    out[target * cluster_threads + i % cluster_threads] = in[i];
  }
  return out;
}

inline std::vector<word> expected_reversed(unsigned num_blocks, unsigned group) {
  std::vector<word> const in = numbers(num_blocks * threads);
  std::vector<word> out(in.size());
  for (unsigned i = 0; i < out.size(); ++i) out[i] = in[i / group * group + group - 1 - i % group];
  return out;
}

inline std::vector<word> expected_scanned(unsigned num_blocks) {
  std::vector<word> items = numbers(num_blocks * threads);
  for (unsigned i = 1; i < items.size(); ++i) items[i] += items[i - 1];
  return items;
}

}  // namespace self_test
