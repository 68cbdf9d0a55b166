// CUB's sorts: radix for the natural order of numbers, merge for all else; with 32-bit and with 64-bit counts
// (libraries cub32 and cub64), since CUB tunes by that type. Scratch memory is at hand on both clocks, as for a user
// who keeps it.
#pragma once
#include <sort/candidate.h>
#include <sort/problems.h>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cstdint>

namespace perf {

template <class Count, class Key, class Value, class Comp>
class cub_sort final : public sort_candidate<Key, Value> {
  static constexpr bool radix = std::is_same_v<Comp, natural>;

 public:
  // The radix sort does not compile for values of 124 bytes and more: its blocks would need too much shared memory.
  static constexpr bool possible = !radix || bytes_of<Value> < 124;

  columns enqueue(cudaStream_t stream) override {
    std::size_t bytes = temp_.bytes();
    return sort(temp_.get(), bytes, stream);
  }
  columns call(cudaStream_t stream) override {
    columns const result = enqueue(stream);
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    return result;
  }

 private:
  void prepare_scratch(cudaStream_t stream) override {
    if (radix) {
      other_keys_.reserve(static_cast<std::size_t>(this->size()) * sizeof(Key));
      other_values_.reserve(static_cast<std::size_t>(this->size()) * bytes_of<Value>);
    }
    std::size_t bytes = 0;
    sort(nullptr, bytes, stream);
    temp_.reserve(bytes);
  }

  columns sort(void* temp, std::size_t& bytes, cudaStream_t stream) {
    auto const n = static_cast<Count>(this->size());
    constexpr bool by_key = !std::is_same_v<Value, none>;
    constexpr char const* what = "CUB's sort";
    if constexpr (radix) {
      constexpr int bits = 8 * sizeof(Key);
      cub::DoubleBuffer<Key> keys(this->keys(), static_cast<Key*>(other_keys_.get()));
      if constexpr (by_key) {
        cub::DoubleBuffer<Value> values(this->values(), static_cast<Value*>(other_values_.get()));
        check(cub::DeviceRadixSort::SortPairs(temp, bytes, keys, values, n, 0, bits, stream), what);
        return {keys.Current(), values.Current()};
      } else {
        check(cub::DeviceRadixSort::SortKeys(temp, bytes, keys, n, 0, bits, stream), what);
        return {keys.Current(), nullptr};
      }
    } else {
      if constexpr (by_key) {
        check(cub::DeviceMergeSort::StableSortPairs(temp, bytes, this->keys(), this->values(), n, Comp{}, stream),
              what);
      } else {
        check(cub::DeviceMergeSort::StableSortKeys(temp, bytes, this->keys(), n, Comp{}, stream), what);
      }
      return this->work();
    }
  }

  device_memory temp_, other_keys_, other_values_;
};

template <class Key, class Value, class Comp>
using cub_sort_32 = cub_sort<std::uint32_t, Key, Value, Comp>;
template <class Key, class Value, class Comp>
using cub_sort_64 = cub_sort<std::uint64_t, Key, Value, Comp>;

template <class Key>
bool register_cub() {
  return register_candidates<cub_sort_32, Key>("sort", "cub32", typename sort_problems<Key>::all{}) &&
         register_candidates<cub_sort_64, Key>("sort", "cub64", typename sort_problems<Key>::all{});
}

}  // namespace perf
