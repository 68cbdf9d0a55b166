// Radix sort on the device by the most significant digits first, for keys that are made anew from their bits, without
// values: one read counts the keys by their highest digits, one or two partitions put them into buckets, and a block
// sorts each bucket. Hybrid radix sort: Stehle, Jacobsen, SIGMOD 2017.
#pragma once
#include <mgpu/detail/backend/msd_radix/partition_kernel.cuh>
#include <mgpu/detail/backend/msd_radix/plan_kernel.cuh>
#include <mgpu/detail/backend/msd_radix/quantiles.cuh>
#include <mgpu/detail/backend/msd_radix/quantiles_kernel.cuh>
#include <mgpu/detail/backend/msd_radix/sort_kernel.cuh>
#include <mgpu/detail/backend/msd_radix/state.h>
#include <mgpu/detail/backend/msd_radix/survey_kernel.cuh>
#include <mgpu/detail/backend/msd_radix/tuning.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/bare_key.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/radix_key.h>
#include <mgpu/detail/core/skip.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/inner_call.h>
#include <mgpu/detail/runtime/kernel_facts.h>
#include <mgpu/detail/runtime/launch.h>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// Tells whether a problem can be sorted so: the order of equal keys does not show, and the output is plain memory, where
// buckets are sorted in place. Smaller keys have few values, and larger ones were not measured.
template <class Problem>
constexpr bool can_be_partitioned =
    (sizeof(typename Problem::Key) == 4 || sizeof(typename Problem::Key) == 8) &&
    is_bare_key<typename Problem::Key> &&
    !has_values<typename Problem::Value> && std::is_same_v<typename Problem::KeysOut, typename Problem::Key*>;

// Returns the tuning that the kernels were compiled with.
template <class Tuning, bool descending, class Problem>
msd_radix_tuning compiled_msd_radix_tuning(device_call const& call) {
  auto const kernel = msd_radix_histogram_kernel<Tuning, descending, typename Problem::KeysIn>;
  return Tuning::at(detail::compiled_arch(call, kernel));
}

// Returns how the keys are looked at, in so many rows.
inline msd_radix_survey survey_of(msd_radix_tuning const& tuning, msd_radix_digits const& digits,
                                  std::int64_t num_items) {
  int const bits = smaller(digits.bits(), msd_radix_survey::max_group_bits);
  int const keys_of_bucket = tuning.bucket_shape(digits.has_doubled_buckets).tile_items();
  double const keys_of_group = 1.0 * keys_of_bucket * (1 << (digits.bits() - bits));
  double const looked_at = 1.0 * tuning.histogram_threads_per_block * msd_radix_survey::rows_per_warp;
  double const expected = looked_at * keys_of_group / static_cast<double>(num_items);
  // Few groups of evenly spread keys get more than five standard deviations above what is expected. Where each key
  // comes so many times, this is how many pairs of keys looked at are equal.
  constexpr double many_times = 24;
  double const alike = looked_at * looked_at / 2 * many_times / static_cast<double>(num_items);
  return {bits, static_cast<std::uint32_t>(expected + 5 * std::sqrt(expected) + 8),
          static_cast<std::uint32_t>(alike)};
}

// Returns the shape of a launch that may find nothing to do: so that it ends soon then, it has at most as many blocks as
// run at a time, most_blocks on a multiprocessor. It starts early, after the kernel before it.
inline grid_shape skippable_shape(device_call const& call, int arch, std::int64_t most_blocks, std::int64_t blocks,
                                  int threads_per_block, std::size_t bytes) {
  grid_shape shape{smaller(num_multiprocessors(call) * most_blocks, blocks), threads_per_block, bytes};
  shape.early = arch >= 90;
  return shape;
}

// Launches the kernels, one function for each. They sort unless a bucket is larger than a block sorts, or is likely to be.
// A sort of keys with values has only the first two: counts_digits is as for msd_radix_histogram_kernel.
template <class Tuning, bool descending, class Problem, bool counts_digits = false>
class msd_radix_kernels {
  using Key = typename Problem::Key;
  using KeysIn = typename Problem::KeysIn;
  using Bits = ordered_bits_t<Key>;
  using state_type = msd_radix_state<Bits>;

 public:
  msd_radix_kernels(device_call const& call, Problem const& problem, msd_radix_digits const& digits,
                    state_type const& state)
      : call_(call), problem_(problem), digits_(digits), state_(state) {}

  // Calls load(kernel) with each that counts, plans, or puts keys into buckets.
  template <class Load>
  static void load(Load load) {
    load(histogram_kernel());
    load(plan_kernel());
    load(bins_kernel());
    load(buckets_kernel());
  }

  // Looks at keys of this problem, which are all of num_items, or some.
  void survey(std::int64_t num_items) const {
    detail::launch(
        call_, {plan_blocks(), threads(), storage_bytes<msd_radix_surveyor<Tuning, Bits>::template storage>(arch_)},
        msd_radix_survey_kernel<Tuning, descending, KeysIn>, problem_.keys_in, problem_.num_items, digits_,
        detail::survey_of(tuning_, digits_, num_items), state_);
  }
  void count() const {
    detail::launch(call_,
                   shape(1, divide_up<std::int64_t>(problem_.num_items, 16 * threads()), threads(),
                         storage_bytes<msd_radix_histogram<Tuning>::template storage>(arch_)),
                   histogram_kernel(), problem_.keys_in, problem_.num_items, digits_, state_);
  }

  void fill_quantiles() const {
    if constexpr (detail::can_have_quantiles<Tuning>(compiled_archs{})) {
      if (!tuning_.has_quantiles()) return;
      using counter = msd_radix_cell_counter<Tuning>;
      auto const kernel = msd_radix_quantiles_kernel<Tuning, descending, KeysIn>;
      std::int64_t const blocks = divide_up<std::int64_t>(problem_.num_items, 8 * counter::rows_per_warp * threads());
      detail::launch(call_,
                     shape(1, smaller<std::int64_t>(counter::max_blocks, blocks), threads(),
                           storage_bytes<counter::template storage>(arch_)),
                     kernel, problem_.keys_in, problem_.num_items, detail::quantile_bits(digits_), state_);
    }
  }
  // Does nothing where the kernel that counts has a thread for each bucket, and plans, too.
  void plan() const {
    int const blocks = plan_blocks();
    if (blocks == 1) return;
    detail::launch(
        call_, shape(blocks, blocks, threads(), storage_bytes<msd_radix_planner<Tuning>::template storage>(arch_)),
        plan_kernel(), problem_.num_items, digits_, state_);
  }
  // `binned` has room for all keys.
  void put_into_bins(Bits* binned) const {
    using partition = msd_radix_partition<Tuning, Bits, true>;
    detail::launch(call_,
                   shape(tuning_.first.min_blocks_per_sm,
                         divide_up<std::int64_t>(problem_.num_items, tuning_.first.tile_items()),
                         tuning_.first.threads_per_block, storage_bytes<partition::template storage>(arch_)),
                   bins_kernel(), problem_.keys_in, binned, problem_.num_items, digits_, state_);
  }
  // The keys of these bins go to where they would lie if the buckets of all bins began at `to`.
  void put_into_buckets(Bits const* binned, Bits* to, msd_radix_bins const& bins) const {
    using partition = msd_radix_partition<Tuning, Bits, false>;
    detail::launch(
        call_,
        shape(tuning_.second.min_blocks_per_sm,
              divide_up<std::int64_t>(problem_.num_items, tuning_.second.tile_items()) + digits_.num_bins(),
              tuning_.second.threads_per_block, storage_bytes<partition::template storage>(arch_)),
        buckets_kernel(), binned, to, digits_, state_, bins);
  }
  // Returns where the keys lie in buckets then.
  Bits* partition(Bits* binned) const {
    put_into_bins(binned);
    if (digits_.second_bits == 0) return binned;
    Bits* const in_buckets = this->in_buckets();
    put_into_buckets(binned, in_buckets, {0, digits_.num_bins(), &state_.found->second_ticket});
    return in_buckets;
  }
  // Returns the memory of the output, where keys lie in buckets if there are two digits.
  Bits* in_buckets() const {
    static_assert(sizeof(Bits) == sizeof(Key));
    return reinterpret_cast<Bits*>(problem_.keys_out);
  }
  void sort(Bits const* in_buckets) const {
    if constexpr (detail::can_double_buckets<Tuning>(compiled_archs{})) {
      if (digits_.has_doubled_buckets) return sort_buckets<true>(in_buckets);
    }
    sort_buckets<false>(in_buckets);
  }

  int arch() const { return arch_; }
  int threads() const { return tuning_.histogram_threads_per_block; }
  int plan_blocks() const { return divide_up(digits_.num_buckets(), threads()); }
  grid_shape shape(std::int64_t most_blocks, std::int64_t blocks, int threads_per_block, std::size_t bytes) const {
    return detail::skippable_shape(call_, arch_, most_blocks, blocks, threads_per_block, bytes);
  }

 private:
  static auto histogram_kernel() { return msd_radix_histogram_kernel<Tuning, descending, KeysIn, counts_digits>; }
  static auto plan_kernel() { return msd_radix_plan_kernel<Tuning, Bits>; }
  static auto bins_kernel() { return msd_radix_bins_kernel<Tuning, descending, KeysIn, Bits>; }
  static auto buckets_kernel() { return msd_radix_buckets_kernel<Tuning, Bits>; }
  template <bool is_doubled>
  void sort_buckets(Bits const* in_buckets) const {
    using bucket = msd_radix_bucket<Tuning, is_doubled, Bits>;
    auto const kernel = msd_radix_sort_kernel<Tuning, descending, is_doubled, Key>;
    detail::launch(call_,
                   shape(bucket::shape(arch_).min_blocks_per_sm, digits_.num_buckets(),
                         bucket::shape(arch_).threads_per_block, storage_bytes<bucket::template storage>(arch_)),
                   kernel, in_buckets, problem_.keys_out, digits_, state_);
  }

  device_call const& call_;
  Problem const& problem_;
  msd_radix_digits digits_;
  state_type state_;
  int arch_ = detail::compiled_arch(call_, histogram_kernel());
  msd_radix_tuning tuning_ = Tuning::at(arch_);
};

// The scratch memory of these kernels, as pieces of a layout.
template <class Bits>
class msd_radix_scratch {
 public:
  msd_radix_scratch(scratch_layout& layout, msd_radix_tuning const& tuning, msd_radix_digits const& digits)
      : has_quantiles_(tuning.has_quantiles()),
        found_(layout.add<msd_radix_findings<Bits>>(1)),
        counts_(layout.add<std::uint32_t>(digits.num_buckets())),
        starts_(layout.add<std::uint32_t>(digits.num_buckets() + 1)),
        bin_places_(layout.add<std::uint32_t>(digits.num_bins())),
        bucket_places_(layout.add<std::uint32_t>(digits.num_buckets())),
        uneven_(layout.add<std::uint32_t>(digits.num_buckets())),
        tiles_before_(layout.add<std::uint32_t>(digits.num_bins() + 1)) {
    if (!has_quantiles_) return;
    quantile_table const table(tuning);
    segments_ = layout.add<std::uint32_t>(table.num_segments);
    cells_ = layout.add<std::uint32_t>(table.max_cells);
    lowest_of_bucket_ = layout.add<Bits>(digits.num_buckets() + 1);
  }

  // Returns the pieces, once the call has its memory.
  msd_radix_state<Bits> state(device_call const& call) const {
    msd_radix_state<Bits> state{};
    state.found = call.scratch<msd_radix_findings<Bits>>(found_);
    state.counts = call.scratch<std::uint32_t>(counts_);
    state.starts = call.scratch<std::uint32_t>(starts_);
    state.bin_places = call.scratch<std::uint32_t>(bin_places_);
    state.bucket_places = call.scratch<std::uint32_t>(bucket_places_);
    state.uneven = call.scratch<std::uint32_t>(uneven_);
    state.tiles_before = call.scratch<std::uint32_t>(tiles_before_);
    if (has_quantiles_) {
      state.segments = call.scratch<std::uint32_t>(segments_);
      state.cells = call.scratch<std::uint32_t>(cells_);
      state.lowest_of_bucket = call.scratch<Bits>(lowest_of_bucket_);
    }
    return state;
  }

 private:
  bool has_quantiles_;
  std::size_t found_, counts_, starts_, bin_places_, bucket_places_, uneven_, tiles_before_;
  std::size_t segments_ = 0, cells_ = 0, lowest_of_bucket_ = 0;
};

// How the kernels of another sort start: after this backend's, the first of them finishing what these left over; or,
// where it was made without a problem, by themselves.
template <class Tuning, bool descending, class Problem>
class msd_radix_start {
  using Key = typename Problem::Key;
  using Bits = ordered_bits_t<Key>;

 public:
  msd_radix_start() = default;
  msd_radix_start(device_call const& call, Problem const& problem, msd_radix_state<Bits> const& state)
      : call_(&call), problem_(&problem), state_(state) {}

  bool launches_kernels() const { return call_ != nullptr; }
  // Launches the kernels, and returns what the next one is told. The memory has room for all keys.
  template <class Passes>
  msd_radix_finish<Tuning, descending, Key> begin(Key* memory, void* /*passes*/) const {
    if (call_ == nullptr) return {};
    msd_radix_kernels<Tuning, descending, Problem> const kernels(
        *call_, *problem_,
        msd_radix_digits(detail::compiled_msd_radix_tuning<Tuning, descending, Problem>(*call_), problem_->num_items),
        state_);
    kernels.survey(problem_->num_items);
    kernels.fill_quantiles();
    kernels.count();
    kernels.plan();
    Bits* const bits = kernels.partition(reinterpret_cast<Bits*>(memory));
    kernels.sort(bits);
    return {others(), bits, problem_->keys_out, state_};
  }
  // Returns what those after it are told.
  skip_if others() const {
    if (call_ == nullptr) return {};
    return {&state_.found->is_taken, &state_.found->num_uneven};
  }
  void end(Key* /*keys*/, no_values /*values*/) const {}

 private:
  device_call const* call_ = nullptr;
  Problem const* problem_ = nullptr;
  msd_radix_state<Bits> state_{};
};

// Sorts by four to six launches. Where a bucket is larger than a block sorts, or is likely to be, these find that out on
// the device and move nothing, and otherwise(call, start) sorts instead, whose launches come after them; where the keys
// are sorted, the first of those finishes what is left over, and the others do nothing. There is at least one key, and
// at most as many as the tuning's max_items().
template <class Tuning, bool descending, class Problem, class Otherwise>
void msd_radix(device_call& call, Problem const& problem, Otherwise otherwise) {
  using Bits = ordered_bits_t<typename Problem::Key>;
  using start = msd_radix_start<Tuning, descending, Problem>;
  msd_radix_tuning const tuning = detail::compiled_msd_radix_tuning<Tuning, descending, Problem>(call);
  msd_radix_digits const digits(tuning, problem.num_items);
  scratch_layout layout;
  msd_radix_scratch<Bits> const scratch(layout, tuning, digits);
  inner_call const other_way(call, layout, [&](device_call& inner) { otherwise(inner, start{}); });
  if (!call.allocate(layout)) return;
  msd_radix_state<Bits> const state = scratch.state(call);
  other_way.run(call, [&](device_call& inner) { otherwise(inner, start{call, problem, state}); });
}

}  // namespace mgpu::detail
