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

// Sorts by two launches: one counts the keys of each value, one writes the keys. There is at least one key, and there
// are no values.
template <class Tuning, bool descending, class Problem>
void counting_sort(device_call& call, Problem const& problem) {
  using KeysIn = typename Problem::KeysIn;
  using KeysOut = typename Problem::KeysOut;
  using Key = typename Problem::Key;
  constexpr int bits = radix_traits<Key>::bits;
  using state_type = counting_sort_state<bits>;
  using counters = counting_sort_counters<Tuning, bits>;
  void (*const count_kernel)(KeysIn, std::int64_t, void*) = counting_sort_count_kernel<Tuning, descending, KeysIn>;
  void (*const write_kernel)(KeysOut, std::int64_t, void const*) =
      counting_sort_write_kernel<Tuning, descending, Key, KeysOut>;

  scratch_layout layout;
  std::size_t const state_words = layout.add<std::uint64_t>(sizeof(state_type) / sizeof(std::uint64_t));
  if (!call.allocate(layout)) return;
  auto* const state = call.scratch<std::uint64_t>(state_words);
  clear(call, state, 1 + state_type::num_values);

  int const arch = detail::compiled_arch(call, count_kernel);
  counting_sort_tuning const tuning = Tuning::at(arch);
  std::int64_t const sms = num_multiprocessors(call);
  int const parts = larger(1, state_type::num_values / tuning.max_counters);
  std::int64_t const shares =
      smaller(larger<std::int64_t>(1, sms * tuning.count_blocks_per_sm / parts),
              divide_up<std::int64_t>(problem.num_items, 16 * tuning.count_threads_per_block));
  detail::launch(call,
                 {shares * parts, tuning.count_threads_per_block, storage_bytes<counters::template storage>(arch)},
                 count_kernel, problem.keys_in, problem.num_items, state);
  std::int64_t const write_tiles = divide_up<std::int64_t>(problem.num_items, tuning.write_tile_items());
  detail::launch(call,
                 {smaller(sms * tuning.write_blocks_per_sm, write_tiles), tuning.write_threads_per_block,
                  sizeof(counted_values)},
                 write_kernel, problem.keys_out, problem.num_items, state);
}

}  // namespace mgpu::detail
