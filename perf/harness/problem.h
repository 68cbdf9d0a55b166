// A benchmark file describes itself by these structs of data and functions: problems, their inputs and checks, and the
// libraries that solve them. main.cpp makes rows of them, which measure.h measures.
#pragma once
#include <harness/cuda.h>
#include <harness/distributions.h>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace perf {

// These are keys and values in device memory. The pointer to values is null where there are none.
struct columns {
  void* keys = nullptr;
  void* values = nullptr;
};

template <class T>
T* as(void* column) {
  return static_cast<T*>(column);
}

// This is an input on the device. It is made once, and given afresh to every call that is timed.
struct input {
  std::int64_t n = 0;
  columns in;    // is never written to
  columns work;  // is for calls to work in or write to
  std::size_t key_bytes = 0, value_bytes = 0, result_bytes = 0;
  bool in_place = false;  // tells whether `work` must hold the input before each call

  // Returns nothing if `result`, which may be in host memory if it is a single item, is what a call should make of the
  // input, else what is wrong with it. Where a library does not keep the order of items, the result may depend on that.
  // This waits for the stream.
  std::function<std::string(columns result, bool keeps_order, cudaStream_t stream)> verify;

  std::vector<memory> owners;  // hold the columns
  memory on_host;              // is pinned, for a result that the host is given
};

// A call of a library is given this: the input, and scratch memory that lasts over all calls of a row.
struct job {
  input const& data;
  cudaStream_t stream;
  memory temp{};
  std::size_t temp_bytes = 0;
  memory other_keys{}, other_values{};  // are the other half of a double buffer
  arena kept{};
  std::shared_ptr<void> elsewhere{};  // is what a candidate keeps on other GPUs
};

// This is a library's way to solve a problem.
struct candidate {
  std::string library;

  // This brings what the device clock shall not contain, such as scratch memory.
  std::function<void(job&)> prepare;

  // The device clock measures this. It queues the work, with scratch memory at hand, and tells where the result will be.
  std::function<columns(job&)> enqueue;

  // The wall clock measures this. It makes the whole call as a user does, and returns with the result.
  std::function<columns(job&)> call;

  bool keeps_order = true;  // tells whether operands stay in order, where that matters to the result

  int num_gpus = 1;  // that the machine must have
  // One that runs on several gets its input there, and brings its result back, by these, which no clock measures.
  std::function<void(job&)> scatter{};
  std::function<void(job&)> gather{};
};

// The rows of a problem differ only in library, input and size.
struct problem {
  std::string algorithm, key, value, comparator;
  std::size_t item_bytes;
  std::function<input(distribution, std::int64_t n, cudaStream_t)> generate{};
  std::vector<candidate> candidates{};

  // Each distribution makes rows of every power of two from 2^10 on, or of `sizes` if there are any. Those for which
  // by_default says so run if no others are asked for. The further sizes are for the first distribution alone, and do
  // not run by default.
  std::vector<distribution> distributions{};
  std::function<bool(distribution, std::int64_t n)> by_default{};
  std::vector<std::int64_t> sizes{}, further_sizes{};
  bool has_random_sizes = false;
};

// Returns a call that queues work and waits for it.
template <class Enqueue>
auto and_wait(Enqueue enqueue) {
  return [enqueue](job& of) {
    columns const result = enqueue(of);
    check(cudaStreamSynchronize(of.stream), "cudaStreamSynchronize");
    return result;
  };
}

// The translation units of a program add theirs before main begins.
inline std::vector<problem> problems;
problem copy_problem();  // is measured by every program

// Returns the largest power of two of items, up to 2^28, that make an input of no more than so many bytes.
inline std::int64_t largest_size(std::size_t item_bytes, std::size_t most_bytes = std::size_t{5} << 30) {
  std::int64_t size = std::int64_t{1} << 28;
  while (static_cast<std::size_t>(size) * item_bytes > most_bytes) size /= 2;
  return size;
}

// Returns whether n is 4^k for some k, of which there are enough for a curve.
inline bool is_even_power(std::int64_t n) { return (n & 0x5555'5555'5555'5555) == n; }

// Returns a problem whose solution passes over its items once. By default it is measured on inputs of up to 1 GB: the
// main problem at all sizes, others at enough for a curve and at the largest.
template <class Operation, class Generate>
problem one_pass_problem(char const* algorithm, Generate generate, std::vector<candidate> candidates, bool is_main) {
  using Key = typename Operation::Key;
  auto const by_default = [is_main](distribution, std::int64_t n) {
    std::int64_t const largest = largest_size(sizeof(Key), std::size_t{1} << 30);
    return n == largest || (n < largest && (is_main || is_even_power(n)));
  };
  return {algorithm, name_of(Key{}),        name_of(none{}),          Operation::name(), sizeof(Key),
          generate,  std::move(candidates), {distribution::summands}, by_default};
}

}  // namespace perf
