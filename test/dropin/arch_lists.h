// Two files of one program, each compiled for architectures of its own.
#pragma once
#include <vector>

namespace dropin {

// What of a file's work on the device went well.
struct arch_report {
  bool threw;    // where the device cannot run what the file was compiled for
  bool correct;  // what it did
};

#define DROPIN_DECLARE_UNIT(unit)                              \
  namespace unit {                                             \
  arch_report work_on_device(std::vector<int> const& numbers); \
  void const* address_of_sort();                               \
  }
DROPIN_DECLARE_UNIT(foreign)     // compiled for another architecture than the tests are
DROPIN_DECLARE_UNIT(usual)       // as the tests
DROPIN_DECLARE_UNIT(per_thread)  // as the tests, but with a default stream for each thread
#undef DROPIN_DECLARE_UNIT

}  // namespace dropin
