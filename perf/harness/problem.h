// A benchmark file describes itself by these structs of data and functions: problems, their inputs and checks, and
// the libraries that solve them. main.cu makes rows of them, which measure.h measures.
#pragma once
#include <harness/items.h>
#include <cuda_runtime_api.h>
#include <algorithm>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace perf {

// --- The CUDA runtime: an error is an exception, memory frees itself, and there is one stream
inline void check(cudaError_t status, char const* what) {
  if (status != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

// Returns the stream that all work is queued on, but for what ranks do on theirs.
inline cudaStream_t stream() {
  static cudaStream_t const only = [] {
    cudaStream_t created = nullptr;
    check(cudaStreamCreateWithFlags(&created, cudaStreamNonBlocking), "cudaStreamCreate");
    return created;
  }();
  return only;
}

inline cudaEvent_t make_event() {
  cudaEvent_t created = nullptr;
  check(cudaEventCreate(&created), "cudaEventCreate");
  return created;
}

inline void wait_for_stream() { check(cudaStreamSynchronize(stream()), "cudaStreamSynchronize"); }

inline void copy_async(void* to, void const* from, std::size_t bytes) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream()), "cudaMemcpyAsync");
}

// This is memory of the device, or of the host where the GPU writes without a detour. Its last owner frees it. There
// is some even if no bytes are asked for, so that it can be told from no memory.
using memory = std::shared_ptr<void>;
inline memory device_memory(std::size_t bytes) {
  void* pointer = nullptr;
  check(cudaMalloc(&pointer, std::max<std::size_t>(bytes, 1)), "cudaMalloc");
  return {pointer, cudaFree};
}
inline memory pinned_memory(std::size_t bytes) {
  void* pointer = nullptr;
  check(cudaMallocHost(&pointer, bytes), "cudaMallocHost");
  return {pointer, cudaFreeHost};
}

// --- Inputs
// These are keys and values in device memory. Where there are no values, their column may hold something else.
struct columns {
  void* keys = nullptr;
  void* values = nullptr;
};

template <class T>
__host__ __device__ T* as(void* column) {
  return static_cast<T*>(column);
}

// This is an input on the device. It is made once, and given afresh to every call that is timed.
struct input {
  std::int64_t n = 0;
  columns in;    // is never written to
  columns work;  // is for calls to work in or write to
  std::size_t key_bytes = 0, value_bytes = 0, result_bytes = 0;
  bool in_place = false;  // tells whether `work` must hold the input before each call

  // Returns nothing if `result`, which may be in host memory if it is a single item, is what a call should make of
  // the input, else what is wrong with it. Where a library does not keep the order of items, the result may depend on
  // that. This waits for the stream.
  std::function<std::string(columns result, bool keeps_order)> verify;

  std::vector<memory> owners;  // hold the columns
};

// --- Libraries
// A call of a library is given this: the input, and what lasts over all calls of a row.
struct job {
  input const& data;
  columns result{};  // is where a call leaves its result: data.work, unless the call says otherwise
  memory temp{};     // is scratch memory
  std::size_t temp_bytes = 0;
  memory other_keys{}, other_values{};  // are the other half of a double buffer
  std::shared_ptr<void> more{};         // is whatever else a candidate keeps
};

// This is a library's way to solve a problem.
struct candidate {
  std::string library;

  // The device clock measures this. It queues the work. What the clock shall not contain, such as getting scratch
  // memory, is done in the first call of a row, which is not timed.
  std::function<void(job&)> enqueue;

  // The wall clock measures this. It makes the whole call as a user does, and returns with the result. Where it is
  // missing, that is to queue the work and wait.
  std::function<void(job&)> call{};

  bool keeps_order = true;  // tells whether operands stay in order, where that matters to the result

  int num_gpus = 1;  // that the machine must have
  // One that runs on several gets its input there, and brings its result back, by these, which no clock measures.
  std::function<void(job&)> scatter{};
  std::function<void(job&)> gather{};
};

// --- Problems
// Returns the largest power of two of items, up to 2^28, that make an input of no more than so many bytes.
inline std::int64_t largest_size(std::size_t item_bytes, std::size_t most_bytes = std::size_t{5} << 30) {
  std::int64_t size = std::int64_t{1} << 28;
  while (size * item_bytes > most_bytes) size /= 2;
  return size;
}

// Returns all powers of two between these.
inline std::vector<std::int64_t> powers_of_two(std::int64_t from, std::int64_t to) {
  std::vector<std::int64_t> powers;
  for (; from <= to; from *= 2) powers.push_back(from);
  return powers;
}

// Returns whether n is 4^k for some k, of which there are enough for a curve.
inline bool is_even_power(std::int64_t n) { return (n & 0x5555'5555'5555'5555) == n; }

// The rows of a problem differ only in library and input.
using generator = std::function<input(distribution, std::int64_t n)>;
struct problem {
  std::string algorithm, key, value, comparator;
  std::size_t item_bytes = 0;
  generator generate{};
  std::vector<candidate> candidates{};

  struct input_of_row {
    distribution from;
    std::int64_t n;
    bool by_default = false;  // tells whether the row runs if no others are asked for
    bool is_random = false;   // of sizes of the curve over random ones, which runs by itself
  };
  std::vector<input_of_row> inputs{};

  // Adds each distribution at each size, of which by_default(distribution, n) says whether it runs by default.
  template <class ByDefault>
  void add_inputs(std::vector<distribution> const& all, ByDefault by_default, std::vector<std::int64_t> sizes = {}) {
    if (sizes.empty()) sizes = powers_of_two(1 << 10, largest_size(item_bytes));
    for (distribution const from : all) {
      for (std::int64_t const n : sizes) inputs.push_back({from, n, by_default(from, n)});
    }
  }
};

// The translation units of a program add theirs before main begins.
inline std::vector<problem> problems;

// Returns the problem of that name, without candidates and inputs yet.
template <class Key, class Value = none>
problem make_problem(std::string const& algorithm, std::string const& comparator, generator generate) {
  problem of{algorithm + (std::is_same_v<Value, none> ? "" : "_by_key"), name_of(Key{}), name_of(Value{}),
             comparator};
  of.item_bytes = sizeof(Key) + bytes_of<Value>;
  of.generate = generate;
  return of;
}

}  // namespace perf
