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

  // Empty if `result`, which may be in host memory if it is a single item, is what a call should make of the input;
  // else what is wrong with it. What depends on the items' order counts only if that is kept. Waits for the stream.
  virtual std::string verify(columns result, bool keeps_order, cudaStream_t stream) = 0;

  // Spoils one item of `result`, to show that verify finds it.
  virtual void spoil(columns result, cudaStream_t stream) = 0;

  virtual std::size_t item_bytes() const = 0;

  // What a call has to read and write at the very least.
  virtual std::size_t traffic_bytes() const = 0;

  virtual void release() = 0;
};

// Data sets by the names of the key type and of what else makes them what they are: the type of the values, or what
// is done with the items.
using dataset_maker = std::unique_ptr<dataset> (*)();
inline std::map<std::pair<std::string, std::string>, dataset_maker>& dataset_makers() {
  static std::map<std::pair<std::string, std::string>, dataset_maker> makers;
  return makers;
}

// Defines Dataset<Key, Data> for each Data. The result is only there to be a static initialiser.
template <template <class, class> class Dataset, class Key, class... Data>
bool register_datasets() {
  ((dataset_makers()[{name_of<Key>, name_of<Data>}] = []() -> std::unique_ptr<dataset> {
     return std::make_unique<Dataset<Key, Data>>();
   }),
   ...);
  return true;
}

}  // namespace perf
