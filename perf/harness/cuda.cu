// This asks about the GPU: the runtime, and nvidia-smi, which comes with the driver.
#include <harness/cuda.h>
#include <perf_commit.h>
#include <cuda/std/version>
#include <cstdio>
#include <cstring>

namespace perf {

namespace {

__global__ void probe_kernel() {}

std::string text_of_version(int major, int minor) { return std::to_string(major) + '.' + std::to_string(minor); }
std::string text_of_version(int version) { return text_of_version(version / 1000, version % 1000 / 10); }

std::string megahertz(cudaDeviceAttr clock_rate) {
  int kilohertz = 0;
  check(cudaDeviceGetAttribute(&kilohertz, clock_rate, 0), "cudaDeviceGetAttribute");
  return std::to_string(kilohertz / 1000) + " MHz";
}

// Returns a property as nvidia-smi says it, such as "1980 MHz".
std::string of_driver(std::string const& property, std::string const& bus_id) {
  std::string const command =
      "nvidia-smi --id=" + bus_id + " --query-gpu=" + property + " --format=csv,noheader 2>/dev/null";
  char text[96] = "";
  std::FILE* const output = popen(command.c_str(), "r");
  bool const is_there = output != nullptr && std::fgets(text, sizeof(text), output) != nullptr;
  if (output == nullptr || pclose(output) != 0 || !is_there) return "unknown";
  return {text, std::strcspn(text, "\n")};
}

}  // namespace

std::string why_no_gpu() {
  cudaFuncAttributes attributes{};
  cudaError_t const status = cudaFuncGetAttributes(&attributes, probe_kernel);
  return status == cudaSuccess ? "" : cudaGetErrorString(status);
}

std::vector<std::pair<std::string, std::string>> gpu_context() {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
  char bus_id[32] = "";
  check(cudaDeviceGetPCIBusId(bus_id, sizeof(bus_id), 0), "cudaDeviceGetPCIBusId");
  int runtime = 0;
  int driver_api = 0;
  check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
  check(cudaDriverGetVersion(&driver_api), "cudaDriverGetVersion");

  return {
      {"gpu", properties.name},
      {"gpu_compute_capability", text_of_version(properties.major, properties.minor)},
      {"gpu_multiprocessors", std::to_string(properties.multiProcessorCount)},
      {"gpu_memory", std::to_string(properties.totalGlobalMem >> 20) + " MiB"},
      {"gpu_l2", std::to_string(properties.l2CacheSize >> 20) + " MiB"},
      {"gpu_sm_clock", megahertz(cudaDevAttrClockRate)},
      {"gpu_memory_clock", megahertz(cudaDevAttrMemoryClockRate)},
      {"gpu_max_sm_clock", of_driver("clocks.max.sm", bus_id)},
      {"gpu_max_memory_clock", of_driver("clocks.max.memory", bus_id)},
      {"driver", of_driver("driver_version", bus_id)},
      {"driver_cuda", text_of_version(driver_api)},
      {"cuda_runtime", text_of_version(runtime)},
      {"cccl", text_of_version(CCCL_MAJOR_VERSION, CCCL_MINOR_VERSION) + '.' + std::to_string(CCCL_PATCH_VERSION)},
      {"nvcc", text_of_version(__CUDACC_VER_MAJOR__, __CUDACC_VER_MINOR__)},
      {"mgpu", MGPU_VERSION},
      {"mgpu_commit", MGPU_COMMIT},
  };
}

}  // namespace perf
