// Files of one program are each compiled for architectures of their own.
#pragma once
#include <vector>

namespace dropin {

// Says what of a file's work on the device went well.
struct arch_report {
  bool threw;    // true where the device cannot run what the file was compiled for
  bool correct;  // true where what it did is right
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
