// Counting sort on the device, for integer keys of few bits without values: it reads and writes each key once.
#pragma once
#include <mgpu/detail/backend/counting_sort/counting_sort_kernel.cuh>
#include <mgpu/detail/backend/counting_sort/tuning.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/radix_key.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/clear.h>
#include <mgpu/detail/runtime/kernel_facts.h>
#include <mgpu/detail/runtime/launch.h>
#include <cstdint>

namespace mgpu::detail {

// Says whether keys can be counted: they are made anew from their bits, and there is a counter for each value.
template <class Key>
constexpr bool can_be_counted = has_key_of_bits<Key>&& radix_traits<Key>::bits <= 16;

// Counts the keys of each value to the state, which it clears first.
template <class Tuning, bool descending, class Keys, int bits>
void count_keys(device_call& call, Keys keys, std::int64_t num_items, counting_sort_state<bits>* state) {
  auto const count = counting_sort_count_kernel<Tuning, descending, Keys>;
  clear(call, reinterpret_cast<std::uint64_t*>(state), 1 + state->num_values);
  if (num_items == 0) return;
  int const arch = detail::compiled_arch(call, count);
  std::size_t const shared_bytes = storage_bytes<counting_sort_counters<Tuning, bits>::template storage>(arch);
  counting_sort_tuning const tuning = Tuning::at(arch);
  int const parts = larger(1, state->num_values / tuning.max_counters);
  std::int64_t const most_shares = num_multiprocessors(call) * tuning.count_blocks_per_sm / parts;
  std::int64_t const shares = smaller(larger<std::int64_t>(1, most_shares),
                                      divide_up<std::int64_t>(num_items, 16 * tuning.count_threads_per_block));
  detail::launch(call, {shares * parts, tuning.count_threads_per_block, shared_bytes}, count, keys, num_items, state);
}

// Writes the keys that the state's starts tell of. There is at least one.
template <class Tuning, bool descending, class Key, class Keys, int bits>
void write_counted_keys(device_call& call, Keys keys, std::int64_t num_items, counting_sort_state<bits>* state) {
  auto const write = counting_sort_write_kernel<Tuning, descending, Key, Keys>;
  counting_sort_tuning const tuning = Tuning::at(detail::compiled_arch(call, write));
  std::int64_t const tiles = divide_up<std::int64_t>(num_items, tuning.write_tile_items());
  std::int64_t const blocks = smaller<std::int64_t>(num_multiprocessors(call) * tuning.write_blocks_per_sm, tiles);
  detail::launch(call, {blocks, tuning.write_threads_per_block, sizeof(counted_values)}, write, keys, num_items,
                 state);
}

// Sorts by two launches: one counts the keys of each value, one writes the keys. There is at least one key, and there
// are no values.
template <class Tuning, bool descending, class Problem>
void counting_sort(device_call& call, Problem const& problem) {
  using Key = typename Problem::Key;
  using state_type = counting_sort_state<radix_traits<Key>::bits>;
  scratch_layout layout;
  std::size_t const state_piece = layout.add<state_type>(1);
  if (!call.allocate(layout)) return;
  auto* const state = call.scratch<state_type>(state_piece);
  detail::count_keys<Tuning, descending>(call, problem.keys_in, problem.num_items, state);
  detail::write_counted_keys<Tuning, descending, Key>(call, problem.keys_out, problem.num_items, state);
}

}  // namespace mgpu::detail
