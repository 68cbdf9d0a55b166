// The merge sort with a tuning of one's own, as a candidate: the tuning's name stands where other rows name a
// comparator.
#pragma once
#include <harness/cases.h>
#include <harness/mgpu_candidate.h>
#include <sort/candidate.h>
#include <mgpu/sort.h>
#include <string>

namespace perf {

template <int SortThreads, int SortItems, int SortBlocks, int MergeThreads, int MergeItems, int MergeBlocks>
struct merge_sort_point {
  __host__ __device__ static constexpr mgpu::detail::merge_sort_tuning at(int) {
    return {{SortThreads, SortItems, SortBlocks}, {MergeThreads, MergeItems, MergeBlocks}, 64};
  }
  static std::string name() {
    return shape_name(SortThreads, SortItems, SortBlocks) + '_' + shape_name(MergeThreads, MergeItems, MergeBlocks);
  }

 private:
  // threads x items, b minimum blocks
  static std::string shape_name(int threads, int items, int blocks) {
    return std::to_string(threads) + 'x' + std::to_string(items) + 'b' + std::to_string(blocks);
  }
};

// What the library takes by itself.
struct shipped_tuning {
  static std::string name() { return "shipped"; }
};

template <class Key, class Value, class Tuning>
class tuned_sort final : public mgpu_candidate<tuned_sort<Key, Value, Tuning>, sort_candidate<Key, Value>> {
 public:
  template <class Policy>
  void run(Policy const& policy) const {
    if constexpr (std::is_same_v<Tuning, shipped_tuning>) {
      sort(policy);
    } else {
      sort(policy.with_tuning(Tuning{}));
    }
  }

 private:
  // A functor that no library knows, so that this stays the merge sort.
  template <class Policy>
  void sort(Policy const& policy) const {
    auto* const first = this->keys();
    if constexpr (std::is_same_v<Value, none>) {
      mgpu::sort(policy, first, first + this->size(), custom{});
    } else {
      mgpu::sort_by_key(policy, first, first + this->size(), this->values(), custom{});
    }
  }
};

// Whether the tuning's blocks fit on the GPUs that can give a block most: 227 KB from compute capability 9.0 on.
template <class Key, class Value, class Tuning>
constexpr bool tuning_fits() {
  if constexpr (std::is_same_v<Tuning, shipped_tuning>) {
    return true;
  } else {
    using blocks = mgpu::detail::merge_sort_blocks<
        Tuning, Key, std::conditional_t<std::is_same_v<Value, none>, mgpu::detail::no_value, Value>>;
    constexpr std::size_t most = 227 * 1024;
    return sizeof(typename blocks::template sorter_storage<90>) <= most &&
           sizeof(typename blocks::template merger_storage<90>) <= most;
  }
}

// The result is only there to be a static initialiser.
template <class Key, class Value, class... Tunings>
bool register_merge_sort_tunings() {
  auto const add = [](auto tuning) {
    using Tuning = decltype(tuning);
    if constexpr (tuning_fits<Key, Value, Tuning>()) {
      candidate_kinds().push_back(
          {"tune_merge_sort", "mgpu", name_of<Key>, name_of<Value>, Tuning::name(), name_of<Value>,
           []() -> std::unique_ptr<candidate> { return std::make_unique<tuned_sort<Key, Value, Tuning>>(); }});
    }
  };
  (add(Tunings{}), ...);
  return true;
}

}  // namespace perf
