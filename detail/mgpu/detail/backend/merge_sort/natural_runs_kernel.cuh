// A kernel looks for the runs that the input of a merge sort is made of, and plans how they are merged.
#pragma once
#include <mgpu/detail/backend/merge_sort/natural_runs.h>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/compares_quickly.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/grid/last_block.cuh>
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace mgpu::detail {

// Its functions are called by all threads of the block.
template <class Keys, class Comp>
struct natural_runs_finder {
  using Key = iterator_value_t<Keys>;
  static constexpr int threads_per_block = 512;
  static constexpr bool is_small = sizeof(Key) <= 8;
  // A load brings a thread some neighbours. Keys whose alignment is less than their size may never lie at 16 bytes, those
  // of 8 bytes are not looked at sooner, and comparisons that wait for memory need the registers.
  static constexpr bool loads_neighbours = std::is_pointer_v<Keys> && std::is_convertible_v<Keys, void const*> &&
                                           sizeof(Key) <= 4 && alignof(Key) == sizeof(Key) &&
                                           !may_follow_pointers<Key, Comp>;
  static constexpr int items_of_load = loads_neighbours ? static_cast<int>(16 / sizeof(Key)) : 1;
  static constexpr int items_per_thread = items_of_load > 1 ? 32 : is_small ? 16 : 8;
  static constexpr int loads_per_thread = items_per_thread / items_of_load;
  static constexpr int items_of_step = threads_per_block * items_per_thread;
  static constexpr int blocks_per_sm = items_of_load > 1 ? 2 : 3;
  static constexpr int min_blocks_per_sm = is_small && current_arch() >= 90 ? blocks_per_sm : 1;

  // A thread sees this in a step.
  struct sight_of_items {
    std::uint32_t descents = 0;  // a bit for each of its items
    bool ascends = false;        // whether there is one that does not descend
    __device__ __forceinline__ void add(int item, bool descends) {
      descents |= static_cast<std::uint32_t>(descends) << item;
      ascends = ascends || !descends;
    }
  };

  // A block sees this in a step.
  struct sight {
    std::uint32_t num_descents;
    std::uint32_t has_ascent;
    std::uint32_t is_over;  // no plan will be made
  };
  struct storage {
    sight sights[3];
    std::uint64_t noted;  // descents of the input that come before the step's
    std::uint32_t next;   // the index, among the step's descents, of the next one to be noted
    bool is_last_block;
    std::int64_t begins[natural_runs::max_runs + 1];
  };

  storage& shared;
  natural_runs& runs;
  Keys const& keys;
  Comp& comp;
  int const thread = static_cast<int>(simt::thread_rank());

  // Tells whether some pairs of neighbours, spread over the input, show that the runs are all but surely too many:
  // then the block need not look, and there will be no plan, as the last block to be done plans. All blocks see the
  // same pairs. Clears what the block sees; has one barrier or two.
  __device__ __forceinline__ bool is_over_at_once(std::int64_t num_items) {
    if (thread < 3) shared.sights[thread] = {};
    simt::sync_block();
    if (num_items / threads_per_block < natural_runs::max_runs) return false;  // too few for a guess
    // The golden ratio spreads the pairs evenly, and out of step with runs of one length.
    std::uint64_t const fraction = (thread + std::uint64_t{1}) * 0x9E3779B97F4A7C15u >> 40;
    std::int64_t const item =
        1 + static_cast<std::int64_t>(fraction * static_cast<std::uint64_t>(num_items - 1) >> 24);
    bool const descends = is_descent(keys, item);
    see(shared.sights[2], descends ? 1 : 0, !descends);
    simt::sync_block();
    return shared.sights[2].num_descents >= 4 && shared.sights[2].has_ascent != 0;
  }

  // Returns how many items the first one is behind a place where loads may begin.
  __device__ __forceinline__ int items_before() const {
    if constexpr (items_of_load == 1)
      return 0;
    else
      return static_cast<int>(reinterpret_cast<std::uintptr_t>(keys) / sizeof(Key) % items_of_load);
  }

  // Looks at the pairs of neighbours whose second item is one of [begin, end), up to where it is known that no plan
  // will be made. Loads may begin at `begin`, which comes before the first item by less than a load, if it does.
  // Follows is_over_at_once().
  __device__ __forceinline__ void look(std::int64_t begin, std::int64_t end) {
    bool has_ascent = false;         // whether the block has seen one
    std::uint32_t num_descents = 0;  // that it has seen
    int step = 0;
    for (std::int64_t at = begin; at < end; at += items_of_step, step = step == 2 ? 0 : step + 1) {
      sight& now = shared.sights[step];
      std::uint64_t const others = thread == 0 ? simt::load_relaxed(runs.found.num_descents) : 0;
      std::int64_t const first = at + thread * items_of_load;
      sight_of_items const mine = look_at_items(first, end);
      std::uint32_t descents = mine.descents;
      see(now, simt::population_count(descents), mine.ascends);
      if (thread == 0 && others >= natural_runs::max_runs &&
          (has_ascent || simt::load_relaxed(runs.found.has_ascent) != 0)) {
        now.is_over = 1;
      }
      simt::sync_block();
      if (thread == 0) shared.sights[step == 0 ? 2 : step - 1] = {};  // the step after the next finds it so
      if (now.is_over != 0) return;

      bool const is_first_ascent = !has_ascent && now.has_ascent != 0;
      bool const notes = now.num_descents != 0 && num_descents < natural_runs::max_runs;
      has_ascent = has_ascent || now.has_ascent != 0;
      num_descents += now.num_descents;
      if (thread == 0 && is_first_ascent) simt::store_relaxed<std::uint64_t>(runs.found.has_ascent, 1);
      if (!notes) continue;
      if (thread == 0) {
        shared.noted = simt::add_relaxed<std::uint64_t>(runs.found.num_descents, now.num_descents);
        shared.next = 0;
      }
      simt::sync_block();
      if (shared.noted + now.num_descents >= natural_runs::max_runs) descents = 0;  // too many to be noted
      while (descents != 0) {
        int const i = 31 - static_cast<int>(simt::leading_zeros(descents));
        descents ^= 1u << i;
        runs.descents[shared.noted + simt::add_shared(shared.next, 1u)] =
            first + i / items_of_load * apart + i % items_of_load;
      }
    }
  }

  // Plans the passes, if there are few runs, once all is found: at most max_passes, with output tiles of tile_items.
  // `stays` says that the input is the memory that a pass reads if it has an even number of passes to go, or the
  // output.
  __device__ __forceinline__ void plan(std::int64_t num_items, int tile_items, int max_passes, bool stays) {
    std::uint64_t const num_descents = simt::load_relaxed(runs.found.num_descents);
    bool const is_reversed = num_items > 1 && simt::load_relaxed(runs.found.has_ascent) == 0;
    int const num_runs =
        is_reversed ? 1 : static_cast<int>(smaller<std::uint64_t>(num_descents, natural_runs::max_runs)) + 1;
    int num_passes = 0;
    for (int merged = 1; merged < num_runs; merged *= natural_runs_per_pass) ++num_passes;
    if (num_passes == 0 && !stays) num_passes = 1;
    if (num_passes > smaller(max_passes, natural_runs::max_passes)) return;
    if (thread == 0) {
      runs.found.passes_and_one = static_cast<std::uint64_t>(num_passes) + 1;
      runs.is_reversed = is_reversed ? 1 : 0;
      runs.is_moved = is_reversed || !stays || num_passes % 2 != 0 ? 1 : 0;
    }
    order_descents(num_runs, num_items);
    for (int number = 0; number < num_passes; ++number) plan_pass(number, num_runs, tile_items);
  }

 private:
  static constexpr int apart =
      threads_per_block * items_of_load;  // the items from one of a thread's loads to the next

  template <class Items, class Index>
  __device__ __forceinline__ bool is_descent(Items items, Index item) {
    Key const before = *(items + (item - 1));
    Key const key = *(items + item);
    return comp(key, before);
  }

  // Looks at the thread's items of a step, the first of which is `first`, as far as they are items of the input behind
  // its first one, and lie before `end`.
  __device__ __forceinline__ sight_of_items look_at_items(std::int64_t first, std::int64_t end) {
    sight_of_items seen;
    auto const items = keys + first;
    auto const ahead = static_cast<int>(smaller<std::int64_t>(end - first, items_of_step));
    auto const is_whole = [&](int i) { return i * apart + items_of_load <= ahead && (i > 0 || first > 0); };
    if constexpr (items_of_load == 1) {
#pragma unroll
      for (int i = 0; i < loads_per_thread; ++i) {
        if (is_whole(i)) seen.add(i, is_descent(items, i * apart));
      }
    } else {
      uninitialized_array<Key, items_of_load> loaded[loads_per_thread];
      uninitialized_array<Key, loads_per_thread> before;
#pragma unroll
      for (int i = 0; i < loads_per_thread; ++i) {
        if (!is_whole(i)) continue;
        // The assignment of keys may be their own.
        Key const* const at = items + i * apart;
        memcpy(static_cast<void*>(loaded[i].items), __builtin_assume_aligned(at, 16), 16);
        memcpy(static_cast<void*>(before.items + i), __builtin_assume_aligned(at - 1, sizeof(Key)), sizeof(Key));
      }
#pragma unroll
      for (int i = 0; i < loads_per_thread; ++i) {
        if (is_whole(i)) {
#pragma unroll
          for (int k = 0; k < items_of_load; ++k) {
            Key const& last = k == 0 ? before[i] : loaded[i][k - 1];
            Key const& key = loaded[i][k];
            seen.add(i * items_of_load + k, comp(key, last));
          }
        } else {
#pragma unroll 1
          for (int k = 0; k < items_of_load; ++k) {
            if ((i == 0 && first + k < 1) || i * apart + k >= ahead) continue;
            seen.add(i * items_of_load + k, is_descent(items, i * apart + k));
          }
        }
      }
    }
    return seen;
  }

  // Adds what a thread sees to what the block does.
  __device__ __forceinline__ void see(sight& seen, std::uint32_t num_descents, bool ascent) {
    num_descents = simt::sum_of_warp(num_descents);
    bool const any_ascent = simt::ballot(simt::full_mask, ascent) != 0;
    if (simt::lane() == 0 && num_descents != 0) simt::add_shared(seen.num_descents, num_descents);
    if (simt::lane() == 0 && any_ascent) simt::or_shared(seen.has_ascent, 1u);
  }

  // Puts the begins of the runs in order. Has a barrier.
  __device__ __forceinline__ void order_descents(int num_runs, std::int64_t num_items) {
    if (thread <= natural_runs::max_runs) {
      int place = thread;
      std::int64_t begin = thread == 0 ? 0 : num_items;
      if (thread > 0 && thread < num_runs) {
        begin = runs.descents[thread - 1];
        place = 1;
        for (int other = 0; other < num_runs - 1; ++other) place += runs.descents[other] < begin ? 1 : 0;
      }
      shared.begins[place] = begin;
    }
    simt::sync_block();
  }

  __device__ __forceinline__ void plan_pass(int number, int num_runs, int tile_items) {
    natural_runs::pass& pass = runs.passes[number];
    static_assert(natural_runs_per_pass == 1 << 2);
    int const num_merged = 1 << 2 * number;  // natural runs that are one run by now
    int const num_groups = divide_up(num_runs, num_merged * natural_runs_per_pass);
    auto const begin_of = [&](int run) { return shared.begins[smaller(run * num_merged, natural_runs::max_runs)]; };
    if (thread <= num_groups * natural_runs_per_pass) pass.begins[thread] = begin_of(thread);
    if (thread != 0) return;
    pass.num_groups = num_groups;
    std::int64_t tiles = 0;
    for (int group = 0; group < num_groups; ++group) {
      pass.first_tiles[group] = tiles;
      std::int64_t const items =
          begin_of((group + 1) * natural_runs_per_pass) - begin_of(group * natural_runs_per_pass);
      tiles += divide_up<std::int64_t>(items, tile_items);
    }
    pass.first_tiles[num_groups] = tiles;
  }
};

// Looks for natural runs in num_items items, of which there are at least two, and plans how they are merged, if they
// are few. Each block looks at a part of the input; the last one to be done plans.
template <class Keys, class Comp>
__global__ void __launch_bounds__(natural_runs_finder<Keys, Comp>::threads_per_block,
                                  natural_runs_finder<Keys, Comp>::min_blocks_per_sm)
    merge_sort_find_runs_kernel(Keys keys, std::int64_t num_items, int tile_items, int max_passes, bool stays,
                                natural_runs* runs, Comp comp) {
  using finder = natural_runs_finder<Keys, Comp>;
  auto& shared = simt::shared<typename finder::storage>();
  finder search{shared, *runs, keys, comp};
  if (search.is_over_at_once(num_items)) return;
  int const before = search.items_before();
  std::int64_t const loads = divide_up<std::int64_t>(num_items + before, finder::items_of_load);
  std::int64_t const items_of_block = divide_up<std::int64_t>(loads, simt::block_count()) * finder::items_of_load;
  std::int64_t const begin = items_of_block * simt::block_rank() - before;
  search.look(begin, smaller(begin + items_of_block, num_items));
  if (detail::is_last_block(runs->found.blocks_done, shared.is_last_block))
    search.plan(num_items, tile_items, max_passes, stays);
}

// Natural runs are merged from the buffer of the pass that merges them first, to which the input has to be moved, if
// it is not there.
template <class Key, class Value>
struct natural_input {
  natural_runs const* runs;
  Key* even_keys;  // the buffers that are read where an even number of passes is to go
  column<Value> even_values;
  Key* odd_keys;  // and where an odd number is
  column<Value> odd_values;

  // Moves a part of each column, if they are to be moved. Called by all threads of the block.
  template <int threads_per_block, class Keys, class Values>
  __device__ __forceinline__ void move(Keys keys_in, Values values_in, std::int64_t begin, std::int64_t end,
                                       std::int64_t num_items) const {
    if (!runs->has_plan() || runs->is_moved == 0) return;
    bool const is_odd = runs->num_passes() % 2 != 0;
    move_column<threads_per_block>(keys_in, is_odd ? odd_keys : even_keys, begin, end, num_items);
    if constexpr (has_values<Value>) {
      move_column<threads_per_block>(values_in, is_odd ? odd_values : even_values, begin, end, num_items);
    }
  }

 private:
  // Input that is reversed without a pass stays in its memory: then half of the items change places with as many from
  // the other end.
  template <int threads_per_block, class In, class T>
  __device__ __forceinline__ void move_column(In from, T* to, std::int64_t begin, std::int64_t end,
                                              std::int64_t num_items) const {
    bool const is_reversed = runs->is_reversed != 0;
    bool const swaps = is_reversed && runs->num_passes() == 0;
    if (swaps) {
      begin /= 2;
      end /= 2;
    }
    constexpr int at_a_time = larger(1, smaller(8, static_cast<int>(32 / sizeof(T))));
    for (begin += simt::thread_rank(); begin < end; begin += at_a_time * threads_per_block) {
      uninitialized_array<T, at_a_time> items;
      uninitialized_array<T, at_a_time> opposites;
      auto const for_each = [&](auto visit) {
#pragma unroll
        for (int k = 0; k < at_a_time; ++k) {
          std::int64_t const i = begin + k * threads_per_block;
          if (i < end) visit(k, i, num_items - 1 - i);
        }
      };
      for_each([&](int k, std::int64_t i, std::int64_t opposite) {
        items[k] = *(from + i);
        if (swaps) opposites[k] = *(from + opposite);
      });
      for_each([&](int k, std::int64_t i, std::int64_t opposite) {
        *(to + (is_reversed ? opposite : i)) = items[k];
        if (swaps) *(to + i) = opposites[k];
      });
    }
  }
};

// Moves the input, if there is a plan that says so; each block moves a part. Launched early, it waits for the kernel
// before.
template <int threads_per_block, class KeysIn, class ValuesIn>
__global__ void __launch_bounds__(threads_per_block)
    merge_sort_move_kernel(KeysIn keys_in, ValuesIn values_in, std::int64_t num_items,
                           natural_input<iterator_value_t<KeysIn>, iterator_value_t<ValuesIn>> natural) {
  simt::wait_for_primary();
  std::int64_t const items_of_block = divide_up<std::int64_t>(num_items, simt::block_count());
  std::int64_t const begin = items_of_block * simt::block_rank();
  natural.template move<threads_per_block>(keys_in, values_in, begin, smaller(begin + items_of_block, num_items),
                                           num_items);
}

}  // namespace mgpu::detail
