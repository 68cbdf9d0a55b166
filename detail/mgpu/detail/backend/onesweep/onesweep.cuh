// Radix sort on the device: one read counts all digits, then one sweep per digit moves the items, least significant
// digit first, stable. OneSweep: Adinets, Merrill, arXiv:2206.01784.
#pragma once
#include <mgpu/detail/backend/onesweep/histogram_kernel.cuh>
#include <mgpu/detail/backend/onesweep/onesweep_kernel.cuh>
#include <mgpu/detail/backend/onesweep/plan.h>
#include <mgpu/detail/backend/onesweep/tuning.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/radix_key.h>
#include <mgpu/detail/host/call.h>
#include <mgpu/detail/host/launch.h>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// Planned first (which adds its pieces to a scratch layout), then run. The first pass reads the user's input, the
// last writes the user's output, wherever those are; which passes there are is known on the device alone. Input and
// output are the same range (in_place) or do not overlap. There is at least one item.
template <class Tuning, bool descending, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut>
class onesweep {
  using Key = iterator_value_t<KeysIn>;
  using Value = iterator_value_t<ValuesIn>;
  using keys_column = sort_column<KeysIn, KeysOut>;
  using values_column = sort_column<ValuesIn, ValuesOut>;

  // A column's buffers in scratch memory.
  template <class T, class Out>
  struct buffers {
    static constexpr bool output_is_home = std::is_same_v<Out, T*> || !has_values<T>;
    std::size_t home = 0, away = 0;

    void plan(scratch_layout& layout, std::int64_t num_items) {
      if constexpr (has_values<T>) {
        away = layout.add<T>(num_items);
        if (!output_is_home) home = layout.add<T>(num_items);
      }
    }
    template <class In>
    sort_column<In, Out> get(device_call const& call, In input, Out output) const {
      if constexpr (!has_values<T>) {
        return {input, output, nullptr, nullptr};
      } else if constexpr (output_is_home) {
        return {input, output, output, call.scratch<T>(away)};
      } else {
        return {input, output, call.scratch<T>(home), call.scratch<T>(away)};
      }
    }
  };

 public:
  // Of a pass.
  using kernel_type = void (*)(keys_column, values_column, onesweep_portion, void*, std::uint32_t*, std::uint32_t*,
                               std::uint64_t*);
  static kernel_type kernel() { return onesweep_pass_kernel<Tuning, descending, keys_column, values_column>; }

  onesweep() = default;
  onesweep(device_call const& call, scratch_layout& layout, std::int64_t num_items)
      : num_items_(num_items),
        arch_(detail::compiled_arch(call, kernel())),
        tuning_(Tuning::at(arch_)),
        digits_(radix_traits<Key>::bits, tuning_.max_digit_bits) {
    std::int64_t const tiles_of_portion = tuning_.max_launch_items / tuning_.tile_items();
    std::int64_t const num_tiles = divide_up<std::int64_t>(num_items, tuning_.tile_items());
    portion_items_ = tiles_of_portion * tuning_.tile_items();
    num_portions_ = static_cast<int>(divide_up(num_tiles, tiles_of_portion));
    most_tiles_ = smaller(num_tiles, tiles_of_portion) + 1;  // what is no whole tile may make two

    // What has to be zero lies side by side, to be cleared in one go.
    state_words_ = static_cast<std::int64_t>(
        storage_bytes<onesweep_histogram<histogram_tuning<Tuning>, Key>::template state>(arch_) /
        sizeof(std::uint64_t));
    num_tickets_ = std::int64_t{digits_.count} * num_portions_;
    count_words_ = divide_up<std::int64_t>(most_tiles_ * digits_.num_bins(), 2);
    words_ = layout.add<std::uint64_t>(state_words_ + num_tickets_ + 2 * count_words_);
    keys_.plan(layout, num_items);
    values_.plan(layout, num_items);
  }

  void run(device_call const& call, KeysIn keys_in, ValuesIn values_in, KeysOut keys_out, ValuesOut values_out,
           bool in_place) const {
    auto* const state = call.scratch<std::uint64_t>(words_);
    std::uint64_t* const tickets = state + state_words_;
    std::uint64_t* const counts = tickets + num_tickets_;
    clear(call, state, state_words_ + num_tickets_ + count_words_);
    histogram(call, keys_in, in_place, state);

    auto const keys = keys_.get(call, keys_in, keys_out);
    auto const values = values_.get(call, values_in, values_out);
    for (int digit = 0; digit < digits_.count; ++digit) {
      for (int portion = 0; portion < num_portions_; ++portion) {
        sweep(call, keys, values, digit, portion, state, counts, tickets + digit * num_portions_ + portion);
      }
    }
  }

 private:
  // Values may be made on the way, and keys sorted in place all the same.
  static pass_rules rules(bool in_place) {
    constexpr bool same_values = std::is_same_v<ValuesIn, ValuesOut>;
    bool const values_in_place = in_place && same_values && has_values<Value>;
    return {!in_place || !same_values, in_place,
            (in_place && buffers<Key, KeysOut>::output_is_home) ||
                (values_in_place && buffers<Value, ValuesOut>::output_is_home)};
  }

  void histogram(device_call const& call, KeysIn keys, bool in_place, void* state) const {
    void (*const kernel)(KeysIn, std::int64_t, pass_rules, void*) =
        onesweep_histogram_kernel<histogram_tuning<Tuning>, descending, KeysIn>;
    int const threads = tuning_.histogram_threads_per_block;
    std::int64_t const room = std::int64_t{num_multiprocessors(call)} * tuning_.histogram_blocks_per_sm;
    detail::launch(call,
                   {smaller(room, divide_up<std::int64_t>(num_items_, 8 * threads)), threads,
                    storage_bytes<onesweep_histogram<histogram_tuning<Tuning>, Key>::template storage>(arch_)},
                   kernel, keys, num_items_, rules(in_place), state);
  }

  void sweep(device_call const& call, keys_column const& keys, values_column const& values, int digit, int number,
             void* state, std::uint64_t* counts, std::uint64_t* ticket) const {
    std::int64_t const tile_items = tuning_.tile_items();
    std::int64_t const begin = number * portion_items_;
    std::int64_t const num_items = smaller(portion_items_, num_items_ - begin);
    int const first_tile = tuning_.first_tile_items(num_items);
    auto const num_tiles = static_cast<int>(1 + divide_up(num_items - first_tile, tile_items));
    onesweep_portion const portion{begin,     num_items,     num_items_,
                                   num_tiles, first_tile,    digit,
                                   number,    num_portions_, static_cast<int>(most_tiles_)};
    std::int64_t const room = std::int64_t{num_multiprocessors(call)} * tuning_.blocks_per_sm;
    grid_shape shape{smaller<std::int64_t>(room, num_tiles), tuning_.threads_per_block,
                     storage_bytes<onesweep_pass<Tuning, Key, Value>::template storage>(arch_)};
    shape.early = arch_ >= 90;  // after the histogram, or the pass before
    detail::launch(call, shape, kernel(), keys, values, portion, state, reinterpret_cast<std::uint32_t*>(counts),
                   reinterpret_cast<std::uint32_t*>(counts + count_words_), ticket);
  }

  std::int64_t num_items_;
  int arch_;
  onesweep_tuning tuning_;
  digit_layout digits_;
  std::int64_t portion_items_;
  std::int64_t most_tiles_;
  int num_portions_;
  std::int64_t state_words_, num_tickets_, count_words_;
  std::size_t words_;
  buffers<Key, KeysOut> keys_;
  buffers<Value, ValuesOut> values_;
};

}  // namespace mgpu::detail
