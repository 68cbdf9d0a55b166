// tune_merge_sort: mgpu's merge sort with other tunings than the one that ships, on uniform keys, at a large size and
// at one where launches count. The tuning's name stands where other rows name a comparator. To sweep other shapes or
// items, change the lists; report.py makes tables and maps of the JSON.
#include <harness/data.cuh>
#include <harness/libraries.cuh>
#include <mgpu/sort.h>
#include <string>

namespace perf {

namespace {

// The shapes of the tile sort and of the merge: threads, items a thread, and the minimum of blocks an SM.
template <int SortThreads, int SortItems, int SortBlocks, int MergeThreads, int MergeItems, int MergeBlocks>
struct point {
  __host__ __device__ static constexpr mgpu::detail::merge_sort_tuning at(int) {
    return {{SortThreads, SortItems, SortBlocks}, {MergeThreads, MergeItems, MergeBlocks}, 64};
  }
  static std::string name() {
    return shape_name(SortThreads, SortItems, SortBlocks) + '_' + shape_name(MergeThreads, MergeItems, MergeBlocks);
  }

 private:
  static std::string shape_name(int threads, int items, int blocks) {
    return std::to_string(threads) + 'x' + std::to_string(items) + 'b' + std::to_string(blocks);
  }
};

struct shipped {
  [[maybe_unused]] static std::string name() { return "shipped"; }
};

// --- What is swept: even numbers of items are left out, as they have bank conflicts
template <int SortThreads, int SortBlocks, int MergeThreads, int MergeBlocks, int... Items>
using points = list<point<SortThreads, Items, SortBlocks, MergeThreads, Items, MergeBlocks>...>;

using fewer_registers = points<256, 4, 256, 4, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33, 35>;
using more_registers = points<256, 3, 256, 3, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33, 35>;
using larger_tile_sorts = points<512, 2, 256, 4, 9, 13, 17, 23, 27>;
using larger_tiles = points<512, 2, 512, 2, 9, 17, 23>;
using smaller_merges = points<512, 2, 128, 8, 17, 23>;

// --- Rows
// The comparator is a functor that no library knows, so that this stays the merge sort.
template <class Key, class Value, class Tuning>
candidate tuned_sort() {
  return with_mgpu([](auto const& policy, job& of) {
    auto const sort = [&](auto const& tuned) {
      auto* const keys = static_cast<Key*>(of.data.work.keys);
      if constexpr (std::is_same_v<Value, none>) {
        mgpu::sort(tuned, keys, keys + of.data.n, custom{});
      } else {
        mgpu::sort_by_key(tuned, keys, keys + of.data.n, static_cast<Value*>(of.data.work.values), custom{});
      }
    };
    if constexpr (std::is_same_v<Tuning, shipped>) {
      sort(policy);
    } else {
      sort(policy.with_tuning(Tuning{}));
    }
    return of.data.work;
  });
}

template <class Key, class Value, class... Lists>
bool add_tunings() {
  auto const tuned = [](auto tuning) {
    using Tuning = decltype(tuning);
    problem of{"tune_merge_sort", name_of(Key{}), name_of(Value{}), Tuning::name(), sizeof(Key) + bytes_of<Value>};
    of.generate = generate_to_be_sorted<Key, Value, true>;
    of.candidates = {tuned_sort<Key, Value, Tuning>()};
    of.distributions = {distribution::uniform};
    of.by_default = [](distribution, std::int64_t) { return true; };
    of.sizes = {std::int64_t{1} << 26, std::int64_t{1} << 20};
    of.has_wall_clock = false;
    return of;
  };
  return (add_problems(Lists{}, tuned) && ...);
}

template <class Key, class Value>
constexpr auto add_sweep = add_tunings<Key, Value, list<shipped>, fewer_registers, more_registers, larger_tile_sorts,
                                       larger_tiles, smaller_merges>;
[[maybe_unused]] bool const added = add_sweep<u32, none>() && add_sweep<u64, none>();

}  // namespace

}  // namespace perf
