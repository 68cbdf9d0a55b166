// mgpu's merges.
#pragma once
#include <harness/mgpu_candidate.h>
#include <merge/candidate.h>
#include <merge/problems.h>
#include <mgpu/merge.h>

namespace perf {

template <class Key, class Value, class Comp>
class mgpu_merge final : public mgpu_candidate<mgpu_merge<Key, Value, Comp>, merge_candidate<Key, Value>> {
 public:
  static constexpr bool possible = true;

  template <class Policy>
  void run(Policy const& policy) const {
    auto const* const a = this->keys(0);
    auto const* const b = this->keys(1);
    auto const* const a_end = a + this->size(0);
    auto const* const b_end = b + this->size(1);
    comp_or_less<Comp> const comp{};
    if constexpr (std::is_same_v<Value, none>) {
      mgpu::merge(policy, a, a_end, b, b_end, this->keys_out(), comp);
    } else {
      mgpu::merge_by_key(policy, a, a_end, b, b_end, this->values(0), this->values(1), this->keys_out(),
                         this->values_out(), comp);
    }
  }
};

template <class Key>
bool register_mgpu() {
  return register_candidates<mgpu_merge, Key>("merge", "mgpu", typename merge_problems<Key>::all{});
}

}  // namespace perf
