// One library's way to solve one kind of problem; what a translation unit of a library registers, and a row runs.
#pragma once
#include <harness/dataset.h>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace perf {

class candidate {
 public:
  virtual ~candidate() = default;

  // Told where the work is, and how much; not timed. Brings what its device clock shall not contain: scratch memory.
  virtual void prepare(dataset const& data, std::int64_t n, cudaStream_t stream) = 0;

  // Device clock: queues the work on the stream, with scratch memory at hand. Returns where the result will be.
  virtual columns enqueue(cudaStream_t stream) = 0;

  // Wall clock: the whole call as a user of the library makes it, until the result is there, and its place.
  virtual columns call(cudaStream_t stream) = 0;

  // Whether the work memory must hold the input before each call.
  virtual bool in_place() const = 0;

  // Whether the result is what comes of the items in their order, where that matters.
  virtual bool keeps_order() const { return true; }
};

// A kind of row: everything but the input's distribution and size.
struct candidate_kind {
  std::string algorithm;
  std::string library;
  std::string key;
  std::string value;
  std::string comparator;
  std::string data;  // with the key, names its data sets
  std::function<std::unique_ptr<candidate>()> make;
};

inline std::vector<candidate_kind>& candidate_kinds() {
  static std::vector<candidate_kind> kinds;
  return kinds;
}

struct row {
  candidate_kind const* kind;
  distribution from;
  std::int64_t n;
  bool by_default;  // in the selection that runs when none is asked for

  std::string name() const {
    std::string name;
    for (auto const* part : {&kind->algorithm, &kind->library, &kind->key, &kind->value, &kind->comparator}) {
      name += *part + '/';
    }
    return name + name_of_distribution(from) + '/' + std::to_string(n);
  }
};

// What was measured of a row, in microseconds. No wall clock: empty.
struct measurement {
  std::vector<double> device;  // each sorted
  std::vector<double> wall;
  std::string failure;  // if there is one: what is wrong with the result, or what was thrown
};
inline double median(std::vector<double> const& sorted) {
  std::size_t const half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

struct row_result {
  row what;
  measurement measured;
};

// What every program brings.
struct family {
  // The rows that it can run, in the order in which they shall run.
  std::vector<row> (*rows)();
  // The rows of the mode --random_sizes, if there is such a mode.
  std::vector<row> (*random_rows)(int count) = nullptr;
  // Prints what only the program knows to say about its results.
  void (*summary)(std::vector<row_result> const& results) = nullptr;
  bool wall_clock = true;
};
family this_family();

}  // namespace perf
