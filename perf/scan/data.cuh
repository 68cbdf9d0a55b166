// Data sets for scans. Included by one translation unit per item type.
#pragma once
#include <harness/column_dataset.cuh>
#include <scan/check.h>
#include <scan/problems.h>

namespace perf {

namespace impl {
template <class Scan, class Key>
__global__ void scan_check_kernel(Key const* results, distribution from, std::int64_t n, unsigned long long* wrong) {
  unsigned long long sum = 0;
  for (std::int64_t i = first_item(); i < n; i += item_stride()) {
    sum += follows<Scan>(results, from, static_cast<u64>(i), static_cast<u64>(n)) ? 0 : 1;
  }
  add_to(wrong, sum);
}
}  // namespace impl

template <class Key, class Scan>
class scan_dataset final : public column_dataset<Key, none> {
 public:
  scan_dataset() : column_dataset<Key, none>(std::is_same_v<typename Scan::Access, unaligned> ? 1 : 0) {}

  std::string verify(columns result, bool, cudaStream_t stream) override {
    u64 const wrong =
        this->sum_by(impl::scan_check_kernel<Scan, Key>, stream, static_cast<Key const*>(result.keys), this->from());
    return wrong == 0 ? "" : std::to_string(wrong) + " results do not follow from the one before them";
  }
};

template <class Key>
bool register_data() {
  return register_datasets_of<scan_dataset, Key>(typename scan_problems<Key>::all{});
}

}  // namespace perf
