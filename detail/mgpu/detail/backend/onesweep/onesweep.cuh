// Radix sort on the device: one read counts all digits, then one sweep per digit moves the items, the least
// significant digit first; it is stable. OneSweep: Adinets, Merrill, arXiv:2206.01784.
#pragma once
#include <mgpu/detail/backend/onesweep/histogram_kernel.cuh>
#include <mgpu/detail/backend/onesweep/onesweep_kernel.cuh>
#include <mgpu/detail/backend/onesweep/plan.h>
#include <mgpu/detail/backend/onesweep/portion.h>
#include <mgpu/detail/backend/onesweep/sort_column.h>
#include <mgpu/detail/backend/onesweep/storage.cuh>
#include <mgpu/detail/backend/onesweep/tuning.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/radix_digits.h>
#include <mgpu/detail/core/radix_traits.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/clear.h>
#include <mgpu/detail/runtime/double_buffer.h>
#include <mgpu/detail/runtime/keep_cache.h>
#include <mgpu/detail/runtime/kernel_facts.h>
#include <mgpu/detail/runtime/launch.h>
#include <mgpu/detail/runtime/start.h>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace mgpu::detail {

// Returns a column with its double buffer, which lies in the call's scratch memory.
template <class T, class In, class Out>
sort_column<In, Out> column_of(device_call const& call, double_buffer<T, Out> const& buffer, In in, Out out) {
  if constexpr (!has_values<T>) {
    return {in, out, nullptr, nullptr};
  } else {
    return {in, out, buffer.primary(call, out), buffer.alternate(call)};
  }
}

// These parts of a sort depend on its tuning; Passes has the state of the passes.
template <class Passes, class HistogramKernel, class PassKernel>
struct onesweep_kernels {
  using passes = Passes;
  HistogramKernel histogram;
  PassKernel pass;
  int arch;
  onesweep_tuning tuning;
  std::size_t histogram_bytes;  // of a block's shared memory
  std::size_t pass_bytes;
  std::size_t state_bytes;
};

// Sorts by these kernels. It is compiled once for all tunings.
template <class Problem, class Start, class Kernels>
MGPU_NOINLINE void onesweep_by(device_call& call, Problem const& problem, Start const& start,
                               Kernels const& kernels) {
  using Key = typename Problem::Key;
  using Value = typename Problem::Value;
  using keys_column = sort_column<typename Problem::KeysIn, typename Problem::KeysOut>;
  using values_column = sort_column<typename Problem::ValuesIn, typename Problem::ValuesOut>;
  using keys_buffer = double_buffer<Key, typename Problem::KeysOut>;
  using values_buffer = double_buffer<Value, typename Problem::ValuesOut>;
  onesweep_tuning const& tuning = kernels.tuning;
  digit_layout const digits(radix_traits<Key>::bits, tuning.max_digit_bits);
  onesweep_portion const first = detail::portion_of(tuning, problem.num_items, 0, 0);

  // All memory that has to be zero lies side by side, so that it is cleared in one go.
  auto const state_words = static_cast<std::int64_t>(kernels.state_bytes / sizeof(std::uint64_t));
  std::int64_t const num_tickets = std::int64_t{digits.count} * first.portions;
  std::int64_t const count_words = divide_up<std::int64_t>(std::int64_t{first.most_tiles} * digits.num_bins(), 2);
  scratch_layout layout;
  std::size_t const words = layout.add<std::uint64_t>(state_words + num_tickets + 2 * count_words);
  keys_buffer of_keys;
  of_keys.plan(layout, problem.num_items, digits.count);
  values_buffer of_values;
  of_values.plan(layout, problem.num_items, digits.count);
  if (!call.allocate(layout)) return;
  auto* const state = call.scratch<std::uint64_t>(words);
  std::uint64_t* const tickets = state + state_words;
  std::uint64_t* const counts = tickets + num_tickets;
  clear(call, state, state_words + num_tickets + count_words);
  auto const first_skip = start.template begin<typename Kernels::passes>(of_keys.alternate(call), state);

  // Keys may be sorted in place while values are not, such as indices that an iterator makes.
  constexpr bool values_in_place = Problem::values_in_place && has_values<Value>;
  constexpr pass_rules rules{!Problem::keys_in_place || !Problem::values_in_place, Problem::keys_in_place,
                             (Problem::keys_in_place && keys_buffer::output_is_primary) ||
                                 (values_in_place && values_buffer::output_is_primary)};
  std::int64_t const sms = num_multiprocessors(call);
  std::int64_t const shares = divide_up<std::int64_t>(problem.num_items, 8 * tuning.histogram_threads_per_block);
  grid_shape shape_of_histogram{smaller(sms * tuning.histogram_blocks_per_sm, shares),
                                tuning.histogram_threads_per_block, kernels.histogram_bytes};
  shape_of_histogram.early = start.launches_kernels() && kernels.arch >= 90;
  detail::launch(call, shape_of_histogram, kernels.histogram, problem.keys_in, problem.num_items, rules, state,
                 first_skip);

  keys_column const keys = detail::column_of(call, of_keys, problem.keys_in, problem.keys_out);
  values_column const values = detail::column_of(call, of_values, problem.values_in, problem.values_out);
  detail::keep_cache(call, reinterpret_cast<void const*>(kernels.pass), kernels.pass_bytes, tuning.blocks_per_sm);
  for (int digit = 0; digit < digits.count; ++digit) {
    for (int number = 0; number < first.portions; ++number) {
      onesweep_portion const portion = detail::portion_of(tuning, problem.num_items, digit, number);
      grid_shape shape{smaller<std::int64_t>(sms * tuning.blocks_per_sm, portion.num_tiles), tuning.threads_per_block,
                       kernels.pass_bytes};
      shape.early = kernels.arch >= 90;  // early after the histogram, or the pass before
      detail::launch(call, shape, kernels.pass, keys, values, portion, state,
                     reinterpret_cast<std::uint32_t*>(counts), reinterpret_cast<std::uint32_t*>(counts + count_words),
                     tickets + digit * first.portions + number, start.others());
    }
  }
  start.end(of_keys.alternate(call), of_values.alternate(call));
}

// Sorts by the ordered bits of the keys; stable. There is at least one item. The first pass that is made reads the
// user's input, and the last one writes the user's output; which passes are made is known on the device alone: each
// is launched, and does nothing if the plan does not make it.
template <class Tuning, bool descending, class Problem, class Start = plain_start>
void onesweep(device_call& call, Problem const& problem, Start const& start = {}) {
  using Skip = decltype(start.others());
  using KeysIn = typename Problem::KeysIn;
  using Key = typename Problem::Key;
  using keys_column = sort_column<KeysIn, typename Problem::KeysOut>;
  using values_column = sort_column<typename Problem::ValuesIn, typename Problem::ValuesOut>;
  using passes = onesweep_passes<histogram_tuning<Tuning>, Key>;
  using FirstSkip = decltype(start.template begin<passes>(std::declval<column<Key>>(), std::declval<void*>()));
  using histogram = onesweep_histogram<histogram_tuning<Tuning>, Key, FirstSkip>;
  using pass = onesweep_pass<Tuning, Key, typename Problem::Value>;
  void (*const histogram_kernel)(KeysIn, std::int64_t, pass_rules, void*, FirstSkip) =
      onesweep_histogram_kernel<histogram_tuning<Tuning>, descending, KeysIn, FirstSkip>;
  void (*const pass_kernel)(keys_column, values_column, onesweep_portion, void*, std::uint32_t*, std::uint32_t*,
                            std::uint64_t*, Skip) =
      onesweep_pass_kernel<Tuning, descending, keys_column, values_column, Skip>;
  int const arch = detail::compiled_arch(call, pass_kernel);
  onesweep_kernels<passes, decltype(histogram_kernel), decltype(pass_kernel)> const kernels{
      histogram_kernel,
      pass_kernel,
      arch,
      Tuning::at(arch),
      storage_bytes<histogram::template storage>(arch),
      storage_bytes<pass::template storage>(arch),
      storage_bytes<passes::template state>(arch)};
  detail::onesweep_by(call, problem, start, kernels);
}

}  // namespace mgpu::detail
