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
  using KeysIn = typename Problem::KeysIn;
  using Bits = ordered_bits_t<typename Problem::Key>;
  void (*const kernel)(KeysIn, std::int64_t, msd_radix_digits, msd_radix_state<Bits>) =
      msd_radix_histogram_kernel<Tuning, descending, KeysIn>;
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

// Launches the kernels, which sort unless a bucket is larger than a block sorts, or is likely to be. Returns where they
// leave the keys in buckets. `binned` has room for all keys.
template <class Tuning, bool descending, class Problem, class Bits>
Bits* launch_msd_radix(device_call const& call, Problem const& problem, msd_radix_state<Bits> const& state,
                       Bits* binned) {
  using Key = typename Problem::Key;
  using KeysIn = typename Problem::KeysIn;
  using state_type = msd_radix_state<Bits>;
  using first = msd_radix_partition<Tuning, Bits, true>;
  using second = msd_radix_partition<Tuning, Bits, false>;
  static_assert(sizeof(Bits) == sizeof(Key), "buckets are in the memory of the output");
  void (*const survey_kernel)(KeysIn, std::int64_t, msd_radix_digits, msd_radix_survey, state_type) =
      msd_radix_survey_kernel<Tuning, descending, KeysIn>;
  void (*const histogram_kernel)(KeysIn, std::int64_t, msd_radix_digits, state_type) =
      msd_radix_histogram_kernel<Tuning, descending, KeysIn>;
  void (*const plan_kernel)(std::int64_t, msd_radix_digits, state_type) = msd_radix_plan_kernel<Tuning, Bits>;
  void (*const bins_kernel)(KeysIn, Bits*, std::int64_t, msd_radix_digits, state_type) =
      msd_radix_bins_kernel<Tuning, descending, KeysIn, Bits>;
  void (*const buckets_kernel)(Bits const*, Bits*, msd_radix_digits, state_type) =
      msd_radix_buckets_kernel<Tuning, Bits>;
  int const arch = detail::compiled_arch(call, histogram_kernel);
  msd_radix_tuning const tuning = Tuning::at(arch);
  msd_radix_digits const digits(tuning, problem.num_items);

  auto const shape = [&](std::int64_t most_blocks, std::int64_t blocks, int threads_per_block, std::size_t bytes) {
    return detail::skippable_shape(call, arch, most_blocks, blocks, threads_per_block, bytes);
  };
  int const threads = tuning.histogram_threads_per_block;
  int const plan_blocks = divide_up(digits.num_buckets(), threads);
  detail::launch(call,
                 {plan_blocks, threads, storage_bytes<msd_radix_surveyor<Tuning, Bits>::template storage>(arch)},
                 survey_kernel, problem.keys_in, problem.num_items, digits,
                 detail::survey_of(tuning, digits, problem.num_items), state);
  if constexpr (detail::can_have_quantiles<Tuning>(compiled_archs{})) {
    if (tuning.has_quantiles()) {
      using counter = msd_radix_cell_counter<Tuning>;
      void (*const quantiles_kernel)(KeysIn, std::int64_t, int, state_type) =
          msd_radix_quantiles_kernel<Tuning, descending, KeysIn>;
      std::int64_t const blocks = divide_up<std::int64_t>(problem.num_items, 8 * counter::rows_per_warp * threads);
      detail::launch(call,
                     shape(1, smaller<std::int64_t>(counter::max_blocks, blocks), threads,
                           storage_bytes<counter::template storage>(arch)),
                     quantiles_kernel, problem.keys_in, problem.num_items, detail::quantile_bits(digits), state);
    }
  }
  detail::launch(call,
                 shape(1, divide_up<std::int64_t>(problem.num_items, 16 * threads), threads,
                       storage_bytes<msd_radix_histogram<Tuning>::template storage>(arch)),
                 histogram_kernel, problem.keys_in, problem.num_items, digits, state);
  if (plan_blocks > 1) {
    detail::launch(
        call,
        shape(plan_blocks, plan_blocks, threads, storage_bytes<msd_radix_planner<Tuning>::template storage>(arch)),
        plan_kernel, problem.num_items, digits, state);
  }
  detail::launch(
      call,
      shape(tuning.first.min_blocks_per_sm, divide_up<std::int64_t>(problem.num_items, tuning.first.tile_items()),
            tuning.first.threads_per_block, storage_bytes<first::template storage>(arch)),
      bins_kernel, problem.keys_in, binned, problem.num_items, digits, state);
  Bits* in_buckets = binned;
  if (digits.second_bits > 0) {
    in_buckets = reinterpret_cast<Bits*>(problem.keys_out);
    detail::launch(call,
                   shape(tuning.second.min_blocks_per_sm,
                         divide_up<std::int64_t>(problem.num_items, tuning.second.tile_items()) + digits.num_bins(),
                         tuning.second.threads_per_block, storage_bytes<second::template storage>(arch)),
                   buckets_kernel, static_cast<Bits const*>(binned), in_buckets, digits, state);
  }
  auto const sort_buckets = [&](auto is_doubled) {
    using bucket = msd_radix_bucket<Tuning, decltype(is_doubled)::value, Bits>;
    void (*const sort_kernel)(Bits const*, Key*, msd_radix_digits, state_type) =
        msd_radix_sort_kernel<Tuning, descending, decltype(is_doubled)::value, Key>;
    detail::launch(call,
                   shape(bucket::shape(arch).min_blocks_per_sm, digits.num_buckets(),
                         bucket::shape(arch).threads_per_block, storage_bytes<bucket::template storage>(arch)),
                   sort_kernel, static_cast<Bits const*>(in_buckets), problem.keys_out, digits, state);
    return in_buckets;
  };
  if constexpr (detail::can_double_buckets<Tuning>(compiled_archs{})) {
    if (digits.has_doubled_buckets) return sort_buckets(std::true_type{});
  }
  return sort_buckets(std::false_type{});
}

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
    Bits* const bits =
        detail::launch_msd_radix<Tuning, descending>(*call_, *problem_, state_, reinterpret_cast<Bits*>(memory));
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
  std::size_t const found = layout.add<msd_radix_findings<Bits>>(1);
  std::size_t const counts = layout.add<std::uint32_t>(digits.num_buckets());
  std::size_t const starts = layout.add<std::uint32_t>(digits.num_buckets() + 1);
  std::size_t const bin_places = layout.add<std::uint32_t>(digits.num_bins());
  std::size_t const bucket_places = layout.add<std::uint32_t>(digits.num_buckets());
  std::size_t const uneven = layout.add<std::uint32_t>(digits.num_buckets());
  std::size_t const tiles_before = layout.add<std::uint32_t>(digits.num_bins() + 1);
  std::size_t segments = 0, cells = 0, lowest_of_bucket = 0;
  if (tuning.has_quantiles()) {
    quantile_table const table(tuning);
    segments = layout.add<std::uint32_t>(table.num_segments);
    cells = layout.add<std::uint32_t>(table.max_cells);
    lowest_of_bucket = layout.add<Bits>(digits.num_buckets() + 1);
  }
  inner_call const other_way(call, layout, [&](device_call& inner) { otherwise(inner, start{}); });
  if (!call.allocate(layout)) return;
  msd_radix_state<Bits> state{};
  state.found = call.scratch<msd_radix_findings<Bits>>(found);
  state.counts = call.scratch<std::uint32_t>(counts);
  state.starts = call.scratch<std::uint32_t>(starts);
  state.bin_places = call.scratch<std::uint32_t>(bin_places);
  state.bucket_places = call.scratch<std::uint32_t>(bucket_places);
  state.uneven = call.scratch<std::uint32_t>(uneven);
  state.tiles_before = call.scratch<std::uint32_t>(tiles_before);
  if (tuning.has_quantiles()) {
    state.segments = call.scratch<std::uint32_t>(segments);
    state.cells = call.scratch<std::uint32_t>(cells);
    state.lowest_of_bucket = call.scratch<Bits>(lowest_of_bucket);
  }
  other_way.run(call, [&](device_call& inner) { otherwise(inner, start{call, problem, state}); });
}

}  // namespace mgpu::detail
