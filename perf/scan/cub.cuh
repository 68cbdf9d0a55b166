// CUB's scans, with 32-bit and with 64-bit counts (libraries cub32 and cub64), since CUB tunes by that type. Scratch
// memory is at hand on both clocks, as for a user who keeps it.
#pragma once
#include <scan/candidate.h>
#include <scan/problems.h>
#include <cub/device/device_scan.cuh>
#include <cstdint>

namespace perf {

template <class Count, class Key, class Scan>
class cub_scan final : public scan_candidate<Key, Scan> {
 public:
  static constexpr bool possible = true;

  columns enqueue(cudaStream_t stream) override {
    std::size_t bytes = temp_.bytes();
    scan(temp_.get(), bytes, stream);
    return this->work();
  }
  columns call(cudaStream_t stream) override {
    columns const result = enqueue(stream);
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    return result;
  }

 private:
  void prepare_scratch(cudaStream_t stream) override {
    std::size_t bytes = 0;
    scan(nullptr, bytes, stream);
    temp_.reserve(bytes);
  }

  void scan(void* temp, std::size_t& bytes, cudaStream_t stream) const {
    auto const n = static_cast<Count>(this->size());
    typename Scan::Op const op{};
    if constexpr (Scan::inclusive) {
      check(cub::DeviceScan::InclusiveScan(temp, bytes, this->in(), this->out(), op, n, stream), "CUB's scan");
    } else {
      check(cub::DeviceScan::ExclusiveScan(temp, bytes, this->in(), this->out(), op, initial<Key>(), n, stream),
            "CUB's scan");
    }
  }

  device_memory temp_;
};

template <class Key, class, class Scan>
using cub_scan_32 = cub_scan<std::uint32_t, Key, Scan>;
template <class Key, class, class Scan>
using cub_scan_64 = cub_scan<std::uint64_t, Key, Scan>;

template <class Key>
bool register_cub() {
  return register_candidates<cub_scan_32, Key>("scan", "cub32", typename scan_problems<Key>::all{}) &&
         register_candidates<cub_scan_64, Key>("scan", "cub64", typename scan_problems<Key>::all{});
}

}  // namespace perf
