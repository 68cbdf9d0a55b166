// Radix sort on the device by the most significant digits first, for keys that are made anew from their bits, without
// values: one read counts the keys by their highest digits, two partitions put them into buckets, and a block sorts
// each bucket. Hybrid radix sort: Stehle, Jacobsen, SIGMOD 2017.
#pragma once
#include <mgpu/detail/backend/msd_radix/msd_radix_kernel.cuh>
#include <mgpu/detail/backend/msd_radix/state.h>
#include <mgpu/detail/backend/msd_radix/tuning.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/radix_key.h>
#include <mgpu/detail/core/skip.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/clear.h>
#include <mgpu/detail/runtime/inner_call.h>
#include <mgpu/detail/runtime/kernel_facts.h>
#include <mgpu/detail/runtime/launch.h>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// Tells whether a problem can be sorted so: equal keys are the same bits, so their order does not show, and the output
// is plain memory, where buckets are sorted in place.
template <class Problem>
constexpr bool can_be_partitioned = has_key_of_bits<typename Problem::Key> && !has_values<typename Problem::Value> &&
                                    std::is_same_v<typename Problem::KeysOut, typename Problem::Key*>;

// Sorts by four launches. Where a bucket is larger than a block sorts, these find that out on the device and move
// nothing, and otherwise(call, skip) sorts instead, by launches which do nothing if `skip` says so. Its scratch memory
// is also that of the partitions, as only one of the two ways uses it. There is at least one key.
template <class Tuning, bool descending, class Problem, class Otherwise>
void msd_radix(device_call& call, Problem const& problem, Otherwise otherwise) {
  using Key = typename Problem::Key;
  using KeysIn = typename Problem::KeysIn;
  using memory = msd_radix_memory<Tuning>;
  using first = msd_radix_partition<Tuning, Key, true>;
  using second = msd_radix_partition<Tuning, Key, false>;
  void (*const histogram_kernel)(KeysIn, std::int64_t, void*) =
      msd_radix_histogram_kernel<Tuning, descending, KeysIn>;
  void (*const first_kernel)(KeysIn, Key*, std::int64_t, void*) =
      msd_radix_partition_kernel<Tuning, true, descending, KeysIn, Key>;
  void (*const second_kernel)(Key const*, Key*, std::int64_t, void*) =
      msd_radix_partition_kernel<Tuning, false, descending, Key const*, Key>;
  void (*const bucket_kernel)(Key*, std::int64_t, void const*) = msd_radix_bucket_kernel<Tuning, descending, Key>;
  int const arch = detail::compiled_arch(call, histogram_kernel);
  msd_radix_tuning const tuning = Tuning::at(arch);

  scratch_layout layout;
  std::size_t const state_words = layout.add<std::uint64_t>(
      static_cast<std::int64_t>(storage_bytes<memory::template state>(arch) / sizeof(std::uint64_t)));
  inner_call const other_way(
      call, layout, [&](device_call& inner) { otherwise(inner, skip_if{nullptr}); },
      static_cast<std::size_t>(problem.num_items) * sizeof(Key));
  if (!call.allocate(layout)) return;
  auto* const state = call.scratch<std::uint64_t>(state_words);
  Key* const binned = other_way.memory<Key>(call);
  clear(call, state, msd_radix_flags + tuning.num_buckets());

  std::int64_t const sms = num_multiprocessors(call);
  std::int64_t const shares = divide_up<std::int64_t>(problem.num_items, 16 * tuning.histogram_threads_per_block);
  detail::launch(call,
                 {smaller(sms, shares), tuning.histogram_threads_per_block,
                  storage_bytes<msd_radix_histogram<Tuning>::template storage>(arch)},
                 histogram_kernel, problem.keys_in, problem.num_items, state);
  detail::launch(call,
                 {divide_up<std::int64_t>(problem.num_items, tuning.first.tile_items()),
                  tuning.first.threads_per_block, storage_bytes<first::template storage>(arch)},
                 first_kernel, problem.keys_in, binned, problem.num_items, state);
  std::int64_t const most_tiles =
      divide_up<std::int64_t>(problem.num_items, tuning.second.tile_items()) + (1 << tuning.first_digit_bits);
  detail::launch(call, {most_tiles, tuning.second.threads_per_block, storage_bytes<second::template storage>(arch)},
                 second_kernel, static_cast<Key const*>(binned), problem.keys_out, problem.num_items, state);
  detail::launch(call,
                 {tuning.num_buckets(), tuning.bucket.threads_per_block,
                  storage_bytes<msd_radix_bucket<Tuning, Key>::template storage>(arch)},
                 bucket_kernel, problem.keys_out, problem.num_items, state);
  std::uint64_t const* const is_taken = state;  // its first word
  other_way.run(call, [&](device_call& inner) { otherwise(inner, skip_if{is_taken}); });
}

}  // namespace mgpu::detail
