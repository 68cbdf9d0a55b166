// What the emulator's own tests share: launching with storage of a type, and inputs.
#pragma once
#include <emulator/emulator.h>
#include <emulator/runtime.h>
#include "kernels.h"
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace self_test {

struct no_storage {};

// Throws std::runtime_error if the launch is refused.
template <class Storage = no_storage, class... Params, class... Args>
void launch(unsigned num_blocks, unsigned threads_per_block, void (*kernel)(Params...), Args const&... args) {
  std::size_t const shared_bytes = std::is_same_v<Storage, no_storage> ? 0 : sizeof(Storage);
  cudaError_t const status = simt::enqueue(kernel, {num_blocks, threads_per_block, shared_bytes}, nullptr, args...);
  if (status != cudaSuccess) throw std::runtime_error(std::string("launch: ") + cudaGetErrorName(status));
}

inline std::vector<word> numbers(unsigned count) {
  std::vector<word> items(count);
  word state = 12345;
  for (word& item : items) item = (state = state * 1664525u + 1013904223u) >> 16;
  return items;
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

// By three, in groups.
inline std::vector<word> expected_rotated(unsigned group) {
  std::vector<word> const in = numbers(threads);
  std::vector<word> out(in.size());
  for (unsigned i = 0; i < out.size(); ++i) out[i] = in[i / group * group + (i + 3) % group];
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
