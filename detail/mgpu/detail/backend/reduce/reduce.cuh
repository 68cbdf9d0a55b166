// Reduction on the device: one launch; the last of its blocks to end combines the results of all.
#pragma once
#include <mgpu/detail/backend/reduce/reduce_kernel.cuh>
#include <mgpu/detail/backend/reduce/result_slot.h>
#include <mgpu/detail/backend/reduce/source.cuh>
#include <mgpu/detail/backend/reduce/tuning.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/host/call.h>
#include <mgpu/detail/host/launch.h>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// The tuning of the call, or the usual one.
template <class Tuning, class Source, class T>
using reduce_tuning_of = std::conditional_t<
    std::is_void_v<Tuning>,
    reduce_default_tuning<static_cast<int>(sizeof(typename Source::unit)), static_cast<int>(sizeof(T))>, Tuning>;

// Planned first (which adds its pieces to a scratch layout), then launched.
template <class Tuning, class T, class Source, class Op, class Output>
class reduction {
 public:
  // The counter of the blocks is scratch memory too unless the caller brings one that is zero.
  reduction(device_call const& call, scratch_layout& layout, Source const& source, std::int64_t num_items,
            bool with_counter)
      : source_(source), arch_(compiled_arch(call, kernel())), tuning_(Tuning::at(arch_)) {
    int const head = static_cast<int>(smaller<std::int64_t>(source.head(), num_items));
    std::int64_t const units = (num_items - head) / Source::items_per_unit;
    auto const tail = static_cast<int>((num_items - head) % Source::items_per_unit);
    std::int64_t const num_rows = divide_up<std::int64_t>(units, threads_per_warp);

    // The number of blocks, and with it the scratch memory, is the same at any alignment.
    std::int64_t const warps_per_block = tuning_.threads_per_block / threads_per_warp;
    std::int64_t const max_blocks =
        blocks_for(call, divide_up<std::int64_t>(num_items, Source::items_per_unit * threads_per_warp));
    if (max_blocks > 1) {
      results_ = layout.add<T>(max_blocks);
      if (with_counter) counter_ = layout.add<unsigned>(1);
    }

    auto const num_warps = static_cast<int>(smaller(max_blocks * warps_per_block, larger<std::int64_t>(num_rows, 1)));
    num_blocks_ = divide_up<std::int64_t>(num_warps, warps_per_block);
    shares_ = {head, tail, num_warps, static_cast<int>(num_rows % num_warps), num_rows / num_warps, units};
    if (num_items == 0) shares_.num_warps = 0;
  }

  // `counter` is zero, or null for the one in scratch memory.
  void launch(device_call const& call, T const& init, Op const& op, Output const& out, unsigned* counter) const {
    T* results = nullptr;
    if (num_blocks_ > 1) {
      results = call.scratch<T>(results_);
      if (counter == nullptr) {
        counter = call.scratch<unsigned>(counter_);
        check(cudaMemsetAsync(counter, 0, sizeof(unsigned), call.stream()), call.name(), "cudaMemsetAsync");
      }
    }
    detail::launch(call, {num_blocks_, tuning_.threads_per_block, storage_bytes<blocks::template storage>(arch_)},
                   kernel(), source_, shares_, init, op, out, results, counter);
  }

 private:
  using blocks = reduce_blocks<Tuning, T>;
  using kernel_type = void (*)(Source, reduce_shares, T, Op, Output, T*, unsigned*);

  // One as long as that takes few steps; else a step for each warp, up to what the device has room for.
  std::int64_t blocks_for(device_call const& call, std::int64_t num_rows) const {
    std::int64_t const rows_per_step =
        std::int64_t{tuning_.threads_per_block / threads_per_warp} * tuning_.rows_per_step;
    if (num_rows <= rows_per_step * tuning_.lone_block_steps) return 1;
    return smaller(divide_up(num_rows, rows_per_step),
                   std::int64_t{num_multiprocessors(call)} * tuning_.blocks_per_sm);
  }
  static kernel_type kernel() { return reduce_kernel<Tuning, T, Source, Op, Output>; }

  Source source_;
  int arch_;
  reduce_tuning tuning_;
  reduce_shares shares_{};
  std::int64_t num_blocks_;
  std::size_t results_ = 0, counter_ = 0;  // offsets in scratch memory
};

// Calls run(source) with the best way to read the input: plain memory 16 bytes at a time, where the size of its items
// and their alignment allow that.
template <class T, class Input, class Unary, class Run>
void with_source(Input input, Unary unary, Run run) {
  if constexpr (std::is_pointer_v<Input>) {
    using item = iterator_value_t<Input>;
    constexpr std::size_t bytes = sizeof(item);
    constexpr std::size_t alignment = smaller<std::size_t>(bytes, 16);
    constexpr bool in_vectors = bytes < 16 ? 16 % bytes == 0 : bytes % 16 == 0;
    constexpr bool always_aligned = alignof(item) >= alignment;
    item const* const items = input;
    if constexpr (in_vectors) {
      if (always_aligned || reinterpret_cast<std::uintptr_t>(items) % alignment == 0) {
        return run(vector_source<T, item, Unary>(items, unary));
      }
    }
    if constexpr (!(in_vectors && always_aligned)) run(item_source<T, item const*, Unary>(items, unary));
  } else {
    run(item_source<T, Input, Unary>(input, unary));
  }
}

// *out = what num_items items come to; init if there are none.
template <class Tuning, class T, class Input, class Unary, class Op, class Output>
void reduce_to_output(device_call& call, Input input, std::int64_t num_items, Unary unary, T init, Op op,
                      Output out) {
  with_source<T>(input, unary, [&](auto source) {
    using Source = decltype(source);
    scratch_layout layout;
    reduction<reduce_tuning_of<Tuning, Source, T>, T, Source, Op, Output> const plan(call, layout, source, num_items,
                                                                                     true);
    if (call.allocate(layout)) plan.launch(call, init, op, out, nullptr);
  });
}

// Returns it, having waited for the stream. From a size query, returns init.
template <class Tuning, class T, class Input, class Unary, class Op>
T reduce_to_value(device_call& call, Input input, std::int64_t num_items, Unary unary, T init, Op op) {
  T result = init;
  with_source<T>(input, unary, [&](auto source) {
    using Source = decltype(source);
    scratch_layout layout;
    reduction<reduce_tuning_of<Tuning, Source, T>, T, Source, Op, T*> const plan(call, layout, source, num_items,
                                                                                 false);
    if (!call.allocate(layout)) return;
    result_slot slot(call, sizeof(T));
    T* const out = static_cast<T*>(slot.memory());
    plan.launch(call, init, op, out, slot.counter());
    call.finish();
    slot.finished();
    result = *out;
  });
  return result;
}

}  // namespace mgpu::detail
