// Radix sort on the device: in one block where that holds all items, else by sweeps.
#pragma once
#include <mgpu/detail/backend/onesweep/block_kernel.cuh>
#include <mgpu/detail/backend/onesweep/onesweep.cuh>
#include <mgpu/detail/backend/onesweep/tuning.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/host/call.h>
#include <mgpu/detail/host/launch.h>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// As onesweep, for what one block can hold. Needs no scratch.
template <class Tuning, bool descending, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut>
class radix_block_sort {
 public:
  using kernel_type = void (*)(KeysIn, ValuesIn, KeysOut, ValuesOut, int);
  static kernel_type kernel() { return radix_block_kernel<Tuning, descending, KeysIn, ValuesIn, KeysOut, ValuesOut>; }

  radix_block_sort() = default;
  radix_block_sort(device_call const&, scratch_layout&, std::int64_t num_items)
      : num_items_(static_cast<int>(num_items)) {}

  void run(device_call const& call, KeysIn keys_in, ValuesIn values_in, KeysOut keys_out, ValuesOut values_out,
           bool) const {
    using block = radix_block<Tuning, iterator_value_t<KeysIn>, iterator_value_t<ValuesIn>>;
    int const arch = detail::compiled_arch(call, kernel());
    detail::launch(call, {1, Tuning::at(arch).threads_per_block, storage_bytes<block::template storage>(arch)},
                   kernel(), keys_in, values_in, keys_out, values_out, num_items_);
  }

 private:
  int num_items_;
};

// By the tuning, or the one that it names for few items. Planned first, which adds to a scratch layout, then run.
template <class Tuning, bool descending, class... Columns>
class radix_sort {
  static constexpr bool in_one_block = std::is_same_v<std::decay_t<decltype(Tuning::at(0))>, radix_block_tuning>;
  using direct = std::conditional_t<in_one_block, radix_block_sort<Tuning, descending, Columns...>,
                                    onesweep<Tuning, descending, Columns...>>;
  template <class T, bool names_few = has_few<T>>
  struct few_of {
    using type = no_value;
  };
  template <class T>
  struct few_of<T, true> {
    using type = radix_sort<typename T::few, descending, Columns...>;
  };

 public:
  static auto kernel() { return direct::kernel(); }

  radix_sort() = default;
  radix_sort(device_call const& call, scratch_layout& layout, std::int64_t num_items)
      : radix_sort(call, layout, num_items, detail::compiled_arch(call, kernel())) {}

  // Compiled for `arch`, as all its kernels are.
  radix_sort(device_call const& call, scratch_layout& layout, std::int64_t num_items, int arch) {
    if constexpr (has_few<Tuning>) {
      is_few_ = num_items <= Tuning::few_items(arch);
      if (is_few_) few_ = {call, layout, num_items, arch};
    }
    if (!is_few_) direct_ = {call, layout, num_items};
  }

  void run(device_call const& call, Columns... columns, bool in_place) const {
    if constexpr (has_few<Tuning>) {
      if (is_few_) return few_.run(call, columns..., in_place);
    }
    direct_.run(call, columns..., in_place);
  }

 private:
  bool is_few_ = false;
  direct direct_{};  // one of both is planned
  typename few_of<Tuning>::type few_{};
};

// A way to sort, for who does not care which: plans, then runs. By the given tuning, or the usual one.
template <class Tuning, bool descending>
struct radix_sorter {
  bool in_place;

  template <class Key, class Value>
  using tuning = std::conditional_t<
      std::is_void_v<Tuning>,
      onesweep_default_tuning<static_cast<int>(sizeof(Key)), has_values<Value> ? static_cast<int>(sizeof(Value)) : 0>,
      Tuning>;
  template <class KeysIn, class ValuesIn, class KeysOut, class ValuesOut>
  using plan = radix_sort<tuning<iterator_value_t<KeysIn>, iterator_value_t<ValuesIn>>, descending, KeysIn, ValuesIn,
                          KeysOut, ValuesOut>;
  template <class Plan, class... Columns>
  void run(Plan const& plan, device_call const& call, Columns... columns) const {
    plan.run(call, columns..., in_place);
  }
};

}  // namespace mgpu::detail
