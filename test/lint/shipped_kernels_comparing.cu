// The kernels likewise of sorts by a comparator, in a unit of their own: which registers are spilled where there are few depends
// on what else a unit has, and few users have all of it in one.
#include "shipped_kernels.h"
#include <cstdint>

namespace {

using namespace shipped;

// These numbers have an order of the user's own, so they are merged.
struct own_order {
  template <class Key>
  __device__ bool operator()(Key a, Key b) const {
    return a < b;
  }
};

template <class Key>
void own_sorts() {
  Key* const keys = somewhere<Key>();
  mgpu::sort(mgpu::par, keys, keys + some_count, own_order{});
  mgpu::sort_by_key(mgpu::par, keys, keys + some_count, somewhere<Key>(), own_order{});
}

}  // namespace

void shipped_sorts_by_comparing() {
  own_sorts<std::uint8_t>();
  own_sorts<std::uint16_t>();
  own_sorts<std::uint32_t>();
  own_sorts<std::uint64_t>();
  sorts<record<16>>();
  sorts<record<32>>();
  copies<record<16>>();
  pairs<record<200>, std::uint32_t>();
  copies<record<200>>();
}
