// What a benchmark file says of itself, as plain data: problems, their inputs and checks, and the libraries that solve
// them. main.cpp makes rows of it, and measure.h runs them.
#pragma once
#include <harness/cuda.h>
#include <harness/distributions.h>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace perf {

// Keys and values in device memory; the values' is null where there are none.
struct columns {
  void* keys = nullptr;
  void* values = nullptr;
};

// An input on the device: made once, given afresh to every timed call, and compared with what the call made of it.
struct input {
  distribution from = distribution::uniform;
  std::int64_t n = 0;
  columns in;                                                    // nobody writes there
  columns work;                                                  // as much memory for calls to work in or write to
  std::size_t key_bytes = 0, value_bytes = 0, result_bytes = 0;  // of all items
  std::int64_t num_results = 0;                                  // these are where the keys' copy would be
  bool in_place = false;  // whether `work` must hold the input before each call

  // Empty if `result`, which may be in host memory if it is a single item, is what a call should make of the input;
  // else what is wrong with it. What depends on the items' order counts only if that is kept. Waits for the stream.
  std::function<std::string(columns result, bool keeps_order, cudaStream_t stream)> verify;

  memory owners[4];  // of the columns
};

// What a call of a library is given: the input, and scratch memory of its own that lasts over all calls of a row.
struct job {
  input const& data;
  cudaStream_t stream;
  memory temp{};
  std::size_t temp_bytes = 0;
  memory other_keys{}, other_values{};  // the other half of a double buffer
  memory value{};                       // pinned: a result that the host is given
  arena kept{};
};

// A library's way to solve a problem.
struct candidate {
  std::string library;

  // Brings what the device clock shall not contain, such as scratch memory; not timed.
  std::function<void(job&)> prepare;

  // Device clock: queues the work on the stream, with scratch memory at hand. Returns where the result will be.
  std::function<columns(job&)> enqueue;

  // Wall clock: the whole call as a user of the library makes it, until the result is there, and its place.
  std::function<columns(job&)> call;

  // Whether the result is what comes of the items in their order, where that matters.
  bool keeps_order = true;
};

// Rows that differ only in library, input and size.
struct problem {
  std::string algorithm, key, value, comparator;
  std::size_t item_bytes;
  std::function<void(input&, distribution, std::int64_t n, cudaStream_t)> generate{};
  std::vector<candidate> candidates{};

  // The rows: each distribution at every power of two from 2^10 on, or at sizes of its own; which of them run if none
  // are asked for; and further sizes of the first distribution, which do not.
  std::vector<distribution> distributions{};
  std::function<bool(distribution, std::int64_t n)> by_default{};
  std::vector<std::int64_t> sizes{}, further_sizes{};
  bool has_random_sizes = false;
  bool has_wall_clock = true;
};

// All that the translation units of a program bring, before main begins.
inline std::vector<problem>& problems() {
  static std::vector<problem> all;
  return all;
}
problem copy_problem();  // and what every program measures beside them

// Adds make(Of{}) for each type of a part of the list: a benchmark file is compiled PERF_PARTS times, so that its
// problems compile side by side, each time with another PERF_PART. The result is there to be an initialiser.
#ifdef PERF_PART
template <class Make, class... Of, std::size_t... I>
bool add_part(list<Of...>, Make make, std::index_sequence<I...>) {
  auto const add = [&](auto index, auto of) {
    if constexpr (index() % PERF_PARTS == PERF_PART) problems().push_back(make(of));
  };
  (add(std::integral_constant<std::size_t, I>{}, Of{}), ...);
  return true;
}
template <class Make, class... Of>
bool add_problems(list<Of...> all, Make make) {
  return add_part(all, make, std::index_sequence_for<Of...>{});
}
#endif

// The largest power of two of items, up to 2^28, that make an input of no more than so many bytes.
inline std::int64_t largest_size(std::size_t item_bytes, std::size_t most_bytes = std::size_t{5} << 30) {
  std::int64_t size = std::int64_t{1} << 28;
  while (static_cast<std::size_t>(size) * item_bytes > most_bytes) size /= 2;
  return size;
}

// Whether n is 4^k for some k, of which there are enough for a curve.
inline bool is_even_power(std::int64_t n) { return (n & 0x5555'5555'5555'5555) == n; }

// The default selection of what passes over its items once: inputs of up to 1 GB, of the main problem all sizes, of
// the others enough for a curve, and the largest.
inline bool is_in_curve(std::size_t item_bytes, std::int64_t n, bool is_main) {
  std::int64_t const largest = largest_size(item_bytes, std::size_t{1} << 30);
  return n == largest || (n < largest && (is_main || is_even_power(n)));
}

}  // namespace perf
