// Sample sort on the device, for as many items as the L2 cache holds: two launches, the first of which puts the items
// of each tile into buckets between splitters, which are some of a sorted sample of the keys, and the second of which
// sorts each bucket by one block. It is stable. Samplesort: Frazer, McKellar, JACM 17(3), 1970; on GPUs: Leischner,
// Osipov, Sanders, IPDPS 2010.
#pragma once
#include <mgpu/detail/backend/sample_sort/bucket_kernel.cuh>
#include <mgpu/detail/backend/sample_sort/distribute_kernel.cuh>
#include <mgpu/detail/backend/sample_sort/tuning.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/radix_key.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/double_buffer.h>
#include <mgpu/detail/runtime/kernel_facts.h>
#include <mgpu/detail/runtime/launch.h>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

template <class Key, class Value>
constexpr std::size_t item_bytes = sizeof(Key) + (has_values<Value> ? sizeof(Value) : 0);

// Tells whether a problem of items of at most so many bytes can be sorted so: the output is plain memory, where a bucket
// can be merged. Smaller keys have few digits, and larger items were not measured.
template <class Problem, int max_bytes = 8, class Key = typename Problem::Key, class Value = typename Problem::Value>
constexpr bool can_be_sampled =
    sizeof(Key) >= 4 && item_bytes<Key, Value> <= max_bytes&& std::is_same_v<typename Problem::KeysOut, Key*> &&
    (!has_values<Value> || std::is_same_v<typename Problem::ValuesOut, Value*>);

// Sorts by comp, and returns true, or returns false, having done nothing, where the tuning is not for so many items. A block
// sorts in the way of Order, which is the order of comp. There is at least one item. Input and output may be the same range.
template <class Tuning, class Order, class Problem, class Comp>
bool sample_sort(device_call& call, Problem const& problem, Comp const& comp) {
  using KeysIn = typename Problem::KeysIn;
  using ValuesIn = typename Problem::ValuesIn;
  using Key = typename Problem::Key;
  using Value = typename Problem::Value;
  using Values = column<Value>;
  constexpr bool keeps_order = Order::template shows_order<Key, Value>;
  void (*const distribute_kernel)(KeysIn, ValuesIn, Key*, Values, std::uint16_t*, sample_sort_shares, Comp) =
      sample_sort_distribute_kernel<Tuning, keeps_order, KeysIn, ValuesIn, Values, Comp>;
  void (*const bucket_kernel)(Key*, Values, Key*, Values, std::uint16_t const*, sample_sort_shares, Comp) =
      sample_sort_bucket_kernel<Tuning, Order, Key, Values, Comp>;
  int const arch = detail::compiled_arch(call, bucket_kernel);
  sample_sort_tuning const tuning = Tuning::at(arch);
  if (!tuning.can_sort(problem.num_items)) return false;
  sample_sort_shares const shares(tuning, problem.num_items, detail::num_multiprocessors(call));

  scratch_layout layout;
  std::size_t const keys_piece = layout.add<Key>(problem.num_items);
  [[maybe_unused]] std::size_t values_piece = 0;
  if constexpr (has_values<Value>) values_piece = layout.add<Value>(problem.num_items);
  std::size_t const starts_piece = layout.add<std::uint16_t>(std::int64_t{shares.num_tiles} * shares.num_buckets);
  if (!call.allocate(layout)) return true;
  Key* const keys = call.scratch<Key>(keys_piece);
  Values values{};
  if constexpr (has_values<Value>) values = call.scratch<Value>(values_piece);
  std::uint16_t* const starts = call.scratch<std::uint16_t>(starts_piece);

  using distributor = sample_sort_distributor<Tuning, Key, Value>;
  detail::launch(
      call, {shares.num_tiles, tuning.tile.threads_per_block, storage_bytes<distributor::template storage>(arch)},
      distribute_kernel, problem.keys_in, problem.values_in, keys, values, starts, shares, comp);
  grid_shape shape{shares.num_buckets, tuning.bucket.threads_per_block,
                   storage_bytes<sample_sort_bucket<Tuning, Order, Key, Value>::template storage>(arch)};
  shape.early = arch >= 90;
  detail::launch(call, shape, bucket_kernel, keys, values, problem.keys_out, problem.values_out,
                 static_cast<std::uint16_t const*>(starts), shares, comp);
  return true;
}

}  // namespace mgpu::detail
