// An input on the device: made once, given afresh to every timed call, and compared with what the call made of it.
#pragma once
#include <harness/cuda.h>
#include <harness/distributions.h>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace perf {

// Keys and values in device memory; the values' is null where there are none.
struct columns {
  void* keys = nullptr;
  void* values = nullptr;
};

class dataset {
 public:
  virtual ~dataset() = default;

  // Makes an input of n items. Does nothing if it is there already.
  virtual void generate(distribution from, std::int64_t n, cudaStream_t stream) = 0;

  // The input, which nobody writes, and as much memory for calls to work in or write to.
  virtual columns input() const = 0;
  virtual columns work() const = 0;

  // Makes the work memory a copy of the input, or for calls that write only there, rubbish.
  virtual void refill(bool with_input, cudaStream_t stream) = 0;

  // Empty if `result` is the input, sorted and stable; else what is wrong with it. Waits for the stream.
  virtual std::string verify(columns result, cudaStream_t stream) = 0;

  // Spoils one item of `result`, to show that verify finds it.
  virtual void spoil(columns result, cudaStream_t stream) = 0;

  virtual std::size_t item_bytes() const = 0;
  virtual void release() = 0;
};

// Data sets by the names of the key and value types.
using dataset_maker = std::unique_ptr<dataset> (*)();
inline std::map<std::pair<std::string, std::string>, dataset_maker>& dataset_makers() {
  static std::map<std::pair<std::string, std::string>, dataset_maker> makers;
  return makers;
}

}  // namespace perf
