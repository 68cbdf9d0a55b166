// Radix sort on the device: one read counts all digits, then one sweep per digit moves the items, the least
// significant digit first; it is stable. OneSweep: Adinets, Merrill, arXiv:2206.01784.
#pragma once
#include <mgpu/detail/backend/onesweep/histogram_kernel.cuh>
#include <mgpu/detail/backend/onesweep/onesweep_kernel.cuh>
#include <mgpu/detail/backend/onesweep/plan.h>
#include <mgpu/detail/backend/onesweep/tuning.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/radix_key.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/clear.h>
#include <mgpu/detail/runtime/double_buffer.h>
#include <mgpu/detail/runtime/kernel_facts.h>
#include <mgpu/detail/runtime/launch.h>
#include <cstddef>
#include <cstdint>

namespace mgpu::detail {

// The host driver. The first pass that is made reads the user's input, and the last one writes the user's output;
// which passes are made is known on the device alone. There is at least one item.
template <class Tuning, bool descending, class Problem>
class onesweep_sort {
  using KeysIn = typename Problem::KeysIn;
  using KeysOut = typename Problem::KeysOut;
  using Key = typename Problem::Key;
  using Value = typename Problem::Value;
  using keys_column = sort_column<KeysIn, KeysOut>;
  using values_column = sort_column<typename Problem::ValuesIn, typename Problem::ValuesOut>;
  using keys_buffer = double_buffer<Key, KeysOut>;
  using values_buffer = double_buffer<Value, typename Problem::ValuesOut>;

 public:
  // Adds the scratch memory that the sort needs to the layout.
  onesweep_sort(device_call const& call, scratch_layout& layout, Problem const& problem)
      : call_(call),
        problem_(problem),
        arch_(detail::compiled_arch(call, pass_kernel())),
        tuning_(Tuning::at(arch_)),
        digits_(radix_traits<Key>::bits, tuning_.max_digit_bits) {
    // A pass of several launches is shared out evenly among them: in a launch of few tiles, few blocks would have to
    // clear the counts of all tiles of the next launch.
    std::int64_t const num_tiles = divide_up<std::int64_t>(problem.num_items, tuning_.tile_items());
    std::int64_t const most_of_portion = tuning_.max_launch_items / tuning_.tile_items();
    num_portions_ = static_cast<int>(divide_up(num_tiles, most_of_portion));
    std::int64_t const tiles_of_portion = divide_up<std::int64_t>(num_tiles, num_portions_);
    portion_items_ = tiles_of_portion * tuning_.tile_items();
    most_tiles_ = tiles_of_portion + 1;  // items that do not fill a tile may make two tiles

    // All memory that has to be zero lies side by side, so that it is cleared in one go.
    state_words_ = static_cast<std::int64_t>(
        storage_bytes<onesweep_histogram<histogram_tuning<Tuning>, Key>::template state>(arch_) /
        sizeof(std::uint64_t));
    num_tickets_ = std::int64_t{digits_.count} * num_portions_;
    count_words_ = divide_up<std::int64_t>(most_tiles_ * digits_.num_bins(), 2);
    words_ = layout.add<std::uint64_t>(state_words_ + num_tickets_ + 2 * count_words_);
    keys_.plan(layout, problem.num_items, digits_.count);
    values_.plan(layout, problem.num_items, digits_.count);
  }

  // Launches the histogram, then each digit pass, which does nothing if the plan does not make it.
  void run() const {
    auto* const state = call_.scratch<std::uint64_t>(words_);
    std::uint64_t* const tickets = state + state_words_;
    std::uint64_t* const counts = tickets + num_tickets_;
    clear(call_, state, state_words_ + num_tickets_ + count_words_);
    launch_histogram(state);

    auto const keys = column_of(keys_, problem_.keys_in, problem_.keys_out);
    auto const values = column_of(values_, problem_.values_in, problem_.values_out);
    for (int digit = 0; digit < digits_.count; ++digit) {
      for (int portion = 0; portion < num_portions_; ++portion) {
        launch_pass(keys, values, digit, portion, state, counts, tickets + digit * num_portions_ + portion);
      }
    }
  }

 private:
  using pass_kernel_type = void (*)(keys_column, values_column, onesweep_portion, void*, std::uint32_t*,
                                    std::uint32_t*, std::uint64_t*);
  static pass_kernel_type pass_kernel() {
    return onesweep_pass_kernel<Tuning, descending, keys_column, values_column>;
  }

  template <class T, class In, class Out>
  sort_column<In, Out> column_of(double_buffer<T, Out> const& buffer, In in, Out out) const {
    if constexpr (!has_values<T>) {
      return {in, out, nullptr, nullptr};
    } else {
      return {in, out, buffer.primary(call_, out), buffer.alternate(call_)};
    }
  }

  // Returns what the number of passes has to keep to. Keys may be sorted in place while values are not, such as
  // indices that an iterator makes.
  static constexpr pass_rules rules() {
    constexpr bool has_values_in_place = Problem::values_in_place && has_values<Value>;
    return {!Problem::keys_in_place || !Problem::values_in_place, Problem::keys_in_place,
            (Problem::keys_in_place && keys_buffer::output_is_primary) ||
                (has_values_in_place && values_buffer::output_is_primary)};
  }

  void launch_histogram(void* state) const {
    void (*const kernel)(KeysIn, std::int64_t, pass_rules, void*) =
        onesweep_histogram_kernel<histogram_tuning<Tuning>, descending, KeysIn>;
    int const threads = tuning_.histogram_threads_per_block;
    std::int64_t const resident = std::int64_t{num_multiprocessors(call_)} * tuning_.histogram_blocks_per_sm;
    detail::launch(call_,
                   {smaller(resident, divide_up<std::int64_t>(problem_.num_items, 8 * threads)), threads,
                    storage_bytes<onesweep_histogram<histogram_tuning<Tuning>, Key>::template storage>(arch_)},
                   kernel, problem_.keys_in, problem_.num_items, rules(), state);
  }

  void launch_pass(keys_column const& keys, values_column const& values, int digit, int number, void* state,
                   std::uint64_t* counts, std::uint64_t* ticket) const {
    std::int64_t const tile_items = tuning_.tile_items();
    std::int64_t const begin = number * portion_items_;
    std::int64_t const num_items = smaller(portion_items_, problem_.num_items - begin);
    int const first_tile = tuning_.first_tile_items(num_items);
    auto const num_tiles = static_cast<int>(1 + divide_up(num_items - first_tile, tile_items));
    onesweep_portion const portion{begin,  num_items,     problem_.num_items,           num_tiles, first_tile, digit,
                                   number, num_portions_, static_cast<int>(most_tiles_)};
    std::int64_t const resident = std::int64_t{num_multiprocessors(call_)} * tuning_.blocks_per_sm;
    grid_shape shape{smaller<std::int64_t>(resident, num_tiles), tuning_.threads_per_block,
                     storage_bytes<onesweep_pass<Tuning, Key, Value>::template storage>(arch_)};
    shape.early = arch_ >= 90;  // early after the histogram, or the pass before
    detail::launch(call_, shape, pass_kernel(), keys, values, portion, state,
                   reinterpret_cast<std::uint32_t*>(counts), reinterpret_cast<std::uint32_t*>(counts + count_words_),
                   ticket);
  }

  device_call const& call_;
  Problem const& problem_;
  int arch_;
  onesweep_tuning tuning_;
  digit_layout digits_;
  std::int64_t portion_items_;
  std::int64_t most_tiles_;
  int num_portions_;
  std::int64_t state_words_, num_tickets_, count_words_;
  std::size_t words_;
  keys_buffer keys_;
  values_buffer values_;
};

// Sorts by the ordered bits of the keys; stable. There is at least one item.
template <class Tuning, bool descending, class Problem>
void onesweep(device_call& call, Problem const& problem) {
  scratch_layout layout;
  onesweep_sort<Tuning, descending, Problem> const sort(call, layout, problem);
  if (call.allocate(layout)) sort.run();
}

}  // namespace mgpu::detail
