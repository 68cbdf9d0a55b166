// Sorts the lines of a text file on the GPU.
//
// A merge sort takes any comparator. So strings need not move to be sorted: what is sorted is an array of small
// records that say where each line begins, and the comparator reads the text, which lies still in the GPU's memory.
#include <cuda_runtime_api.h>
#include <mgpu/execution_policy.h>
#include <mgpu/sort.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "line.h"
#include "number.h"
#include "options.h"
#include "text_file.h"

namespace {

struct job {
  std::string text;
  std::vector<line> lines;
  std::vector<number> keys;  // one for each line, or none: sort by the lines themselves
  bool reverse;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Sorts. The code is the same for the GPU and the CPU, where all pointers are to memory of the policy's side. Returns
// the seconds it took.
template <class Policy>
double sort_lines(Policy const& policy, unsigned char const* text, line* lines, number* keys, job const& what) {
  auto const start = std::chrono::steady_clock::now();
  line* const end = lines + what.lines.size();
  number* const keys_end = keys + what.keys.size();
  if (what.keys.empty()) {
    line_less const less{text};
    if (what.reverse)
      mgpu::stable_sort(policy, lines, end, reversed<line_less>{less});
    else
      mgpu::stable_sort(policy, lines, end, less);
  } else {
    number_less const less{text};
    if (what.reverse)
      mgpu::stable_sort_by_key(policy, keys, keys_end, lines, reversed<number_less>{less});
    else
      mgpu::stable_sort_by_key(policy, keys, keys_end, lines, less);
  }
  return seconds_since(start);
}

double sort_on_host(job& what) {
  return sort_lines(mgpu::host, bytes_of(what.text), what.lines.data(), what.keys.data(), what);
}

double sort_on_gpu(job& what) {
  unsigned char const* const bytes = bytes_of(what.text);
  thrust::device_vector<unsigned char> const text(bytes, bytes + what.text.size());
  thrust::device_vector<line> lines(what.lines);
  thrust::device_vector<number> keys(what.keys);
  double const seconds =
      sort_lines(mgpu::par, thrust::raw_pointer_cast(text.data()), thrust::raw_pointer_cast(lines.data()),
                 thrust::raw_pointer_cast(keys.data()), what);
  thrust::copy(lines.begin(), lines.end(), what.lines.begin());
  return seconds;
}

// Returns the name of the GPU to sort on, or none, which means the CPU.
std::string choose_gpu(device_choice choice) {
  if (choice == device_choice::host) return "";
  int count = 0;
  cudaError_t const error = cudaGetDeviceCount(&count);
  if (error == cudaSuccess && count > 0) {
    int device = 0;
    cudaDeviceProp properties;
    if (cudaGetDevice(&device) != cudaSuccess || cudaGetDeviceProperties(&properties, device) != cudaSuccess)
      throw std::runtime_error("the GPU does not answer");
    return properties.name;
  }
  std::string const reason =
      std::string("no GPU here (") + cudaGetErrorString(error != cudaSuccess ? error : cudaErrorNoDevice) + ")";
  if (choice == device_choice::gpu) throw std::runtime_error(reason);
  std::fprintf(stderr, "sort_lines: %s, so the CPU sorts\n", reason.c_str());
  return "";
}

void run(options const& wanted) {
  std::string const gpu = choose_gpu(wanted.device);
  job what{read_text(wanted.input), {}, {}, wanted.reverse};
  what.lines = find_lines(what.text);
  if (wanted.key > 0) {
    what.keys.reserve(what.lines.size());
    for (line const& l : what.lines) what.keys.push_back(parse_number(bytes_of(what.text), l.offset, wanted.key));
  }

  auto const start = std::chrono::steady_clock::now();
  double const sort_seconds = gpu.empty() ? sort_on_host(what) : sort_on_gpu(what);
  double const all_seconds = seconds_since(start);
  write_lines(wanted.output, what.text, what.lines);

  double const count = double(what.lines.size());
  double const bytes = double(what.text.size());
  std::fprintf(stderr, "sort_lines: device: %s\n", gpu.empty() ? "CPU" : ("GPU, " + gpu).c_str());
  std::fprintf(stderr, "sort_lines: %.0f lines, %.0f bytes\n", count, bytes);
  if (count == 0) return;
  std::fprintf(stderr, "sort_lines: sort %.3f ms, %.1f million lines/s, %.1f MB/s\n", sort_seconds * 1e3,
               count / sort_seconds * 1e-6, bytes / sort_seconds * 1e-6);
  if (!gpu.empty())
    std::fprintf(stderr, "sort_lines: with the copies to the GPU and back %.3f ms\n", all_seconds * 1e3);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    options const wanted = parse_options(argc, argv);
    if (wanted.help)
      std::fputs(usage, stdout);
    else
      run(wanted);
    return 0;
  } catch (usage_error const& error) {
    std::fprintf(stderr, "sort_lines: %s\n%s", error.what(), usage);
    return 2;
  } catch (std::bad_alloc const& error) {
    std::fprintf(stderr, "sort_lines: not enough memory for this file (%s)\n", error.what());
  } catch (std::exception const& error) {
    std::fprintf(stderr, "sort_lines: %s\n", error.what());
  }
  return 1;
}
