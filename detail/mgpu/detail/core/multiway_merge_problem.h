// One value describes a merge of several runs. It goes from the dispatch down to the backend's driver.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/no_values.h>
#include <cstdint>

namespace mgpu::detail {

// Up to max_runs sorted runs are to be merged; of equal keys those of an earlier run come first. Keys and values of run
// r begin at key_begins[r] and value_begins[r] of their memory; runs that are missing have no items. The output
// overlaps none of them.
template <class Key_, class Value_, class KeysOut_, class ValuesOut_>
struct multiway_merge_problem {
  using Key = Key_;
  using Value = Value_;
  using KeysOut = KeysOut_;
  using ValuesOut = ValuesOut_;
  static constexpr int max_runs = 4;

  Key const* keys;
  column<Value> values;
  std::int64_t key_begins[max_runs];
  std::int64_t value_begins[max_runs];
  std::int64_t counts[max_runs];
  KeysOut keys_out;
  ValuesOut values_out;

  std::int64_t num_items() const {
    std::int64_t sum = 0;
    for (std::int64_t const count : counts) sum += count;
    return sum;
  }
};

}  // namespace mgpu::detail
