// Reads what there is to know about the GPU from the runtime, and from the driver's management library if it is
// there.
#include <harness/context.h>
#include <harness/cuda.h>
#include <perf_commit.h>
#include <cuda/std/version>
#include <dlfcn.h>
#include <cstring>

namespace perf {

namespace {

__global__ void probe_kernel() {}

std::string of_version(int version, int minor_unit, int major_unit) {
  return std::to_string(version / major_unit) + '.' + std::to_string(version % major_unit / minor_unit);
}

std::string megahertz(double value) { return std::to_string(static_cast<int>(value)) + " MHz"; }

// NVML, loaded by hand: it comes with the driver and need not be there when this is linked.
class management_library {
 public:
  explicit management_library(char const* bus_id) : library_(dlopen("libnvidia-ml.so.1", RTLD_NOW)) {
    if (library_ == nullptr) return;
    auto const init = function<int (*)()>("nvmlInit_v2");
    auto const by_bus_id = function<int (*)(char const*, void**)>("nvmlDeviceGetHandleByPciBusId_v2");
    if (init == nullptr || by_bus_id == nullptr || init() != 0) return;
    if (by_bus_id(bus_id, &device_) != 0) device_ = nullptr;
  }
  management_library(management_library const&) = delete;
  management_library& operator=(management_library const&) = delete;
  ~management_library() {
    if (library_ != nullptr) dlclose(library_);
  }

  std::string driver() const {
    char text[96] = "";
    auto const get = function<int (*)(char*, unsigned)>("nvmlSystemGetDriverVersion");
    return get != nullptr && get(text, sizeof(text)) == 0 ? text : "unknown";
  }

  // The clock that the GPU may run at most: 1 for the multiprocessors', 2 for the memory's.
  std::string max_clock(int which) const {
    unsigned value = 0;
    auto const get = function<int (*)(void*, int, unsigned*)>("nvmlDeviceGetMaxClockInfo");
    return device_ != nullptr && get != nullptr && get(device_, which, &value) == 0 ? megahertz(value) : "unknown";
  }

 private:
  template <class Function>
  Function function(char const* name) const {
    return library_ == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(library_, name));
  }

  void* library_;
  void* device_ = nullptr;
};

int attribute(cudaDeviceAttr which) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, 0), "cudaDeviceGetAttribute");
  return value;
}

}  // namespace

std::string why_no_gpu() {
  int devices = 0;
  cudaError_t status = cudaGetDeviceCount(&devices);
  if (status != cudaSuccess) return cudaGetErrorString(status);
  if (devices == 0) return "no CUDA device";
  cudaFuncAttributes attributes{};
  status = cudaFuncGetAttributes(&attributes, probe_kernel);
  if (status != cudaSuccess) return std::string("no code for this GPU: ") + cudaGetErrorString(status);
  return {};
}

std::vector<std::pair<std::string, std::string>> gpu_context() {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
  char bus_id[32] = "";
  check(cudaDeviceGetPCIBusId(bus_id, sizeof(bus_id), 0), "cudaDeviceGetPCIBusId");
  management_library const management(bus_id);
  int runtime = 0;
  int driver_api = 0;
  check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
  check(cudaDriverGetVersion(&driver_api), "cudaDriverGetVersion");

  return {
      {"gpu", properties.name},
      {"gpu_compute_capability", std::to_string(properties.major) + '.' + std::to_string(properties.minor)},
      {"gpu_multiprocessors", std::to_string(properties.multiProcessorCount)},
      {"gpu_memory", std::to_string(properties.totalGlobalMem >> 20) + " MiB"},
      {"gpu_l2", std::to_string(properties.l2CacheSize >> 20) + " MiB"},
      {"gpu_sm_clock", megahertz(attribute(cudaDevAttrClockRate) / 1e3)},
      {"gpu_memory_clock", megahertz(attribute(cudaDevAttrMemoryClockRate) / 1e3)},
      {"gpu_max_sm_clock", management.max_clock(1)},
      {"gpu_max_memory_clock", management.max_clock(2)},
      {"driver", management.driver()},
      {"driver_cuda", of_version(driver_api, 10, 1000)},
      {"cuda_runtime", of_version(runtime, 10, 1000)},
      {"cccl", std::to_string(CCCL_MAJOR_VERSION) + '.' + std::to_string(CCCL_MINOR_VERSION) + '.' +
                   std::to_string(CCCL_PATCH_VERSION)},
      {"nvcc", std::to_string(__CUDACC_VER_MAJOR__) + '.' + std::to_string(__CUDACC_VER_MINOR__)},
      {"mgpu", MGPU_VERSION},
      {"mgpu_commit", MGPU_COMMIT},
  };
}

}  // namespace perf
