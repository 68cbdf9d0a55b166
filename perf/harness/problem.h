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
  static cudaStream_t only = nullptr;
  if (only == nullptr) check(cudaStreamCreateWithFlags(&only, cudaStreamNonBlocking), "cudaStreamCreate");
  return only;
}

inline void wait_for_stream() { check(cudaStreamSynchronize(stream()), "cudaStreamSynchronize"); }

inline void copy_async(void* to, void const* from, std::size_t bytes) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream()), "cudaMemcpyAsync");
}

// This is memory of the device, or of the host where the GPU writes without a detour. Its last owner frees it. There
// is some even if no bytes are asked for, so that it can be told from no memory.
using memory = std::shared_ptr<void>;
template <class T>
T* as(memory const& column) {
  return static_cast<T*>(column.get());
}
inline memory tail_of(memory const& whole, std::size_t first_byte) { return {whole, as<char>(whole) + first_byte}; }
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
  memory keys{}, values{};
  std::size_t key_bytes = 0, value_bytes = 0;
};

// Returns columns of so many bytes, of which keys begin `offset` bytes after where memory is aligned.
inline columns allocate_columns(std::size_t key_bytes, std::size_t value_bytes, std::size_t offset = 0) {
  return {tail_of(device_memory(offset + key_bytes), offset), device_memory(value_bytes), key_bytes, value_bytes};
}

// Makes no call for a column without bytes.
inline void copy_async(columns const& to, columns const& from) {
  if (from.key_bytes > 0) copy_async(to.keys.get(), from.keys.get(), from.key_bytes);
  if (from.value_bytes > 0) copy_async(to.values.get(), from.values.get(), from.value_bytes);
}

// This is an input on the device. It is made once, and given afresh to every call that is timed.
struct input {
  std::int64_t n = 0;
  columns in{};           // is never written to
  columns work{};         // is for calls to work in, or to write their results to, in place of the keys
  bool in_place = false;  // tells whether `work` must hold the input before each call
  columns on_host{};      // is for a result that the host gets

  // Returns nothing if `result`, which may be in host memory if it is a single item, is what a call should make of
  // the input, else what is wrong with it. Where a library does not keep the order of items, the result may depend on
  // that. This waits for the stream.
  std::function<std::string(columns const& result, bool keeps_order)> verify{};
};

// --- Libraries
// A call of a library is given this: the input, and what lasts over all calls of a row.
struct job {
  input const& data;
  columns const* result = &data.work;  // is where a call leaves its result, unless it says otherwise
  memory temp{};                       // is scratch memory
  std::size_t temp_bytes = 0;
  columns other{};               // is the other half of a double buffer
  std::shared_ptr<void> more{};  // is whatever else a candidate keeps
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
  char const* const suffix = std::is_same_v<Value, none> ? "" : "_by_key";
  return {algorithm + suffix, name_of(Key{}), name_of(Value{}), comparator, sizeof(Key) + bytes_of<Value>, generate};
}

}  // namespace perf
