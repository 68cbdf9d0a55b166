// mgpu's sorts.
#pragma once
#include <harness/mgpu_candidate.h>
#include <sort/candidate.h>
#include <sort/problems.h>
#include <mgpu/sort.h>

namespace perf {

template <class Key, class Value, class Comp>
class mgpu_sort final : public mgpu_candidate<mgpu_sort<Key, Value, Comp>, sort_candidate<Key, Value>> {
 public:
  static constexpr bool possible = true;

  template <class Policy>
  void run(Policy const& policy) const {
    auto* const first = this->keys();
    auto* const last = first + this->size();
    if constexpr (std::is_same_v<Value, none>) {
      if constexpr (std::is_same_v<Comp, natural>) {
        mgpu::sort(policy, first, last);
      } else {
        mgpu::sort(policy, first, last, Comp{});
      }
    } else {
      if constexpr (std::is_same_v<Comp, natural>) {
        mgpu::sort_by_key(policy, first, last, this->values());
      } else {
        mgpu::sort_by_key(policy, first, last, this->values(), Comp{});
      }
    }
  }
};

template <class Key>
bool register_mgpu() {
  return register_candidates<mgpu_sort, Key>("sort", "mgpu", typename sort_problems<Key>::all{});
}

}  // namespace perf
