// Sorts the lines of a text file on the GPU.
//
// A merge sort takes any comparator. So strings need not move to be sorted: what is sorted is an array of small
// records that say where each line begins, and the comparator reads the text, which lies still in the GPU's memory.
#include <cuda_runtime_api.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include "on_gpu.cuh"
#include "on_host.h"
#include "options.h"
#include "report.h"
#include "text_file.h"

namespace {

// Returns whether there is a GPU to sort on. If so it is ready: its context is made, and the kernels are loaded with it.
bool choose_gpu(device_choice choice) {
  if (choice == device_choice::host) return false;
  cudaError_t const error = cudaFree(nullptr);  // the shortest call that needs a context
  if (error == cudaSuccess) return true;
  std::string const reason = std::string("no GPU here (") + cudaGetErrorString(error) + ")";
  if (choice == device_choice::gpu) throw std::runtime_error(reason);
  std::fprintf(stderr, "sort_lines: %s, so the CPU sorts\n", reason.c_str());
  return false;
}

void run(options const& wanted) {
  auto const begin = now();
  // Else kernels are loaded one by one when they are first called, which the sort would be blamed for.
  setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  if (!choose_gpu(wanted.device)) return sort_on_host(wanted);
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  try {
    sort_on_gpu(wanted, properties.name, seconds(begin, now()));
  } catch (std::bad_alloc const& error) {
    throw std::runtime_error(std::string("not enough memory on the GPU for this file (") + error.what() + ")");
  }
}

}  // namespace

int main(int argc, char** argv) {
  hold_standard_streams();
  try {
    options const wanted = parse_options(argc, argv);
    if (wanted.help) {
      output_file standard_output("");
      standard_output.write(usage, std::strlen(usage));
      standard_output.finish();
    } else {
      run(wanted);
    }
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
