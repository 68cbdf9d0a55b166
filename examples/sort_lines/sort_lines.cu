// Sorts the lines of a text file on the GPU.
//
// A merge sort takes any comparator. So strings need not move to be sorted: what is sorted is an array of small
// records that say where each line begins, and the comparator reads the text, which lies still in the GPU's memory.
#include <cuda_runtime_api.h>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include "on_gpu.cuh"
#include "on_host.h"
#include "options.h"
#include "report.h"

namespace {

// Returns whether there is a GPU to sort on.
bool choose_gpu(device_choice choice) {
  if (choice == device_choice::host) return false;
  int count = 0;
  cudaError_t const error = cudaGetDeviceCount(&count);
  if (error == cudaSuccess && count > 0) return true;
  std::string const reason =
      std::string("no GPU here (") + cudaGetErrorString(error != cudaSuccess ? error : cudaErrorNoDevice) + ")";
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
  check(cudaFree(nullptr), "cudaFree");  // the first call that needs a context, which is made with the kernels loaded
  sort_on_gpu(wanted, properties.name, seconds(begin, now()));
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
