// Radix sort of keys with values on the device, by the two highest digits first, stable: one read counts the keys by
// them, the passes of another backend put pairs into buckets, the lower digit first, and a block sorts each bucket. So
// pairs are moved three times, however many digits there are.
#pragma once
#include <mgpu/detail/backend/msd_radix/msd_radix.cuh>
#include <mgpu/detail/backend/msd_radix/pairs_plan_kernel.cuh>
#include <mgpu/detail/backend/msd_radix/pairs_sort_kernel.cuh>
#include <mgpu/detail/backend/msd_radix/pairs_tuning.h>
#include <mgpu/detail/backend/msd_radix/plan_kernel.cuh>
#include <mgpu/detail/backend/msd_radix/state.h>
#include <mgpu/detail/backend/msd_radix/survey_kernel.cuh>
#include <mgpu/detail/backend/msd_radix/tuning.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/radix_digits.h>
#include <mgpu/detail/core/radix_key.h>
#include <mgpu/detail/core/skip.h>
#include <mgpu/detail/core/sort_problem.h>
#include <mgpu/detail/core/tile_shape.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/inner_call.h>
#include <mgpu/detail/runtime/kernel_facts.h>
#include <mgpu/detail/runtime/launch.h>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// Tells whether a problem can be sorted so: the output is plain memory, where buckets are sorted in place, the passes'
// digits have 8 bits, and keys and values have 4 or 8 bytes. Smaller keys take few passes, larger ones were not measured.
template <class Problem>
constexpr bool can_be_partitioned_with_values = false;
template <bool in_place, class KeysIn, class ValuesIn, class Key, class Value>
inline constexpr bool can_be_partitioned_with_values<sort_problem<in_place, KeysIn, ValuesIn, Key*, Value*>> =
    std::is_same_v<iterator_value_t<KeysIn>, Key>&& std::is_same_v<iterator_value_t<ValuesIn>, Value> &&
    (sizeof(Key) == 4 || sizeof(Key) == 8) &&
    (sizeof(Value) == 4 || sizeof(Value) == 8) && radix_traits<Key>::bits > 16 &&
    sizeof(ordered_bits_t<Key>) <= sizeof(Key) && digit_layout(larger(radix_traits<Key>::bits, 1), 8).bits == 8;

// How the kernels of another sort start and end: its passes put pairs into buckets, where the keys are taken, and else
// sort; or, where it was made without a problem, they do all by themselves.
template <class Tuning, bool descending, class Problem>
class msd_pairs_start {
  using KeysIn = typename Problem::KeysIn;
  using Key = typename Problem::Key;
  using Value = typename Problem::Value;
  using Bits = ordered_bits_t<Key>;
  using state_type = msd_radix_state<Bits>;

 public:
  msd_pairs_start() = default;
  msd_pairs_start(device_call const& call, Problem const& problem, msd_radix_digits const& digits,
                  state_type const& state)
      : call_(&call), problem_(&problem), digits_(digits), state_(state) {}

  bool launches_kernels() const { return call_ != nullptr; }

  // Launches the kernels that look at the keys, and plan the passes if these are to be put into buckets. Returns what
  // the kernel that else plans them is told.
  template <class Passes>
  skip_if begin(Key* /*memory*/, void* passes) const {
    if (call_ == nullptr) return {};
    auto const plan_kernel = msd_pairs_plan_kernel<Tuning, Passes, Bits>;
    msd_radix_kernels<Tuning, descending, Problem, true> const kernels(*call_, *problem_, digits_, state_);
    kernels.survey(problem_->num_items);
    kernels.count();
    int const blocks = kernels.plan_blocks();
    detail::launch(*call_,
                   kernels.shape(blocks, blocks, kernels.threads(),
                                 storage_bytes<msd_pairs_planner<Tuning>::template storage>(kernels.arch())),
                   plan_kernel, problem_->num_items, digits_, state_, passes);
    return planned();
  }

  // Returns what says whether the passes are planned.
  skip_if planned() const {
    if (call_ == nullptr) return {};
    return {&state_.found->is_taken};
  }
  never_skip others() const { return {}; }

  // Launches the kernels that sort the buckets. The memory holds what is of no use any more.
  void end(Key* other_keys, Value* other_values) const {
    if (call_ == nullptr) return;
    if constexpr (detail::can_double_buckets<Tuning>(compiled_archs{})) {
      if (digits_.has_doubled_buckets) return sort_buckets<true>(other_keys, other_values);
    }
    sort_buckets<false>(other_keys, other_values);
  }

 private:
  template <bool is_doubled>
  void sort_buckets(Key* other_keys, Value* other_values) const {
    using pairs = pair_range<Key, Value>;
    using of_bucket = msd_pairs_bucket<Tuning, is_doubled, Key, Value>;
    void (*const sort_kernel)(Key*, Value*, msd_radix_digits, state_type) =
        msd_pairs_sort_kernel<Tuning, descending, is_doubled, Key, Value>;
    void (*const uneven_kernel)(pairs, pairs, msd_radix_digits, state_type) =
        msd_pairs_uneven_kernel<Tuning, descending, is_doubled, Key, Value>;
    int const arch = detail::compiled_arch(*call_, sort_kernel);
    tile_shape const bucket = of_bucket::shape(arch);
    detail::launch(
        *call_,
        detail::skippable_shape(*call_, arch, bucket.min_blocks_per_sm, digits_.num_buckets(),
                                bucket.threads_per_block, storage_bytes<of_bucket::template storage>(arch)),
        sort_kernel, problem_->keys_out, problem_->values_out, digits_, state_);
    detail::launch(*call_,
                   detail::skippable_shape(*call_, arch, 1, digits_.num_buckets(), of_bucket::uneven_threads(arch),
                                           storage_bytes<of_bucket::template uneven_storage>(arch)),
                   uneven_kernel, pairs{problem_->keys_out, problem_->values_out}, pairs{other_keys, other_values},
                   digits_, state_);
  }

  device_call const* call_ = nullptr;
  Problem const* problem_ = nullptr;
  msd_radix_digits digits_{};
  state_type state_{};
};

// Returns the tuning that the kernels were compiled with.
template <class Tuning, bool descending, class Problem>
msd_radix_tuning compiled_msd_pairs_tuning(device_call const& call) {
  auto const kernel = msd_radix_histogram_kernel<Tuning, descending, typename Problem::KeysIn, true>;
  return Tuning::at(detail::compiled_arch(call, kernel));
}

// Sorts by passes(call, start), which launches those of another backend, to which the start plans two; where a bucket is
// larger than a block sorts, or is likely to be, they sort by themselves. There is at least one item, and at most as
// many as the tuning's max_items().
template <class Tuning, bool descending, class Problem, class Passes>
void msd_radix_pairs(device_call& call, Problem const& problem, Passes passes) {
  using Bits = ordered_bits_t<typename Problem::Key>;
  using start = msd_pairs_start<Tuning, descending, Problem>;
  msd_radix_digits const digits = detail::digits_of_pairs(
      detail::compiled_msd_pairs_tuning<Tuning, descending, Problem>(call), problem.num_items);
  scratch_layout layout;
  std::size_t const found = layout.add<msd_radix_findings<Bits>>(1);
  std::size_t const counts = layout.add<std::uint32_t>(digits.num_buckets());
  std::size_t const starts = layout.add<std::uint32_t>(digits.num_buckets() + 1);
  std::size_t const bin_places = layout.add<std::uint32_t>(digits.num_bins());
  std::size_t const uneven = layout.add<std::uint32_t>(digits.num_buckets());
  inner_call const by_passes(call, layout, [&](device_call& inner) { passes(inner, start{}); });
  if (!call.allocate(layout)) return;
  msd_radix_state<Bits> state{};
  state.found = call.scratch<msd_radix_findings<Bits>>(found);
  state.counts = call.scratch<std::uint32_t>(counts);
  state.starts = call.scratch<std::uint32_t>(starts);
  state.bin_places = call.scratch<std::uint32_t>(bin_places);
  state.bucket_places = state.starts;  // no kernel advances them
  state.uneven = call.scratch<std::uint32_t>(uneven);
  by_passes.run(call, [&](device_call& inner) { passes(inner, start{call, problem, digits, state}); });
}

}  // namespace mgpu::detail
