// The programs share memory and policies of the machine that a build is for, input, and printing of results:
//   nvcc          the device, through Thrust's containers and policies
//   MGPU_EMULATED the same over the emulator, where Thrust's containers cannot be compiled
//   else          this machine's CPU
#pragma once
#include <dropin/algo.h>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/host_vector.h>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <vector>
#if defined(__CUDACC__) || defined(MGPU_EMULATED)
#define DROPIN_ON_DEVICE 1
#include <thrust/system/cuda/execution_policy.h>
#include <cuda_runtime_api.h>
#else
#define DROPIN_ON_DEVICE 0
#include <thrust/system/cpp/execution_policy.h>
#endif
#if defined(__CUDACC__)
#include <thrust/device_vector.h>
#include <thrust/universal_vector.h>
#endif

namespace dropin {

#if defined(__CUDACC__)
constexpr int count = 300007;
#else
constexpr int count = 10007;
#endif

#if DROPIN_ON_DEVICE
inline auto const& policy = thrust::device;

inline void require(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}
inline void wait() { require(cudaDeviceSynchronize()); }

// A code base that manages temporary memory itself brings this.
struct allocator {
  using value_type = char;
  char* allocate(std::ptrdiff_t bytes) {
    void* memory = nullptr;
    if (cudaMalloc(&memory, static_cast<std::size_t>(bytes)) != cudaSuccess) throw std::bad_alloc();
    return static_cast<char*>(memory);
  }
  void deallocate(char* memory, std::size_t) { cudaFree(memory); }
};

// Calls f(name, policy) for each way to name the device.
template <class F>
void for_each_policy(F f) {
  cudaStream_t stream = nullptr;
  require(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  allocator memory;
  f("thrust::device", thrust::device);
  f("par", thrust::cuda::par);
  f("par.on", thrust::cuda::par.on(stream));
  f("par_nosync.on", thrust::cuda::par_nosync.on(stream));
  f("par(allocator)", thrust::cuda::par(memory));
  f("par(allocator).on", thrust::cuda::par(memory).on(stream));
  f("device(allocator)", thrust::device(memory));
  require(cudaStreamDestroy(stream));
}
#else
inline auto const& policy = thrust::host;
inline void wait() {}
template <class F>
void for_each_policy(F f) {
  f("thrust::host", thrust::host);
  f("seq", thrust::seq);
  f("cpp::par", thrust::cpp::par);
}
#endif

#if defined(__CUDACC__)
template <class T>
using vector = thrust::device_vector<T>;
template <class T>
using universal_vector = thrust::universal_vector<T>;
#elif defined(MGPU_EMULATED)
// This is as much of thrust::device_vector as the programs use; a copy is the same memory.
template <class T>
class vector {
 public:
  using value_type = T;
  explicit vector(std::size_t size) : size_(size) {
    void* memory = nullptr;
    require(cudaMalloc(&memory, size * sizeof(T) + 1));
    require(cudaMemset(memory, 0, size * sizeof(T)));
    memory_ = {static_cast<T*>(memory), [](T* items) { cudaFree(items); }};
  }
  template <class Iterator, class = decltype(*Iterator())>
  vector(Iterator first, Iterator last) : vector(static_cast<std::size_t>(last - first)) {
    std::vector<T> const items(first, last);
    require(cudaMemcpy(memory_.get(), items.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  auto data() { return thrust::device_pointer_cast(memory_.get()); }
  auto data() const { return thrust::device_pointer_cast(static_cast<T const*>(memory_.get())); }
  auto begin() { return data(); }
  auto end() { return data() + size_; }
  auto begin() const { return data(); }
  auto end() const { return begin() + size_; }
  auto cbegin() const { return begin(); }
  auto cend() const { return end(); }
  std::size_t size() const { return size_; }

 private:
  std::size_t size_;
  std::shared_ptr<T> memory_;
};
template <class T>
using universal_vector = vector<T>;
#else
template <class T>
using vector = thrust::host_vector<T>;
template <class T>
using universal_vector = thrust::host_vector<T>;
#endif

// Fancy iterators are built on this pointer. Over the emulator a device_ptr would be read from the host's side.
template <class Vector>
auto first_of(Vector& items) {
#if defined(MGPU_EMULATED)
  return thrust::raw_pointer_cast(items.data());
#else
  return items.begin();
#endif
}

template <class T>
std::vector<T> on_host(T const* items, std::size_t size) {
  std::vector<T> copy(size);
#if DROPIN_ON_DEVICE
  wait();
  if (size != 0) require(cudaMemcpy(copy.data(), items, size * sizeof(T), cudaMemcpyDefault));
#else
  for (std::size_t i = 0; i < size; ++i) copy[i] = items[i];
#endif
  return copy;
}

// Prints the size, a digest of all bytes, and how it begins.
template <class T>
void show_items(std::string const& what, T const* items, std::size_t size) {
  std::uint64_t digest = 14695981039346656037u;
  std::vector<T> const copy = on_host(items, size);
  auto const* const bytes = reinterpret_cast<unsigned char const*>(copy.data());
  for (std::size_t i = 0; i < size * sizeof(T); ++i) digest = (digest ^ bytes[i]) * 1099511628211u;
  std::printf("%s: %zu items, digest %016llx", what.c_str(), size, static_cast<unsigned long long>(digest));
  if constexpr (std::is_arithmetic_v<T>) {
    for (std::size_t i = 0; i < size && i < 8; ++i) std::printf(" %.17g", static_cast<double>(copy[i]));
  }
  std::printf("\n");
}
template <class Vector>
void show(std::string const& what, Vector const& items) {
  show_items(what, thrust::raw_pointer_cast(items.data()), items.size());
}
template <class T>
void show_value(std::string const& what, T value) {
  std::printf("%s: %.17g, %zu bytes\n", what.c_str(), static_cast<double>(value), sizeof(T));
}

// Returns the same numbers in every build: 0 to `values` - 1.
template <class T = int>
std::vector<T> drawn(int size = count, unsigned values = 1000, std::uint64_t seed = 1) {
  std::vector<T> items;
  for (int i = 0; i < size; ++i) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    items.push_back(static_cast<T>((seed >> 33) % values));
  }
  return items;
}
template <class T = int>
std::vector<T> numbered(int size = count) {
  std::vector<T> items;
  for (int i = 0; i < size; ++i) items.push_back(static_cast<T>(i));
  return items;
}
// Returns 0 to size - 1, each once, mixed: no two keys are equal, so every sort gives the same.
template <class T = int>
std::vector<T> shuffled(int size = count) {
  std::vector<T> items;
  for (int i = 0; i < size; ++i) items.push_back(static_cast<T>(std::int64_t{i} * 7919 % size));
  return items;
}

// --- An executable has all programs, so that compilers see the headers once. Each program is defined by its source, in
// DROPIN_PROGRAM(name) { ... }, and is a namespace where it has functions of its own.

struct program {
  std::string name;
  void (*run)();
};
inline std::vector<program>& programs() {
  static std::vector<program> all;
  return all;
}
inline bool add_program(char const* name, void (*run)()) {
  programs().push_back({name, run});
  return true;
}
#define DROPIN_PROGRAM(name)                                                  \
  static void run_##name();                                                   \
  static bool const name##_is_added = dropin::add_program(#name, run_##name); \
  static void run_##name()

// This is the whole of main: it runs the program that an argument names, or all. It returns 77, with a message, where the
// machine lacks a GPU that the programs need.
inline int run(int num_arguments, char** arguments) {
#if DROPIN_ON_DEVICE
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("skipped: no GPU on this machine\n");
    return 77;
  }
#endif
  bool has_run = false;
  try {
    for (program const& one : programs()) {
      if (num_arguments > 1 && one.name != arguments[1]) continue;
      one.run();
      std::printf("end\n");  // compare.sh wants this of a program that has done all
      has_run = true;
    }
  } catch (std::exception const& error) {
    std::printf("failed: %s\n", error.what());
    return 1;
  }
  if (!has_run) std::printf("there is no such program\n");
  return has_run ? 0 : 2;
}

}  // namespace dropin
