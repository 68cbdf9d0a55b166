// Device memory in which ranks on other devices write: of the same process, whose threads they are, or of others of the
// same host.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/runtime/check.h>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <vector>

// There is one of these for the whole program, whatever architectures its files are compiled for.
namespace mgpu::program {

// An identifier that Linux gives: empty where it gives none.
struct system_id {
  char text[37];  // 36 digits and hyphens

  static system_id read(char const* file) {
    system_id found{};
    if (std::FILE* const opened = std::fopen(file, "r")) {
      std::size_t const length = std::fread(found.text, 1, sizeof(found.text) - 1, opened);
      if (length != sizeof(found.text) - 1) found = {};
      static_cast<void>(std::fclose(opened));
    }
    return found;
  }
  bool is_same(system_id const& other) const { return text[0] != 0 && std::strcmp(text, other.text) == 0; }
};

inline system_id& id_of_host() {
  static system_id found = system_id::read("/proc/sys/kernel/random/boot_id");
  return found;
}
inline system_id& id_of_process() {
  static system_id drawn = system_id::read("/proc/sys/kernel/random/uuid");  // another one each time it is read
  return drawn;
}

// Returns how many teams this process has made.
inline auto& num_teams() {
  static std::atomic<std::uint64_t> made{0};
  return made;
}

}  // namespace mgpu::program

namespace mgpu::detail {

// This tells another rank where memory is.
struct place_of_memory {
  program::system_id host;
  program::system_id process;
  int device;
  void* memory;
  bool can_be_opened;
  cudaIpcMemHandle_t handle;  // by which another process opens it, if it can be
};

// The memory of this rank.
class own_memory {
 public:
  own_memory() = default;
  // Memory that other processes have opened must not be freed before they let go of it, and they do not tell when they do;
  // and other ranks may still write in it if an exception is on its way. In both cases it is never freed.
  ~own_memory() {
    if (is_open_elsewhere_ || (is_written_by_others_ && std::uncaught_exceptions() > exceptions_)) return;
    detail::forget(free());
  }
  own_memory(own_memory const&) = delete;
  own_memory& operator=(own_memory const&) = delete;

  // The memory that others open is whole pages of the device's, so that nothing else lies in these.
  cudaError_t allocate(std::size_t bytes) {
    constexpr std::size_t page_bytes = std::size_t{2} << 20;
    return cudaMalloc(&memory_, (bytes + page_bytes - 1) / page_bytes * page_bytes);
  }
  place_of_memory place(int device) const {
    place_of_memory found{program::id_of_host(), program::id_of_process(), device, memory_, false, {}};
    cudaError_t const exported = cudaIpcGetMemHandle(&found.handle, memory_);
    detail::forget(exported);
    found.can_be_opened = exported == cudaSuccess;
    return found;
  }
  // Says whether another process may have opened the memory.
  void set_open_elsewhere(bool is_open) { is_open_elsewhere_ = is_open; }
  // From now on other ranks write in the memory.
  void set_written_by_others() { is_written_by_others_ = true; }
  cudaError_t free() {
    cudaError_t const freed = memory_ == nullptr ? cudaSuccess : cudaFree(memory_);
    memory_ = nullptr;
    return freed;
  }
  unsigned char* begin() const { return static_cast<unsigned char*>(memory_); }

 private:
  void* memory_ = nullptr;
  bool is_open_elsewhere_ = false;
  bool is_written_by_others_ = false;
  int exceptions_ = std::uncaught_exceptions();  // that are under way while this is made
};

// The memory of the other ranks, as far as this rank's device can write in it.
class memory_of_others {
 public:
  memory_of_others() = default;
  ~memory_of_others() { close(); }
  memory_of_others(memory_of_others const&) = delete;
  memory_of_others& operator=(memory_of_others const&) = delete;

  // Opens the memory of another rank, if that can be done. Ranks are opened one after the other. `here` is this one's.
  void open(char const* name, place_of_memory const& here, place_of_memory const& there) {
    device_ = here.device;
    opened_.push_back({nullptr, false});
    opened& found = opened_.back();
    if (here.process.is_same(there.process)) {
      if (has_access(name, here.device, there.device)) found.memory = there.memory;
    } else if (here.host.is_same(there.host) && there.can_be_opened) {
      cudaError_t const status = cudaIpcOpenMemHandle(&found.memory, there.handle, cudaIpcMemLazyEnablePeerAccess);
      detail::forget(status);
      if (status != cudaSuccess) found.memory = nullptr;
      found.is_other_process = status == cudaSuccess;
    }
  }
  void close_one(int rank) {
    opened& closed = opened_[static_cast<std::size_t>(rank)];
    if (closed.is_other_process) {
      int current = 0;
      detail::forget(cudaGetDevice(&current));
      detail::forget(cudaSetDevice(device_));
      detail::forget(cudaIpcCloseMemHandle(closed.memory));
      detail::forget(cudaSetDevice(current));
    }
    closed = {nullptr, false};
  }
  void close() {
    for (std::size_t rank = 0; rank < opened_.size(); ++rank) close_one(static_cast<int>(rank));
  }

  void* memory_of(int rank) const { return opened_[static_cast<std::size_t>(rank)].memory; }

 private:
  struct opened {
    void* memory;
    bool is_other_process;
  };

  // Lets a device have access to the memory of another one of this process, if it can.
  static bool has_access(char const* name, int device, int to) {
    if (device == to) return true;
    int can_access = 0;
    detail::check(cudaDeviceCanAccessPeer(&can_access, device, to), name, "cudaDeviceCanAccessPeer");
    if (can_access == 0) return false;
    cudaError_t const status = cudaDeviceEnablePeerAccess(to, 0);
    detail::forget(status);
    return status == cudaSuccess || status == cudaErrorPeerAccessAlreadyEnabled;
  }

  int device_ = 0;
  std::vector<opened> opened_;
};

}  // namespace mgpu::detail
