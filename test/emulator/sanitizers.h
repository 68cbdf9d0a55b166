// The emulator tells sanitizers which fiber runs, which accesses are its own, and what orders what. The build defines
// MGPU_EMULATOR_ASAN or MGPU_EMULATOR_TSAN, as compilers do not agree on how they tell a source what it runs under.
//
// These sources are compiled without instrumentation, so that sanitizers see the accesses of kernels and tests alone.
#pragma once

#if defined(MGPU_EMULATOR_ASAN)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

#if defined(MGPU_EMULATOR_TSAN)
#include <sanitizer/tsan_interface.h>
extern "C" void AnnotateIgnoreWritesBegin(char const* file, int line);
extern "C" void AnnotateIgnoreWritesEnd(char const* file, int line);
extern "C" void __tsan_write_range(void* place, unsigned long bytes);
#endif

namespace mgpu::emulator::impl {

#if defined(MGPU_EMULATOR_ASAN)
constexpr bool with_asan = true;
#else
constexpr bool with_asan = false;
#endif
#if defined(MGPU_EMULATOR_TSAN)
constexpr bool with_tsan = true;
#else
constexpr bool with_tsan = false;
#endif

// Whatever a fiber did before publish(tag) happens before what another does after observe(tag).
inline void publish([[maybe_unused]] void* tag) {
#if defined(MGPU_EMULATOR_TSAN)
  __tsan_release(tag);
#endif
}
inline void observe([[maybe_unused]] void* tag) {
#if defined(MGPU_EMULATOR_TSAN)
  __tsan_acquire(tag);
#endif
}

// TSan takes it for a write by the fiber that runs.
inline void count_as_written([[maybe_unused]] void* place, [[maybe_unused]] unsigned long bytes) {
#if defined(MGPU_EMULATOR_TSAN)
  __tsan_write_range(place, bytes);
#endif
}

// While one lives, TSan sees no writes: memory that the emulator allocates, fills and frees between two blocks must
// neither count as written by the host nor order the blocks.
class unseen {
 public:
#if defined(MGPU_EMULATOR_TSAN)
  unseen() { AnnotateIgnoreWritesBegin(__FILE__, __LINE__); }
  ~unseen() { AnnotateIgnoreWritesEnd(__FILE__, __LINE__); }
#else
  unseen() {}
#endif
  unseen(unseen const&) = delete;
  unseen& operator=(unseen const&) = delete;
};

}  // namespace mgpu::emulator::impl
