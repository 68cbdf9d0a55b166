// Does the whole job on a GPU, in pieces of the text: while one is read, the one before is on its way to the GPU, and those
// that came earlier are sorted there. Two sorted runs of the same number of pieces are merged as soon as they are there.
//
// All of it is queued on streams, with memory that is allocated in their order; the host waits only for a piece to arrive
// and its lines to be counted, and where text from a pipe needs more room.
#pragma once
#include <cuda_runtime.h>
#include <mgpu/merge.h>
#include <mgpu/reduce.h>
#include <mgpu/scan.h>
#include <mgpu/sort.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/tabulate_output_iterator.h>
#include <thrust/merge.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/error.h>
#include <thrust/system_error.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cuda/std/functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>
#include "line.h"
#include "number.h"
#include "options.h"
#include "report.h"
#include "text_file.h"

// mgpu's functions are called as Thrust's are, with Thrust's policies or its own. So the same program sorts by Thrust,
// to compare.
#if defined(SORT_LINES_BY_THRUST)
namespace algorithms = thrust;
#else
namespace algorithms = mgpu;
#endif

inline void check(cudaError_t status, char const* what) {
  if (status == cudaErrorMemoryAllocation) throw std::bad_alloc();
  if (status != cudaSuccess) throw thrust::system_error(status, thrust::cuda_category(), what);
}

// Memory of the GPU, allocated and freed in the order of a stream's work.
template <class T>
class device_array {
 public:
  device_array() = default;
  device_array(std::uint64_t size, cudaStream_t stream) : size_(size), stream_(stream) {
    if (size > 0) check(cudaMallocAsync(&items_, size * sizeof(T), stream), "cudaMallocAsync");
  }
  device_array(device_array&& other) noexcept { *this = std::move(other); }
  device_array& operator=(device_array&& other) noexcept {
    std::swap(items_, other.items_);
    std::swap(size_, other.size_);
    std::swap(stream_, other.stream_);
    return *this;
  }
  ~device_array() {
    if (items_ != nullptr) static_cast<void>(cudaFreeAsync(items_, stream_));
  }

  T* begin() const { return items_; }
  T* end() const { return items_ + size_; }
  std::uint64_t size() const { return size_; }

 private:
  T* items_ = nullptr;
  std::uint64_t size_ = 0;
  cudaStream_t stream_ = nullptr;
};

struct destroy_stream {
  void operator()(cudaStream_t stream) const { static_cast<void>(cudaStreamDestroy(stream)); }
};
struct free_pinned {
  void operator()(char* memory) const { static_cast<void>(cudaFreeHost(memory)); }
};
using owned_stream = std::unique_ptr<CUstream_st, destroy_stream>;
using pinned_memory = std::unique_ptr<char, free_pinned>;  // only from such does the GPU copy while the host goes on

inline owned_stream make_stream() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  return owned_stream(stream);
}

inline pinned_memory make_pinned(std::size_t bytes) {
  void* memory = nullptr;
  cudaError_t const status = cudaMallocHost(&memory, bytes);
  if (status == cudaErrorMemoryAllocation)
    throw std::runtime_error("not enough pinned memory for two pieces of " + std::to_string(bytes) +
                             " bytes (see --piece)");
  check(status, "cudaMallocHost");
  return pinned_memory(static_cast<char*>(memory));
}

struct is_newline {
  __host__ __device__ std::uint64_t operator()(unsigned char byte) const { return byte == '\n' ? 1 : 0; }
};

struct starts_line {
  unsigned char const* text;

  __host__ __device__ std::uint64_t operator()(std::uint64_t offset) const {
    return offset == 0 || text[offset - 1] == '\n' ? 1 : 0;
  }
};

// Takes, for each byte of a piece, how many lines begin before it in the piece. Where one begins, that is its place.
struct put_line {
  unsigned char const* text;
  std::uint64_t piece;  // the offset of the piece in the text
  line* lines;
  number* keys;  // nullptr where no column is asked for
  std::uint64_t column;

  __host__ __device__ void operator()(std::uint64_t index, std::uint64_t place) const {
    std::uint64_t const offset = piece + index;
    if (starts_line{text}(offset) == 0) return;
    lines[place] = make_line(text, offset);
    if (keys != nullptr) keys[place] = parse_number(text, offset, column);
  }
};

// Returns the length of a line with its newline.
struct line_length {
  unsigned char const* text;

  __host__ __device__ std::uint64_t operator()(line const& l) const {
    unsigned char const* end = text + l.offset;
    while (*end != '\n') ++end;
    return static_cast<std::uint64_t>(end - (text + l.offset)) + 1;
  }
};

// Copies the lines to their places, each by a warp.
inline __global__ void copy_lines(unsigned char const* text, line const* lines, std::uint64_t const* places,
                                  std::uint64_t num_lines, std::uint64_t num_bytes, unsigned char* copy) {
  std::uint64_t const index = (std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32;
  if (index >= num_lines) return;
  std::uint64_t const begin = places[index], end = index + 1 < num_lines ? places[index + 1] : num_bytes;
  unsigned char const* const from = text + lines[index].offset;
  for (std::uint64_t i = threadIdx.x % 32; begin + i < end; i += 32) copy[begin + i] = from[i];
}

class gpu_sorter {
 public:
  gpu_sorter(options const& wanted, std::uint64_t bytes_expected)
      : wanted_(wanted),
        bytes_expected_(bytes_expected),
        piece_bytes_(bytes_expected == 0 ? wanted.piece : std::min(wanted.piece, bytes_expected)),
        pieces_{make_pinned(piece_bytes_), make_pinned(piece_bytes_)},
        text_(bytes_expected + 1, work()) {  // with room for a newline that the last line may lack
    finish();
  }

  std::uint64_t num_bytes() const { return num_bytes_; }
  std::uint64_t num_lines() const { return runs_.empty() ? 0 : runs_.back().lines.size(); }

  // Reads the whole file and sorts its lines. Returns when the last byte had been read; the rest of the work may go on.
  clock_time read_and_sort(input_file& file) {
    progress_line progress;
    int side = 0;
    while (std::size_t const got = file.read(pieces_[side].get(), piece_bytes_)) {
      sort_complete_lines();
      make_room(num_bytes_ + got + 1);
      copy_piece(pieces_[side].get(), got);
      progress.show("read", num_bytes_, bytes_expected_);
      side = 1 - side;
    }
    auto const last_byte = now();
    if (end_of_lines_ < num_bytes_) copy_piece("\n", 1);
    sort_complete_lines();
    while (runs_.size() > 1) merge_last_two();
    return last_byte;
  }

  void finish() const { check(cudaStreamSynchronize(work()), "cudaStreamSynchronize"); }

  // Puts the text in the order of its lines. From here on all is there that can be written.
  void put_in_order() {
    if (runs_.empty()) return;
    text_ = sorted_text();
    runs_.clear();
    finish();
  }

  // Writes a piece of the text while the next one is copied to the host.
  void write(output_file& file) {
    progress_line progress;
    std::uint64_t fetched = 0, written = 0;
    std::size_t counts[2] = {};
    auto const fetch = [&](int side) {
      counts[side] = std::min<std::uint64_t>(piece_bytes_, num_bytes_ - fetched);
      check(cudaMemcpyAsync(pieces_[side].get(), text_.begin() + fetched, counts[side], cudaMemcpyDeviceToHost,
                            streams_[side].get()),
            "cudaMemcpyAsync");
      fetched += counts[side];
    };
    fetch(0);
    for (int side = 0; counts[side] > 0; side = 1 - side) {
      fetch(1 - side);
      check(cudaStreamSynchronize(streams_[side].get()), "cudaStreamSynchronize");
      file.write(pieces_[side].get(), counts[side]);
      written += counts[side];
      progress.show("wrote", written, num_bytes_);
    }
  }

 private:
  struct sorted_run {
    device_array<line> lines;
    device_array<number> keys;  // one for each line, or none: the order is that of the lines themselves
    int num_merges = 0;         // that made it
  };

  cudaStream_t work() const { return streams_[0].get(); }
  cudaStream_t copies() const { return streams_[1].get(); }
  auto policy() const { return thrust::cuda::par_nosync.on(work()); }
  auto by_line() const { return in_direction<line_less>{{text_.begin()}, wanted_.reverse}; }
  auto by_number() const { return in_direction<number_less>{{text_.begin()}, wanted_.reverse}; }

  sorted_run make_run(std::uint64_t size, int num_merges) const {
    return {{size, work()}, {wanted_.key == 0 ? 0 : size, work()}, num_merges};
  }

  // Text that comes from a pipe tells only at its end how long it is.
  void make_room(std::uint64_t bytes) {
    if (bytes <= text_.size()) return;
    device_array<unsigned char> larger(std::max(bytes, 2 * text_.size()), work());
    check(cudaStreamSynchronize(copies()), "cudaStreamSynchronize");
    check(cudaMemcpyAsync(larger.begin(), text_.begin(), num_bytes_, cudaMemcpyDeviceToDevice, work()),
          "cudaMemcpyAsync");
    text_ = std::move(larger);
    finish();
  }

  void copy_piece(char const* bytes, std::size_t count) {
    check(cudaMemcpyAsync(text_.begin() + num_bytes_, bytes, count, cudaMemcpyHostToDevice, copies()),
          "cudaMemcpyAsync");
    std::size_t last = count;
    while (last > 0 && bytes[last - 1] != '\n') --last;
    if (last > 0) end_of_lines_ = num_bytes_ + last;
    num_bytes_ += count;
  }

  // Sorts the lines that have come whole since the last time. When it returns, the piece that was copied has arrived.
  void sort_complete_lines() {
    check(cudaStreamSynchronize(copies()), "cudaStreamSynchronize");
    if (end_of_lines_ == begin_of_lines_) return;
    unsigned char const* const text = text_.begin();
    std::uint64_t const num_lines =
        algorithms::transform_reduce(thrust::cuda::par.on(copies()), text + begin_of_lines_, text + end_of_lines_,
                                     is_newline{}, std::uint64_t{0}, cuda::std::plus<>{});
    sorted_run run = make_run(num_lines, 0);
    put_line const put{text, begin_of_lines_, run.lines.begin(), run.keys.begin(), wanted_.key};
    thrust::counting_iterator<std::uint64_t> const offsets(begin_of_lines_);
    algorithms::transform_exclusive_scan(policy(), offsets, offsets + (end_of_lines_ - begin_of_lines_),
                                         thrust::make_tabulate_output_iterator(put), starts_line{text},
                                         std::uint64_t{0}, cuda::std::plus<>{});
    begin_of_lines_ = end_of_lines_;

    if (wanted_.key == 0)
      algorithms::stable_sort(policy(), run.lines.begin(), run.lines.end(), by_line());
    else
      algorithms::stable_sort_by_key(policy(), run.keys.begin(), run.keys.end(), run.lines.begin(), by_number());
    runs_.push_back(std::move(run));
    while (runs_.size() > 1 && runs_.back().num_merges == runs_[runs_.size() - 2].num_merges) merge_last_two();
  }

  void merge_last_two() {
    sorted_run const second = std::move(runs_.back());
    runs_.pop_back();
    sorted_run const first = std::move(runs_.back());
    runs_.pop_back();
    sorted_run both = make_run(first.lines.size() + second.lines.size(), first.num_merges + 1);
    if (wanted_.key == 0)
      algorithms::merge(policy(), first.lines.begin(), first.lines.end(), second.lines.begin(), second.lines.end(),
                        both.lines.begin(), by_line());
    else
      algorithms::merge_by_key(policy(), first.keys.begin(), first.keys.end(), second.keys.begin(), second.keys.end(),
                               first.lines.begin(), second.lines.begin(), both.keys.begin(), both.lines.begin(),
                               by_number());
    runs_.push_back(std::move(both));
  }

  device_array<unsigned char> sorted_text() const {
    device_array<line> const& lines = runs_.back().lines;
    device_array<std::uint64_t> const places(lines.size(), work());
    algorithms::transform_exclusive_scan(policy(), lines.begin(), lines.end(), places.begin(),
                                         line_length{text_.begin()}, std::uint64_t{0}, cuda::std::plus<>{});
    device_array<unsigned char> sorted(num_bytes_, work());
    constexpr int threads = 256, lines_per_block = threads / 32;
    auto const blocks = static_cast<unsigned>((lines.size() + lines_per_block - 1) / lines_per_block);
    copy_lines<<<blocks, threads, 0, work()>>>(text_.begin(), lines.begin(), places.begin(), lines.size(), num_bytes_,
                                               sorted.begin());
    check(cudaGetLastError(), "copy_lines");
    return sorted;
  }

  options const& wanted_;
  std::uint64_t bytes_expected_;
  std::size_t piece_bytes_;
  owned_stream streams_[2] = {make_stream(), make_stream()};
  pinned_memory pieces_[2];
  device_array<unsigned char> text_;
  std::uint64_t num_bytes_ = 0;       // that are in `text_`, or on their way
  std::uint64_t begin_of_lines_ = 0;  // that have been copied, but not sorted
  std::uint64_t end_of_lines_ = 0;
  std::vector<sorted_run> runs_;
};

// `start_seconds` is what it took until the GPU was ready.
inline void sort_on_gpu(options const& wanted, std::string const& gpu, double start_seconds) {
  input_file input(wanted.input);
  auto const begin = now();
  gpu_sorter sorter(wanted, input.size());
  auto const last_byte = sorter.read_and_sort(input);
  sorter.finish();
  auto const sorted = now();
  std::uint64_t const num_lines = sorter.num_lines();
  sorter.put_in_order();
  output_file output(wanted.output);  // which may be the input: up to here nothing is lost where the GPU fails
  sorter.write(output);
  output.finish();
  auto const written = now();

  report_sort("GPU, " + gpu, num_lines, sorter.num_bytes(), "read and sort", seconds(begin, sorted));
  std::fprintf(stderr, "sort_lines: of which %.3f ms after the last byte was read\n",
               seconds(last_byte, sorted) * 1e3);
  std::fprintf(stderr, "sort_lines: GPU ready in %.3f s, its context made and the kernels loaded\n", start_seconds);
  std::fprintf(stderr, "sort_lines: put in order, copied and written in %.3f s\n", seconds(sorted, written));
}
