// These are the kernels that users get: the public interface with the usual tuning on the usual types. They never
// run, but are compiled for the assembler's report on each of them.
#include "shipped_kernels.h"
#include <mgpu/merge.h>
#include <cstdint>

namespace {

using namespace shipped;

template <class Key, class Value>
void merge_pairs() {
  Key const* const keys = somewhere<Key>();
  Value const* const values = somewhere<Value>();
  mgpu::merge_by_key(mgpu::par, keys, keys + some_count, keys, keys + some_count, values, values, somewhere<Key>(),
                     somewhere<Value>(), order<Key>);
}

template <class Key>
void merges() {
  Key const* const keys = somewhere<Key>();
  mgpu::merge(mgpu::par, keys, keys + some_count, keys, keys + some_count, somewhere<Key>(), order<Key>);
  merge_pairs<Key, std::uint32_t>();
  merge_pairs<Key, record<16>>();
}

}  // namespace

void shipped_sorts() {
  sorts<std::uint8_t>();
  sorts<std::uint16_t>();
  sorts<std::uint32_t>();
  sorts<std::uint64_t>();
  sorts<float>();
  sorts<double>();
}

void shipped_copies() {
  copies<std::uint32_t>();
  copies<std::uint64_t>();
  copies<float>();
}

void shipped_merges() {
  merges<std::uint32_t>();
  merges<std::uint64_t>();
  merges<float>();
  merges<record<16>>();
}

void shipped_large_items() {
  pairs<std::uint32_t, record<200>>();
  pairs<std::uint64_t, record<200>>();
  merge_pairs<std::uint32_t, record<200>>();
  merge_pairs<record<200>, record<200>>();
}
