// A tile's shares of several sorted runs in one memory are seen as one sequence, as block_merge reads them.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/thread/merge_path.cuh>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// A tile's shares of some runs, joined one behind the other.
template <int num_runs>
struct run_shares {
  int ends[num_runs];              // where each share ends in the tile
  std::int64_t offsets[num_runs];  // an index in the tile plus this is the index in the runs' memory

  // Sets the shares of a tile of `length` items, by how many items of each run come before it, and before its end;
  // run_begin(r) is where run r begins in its memory. Called by one thread; a barrier is owed.
  template <class RunBegin>
  __device__ __forceinline__ void set(std::int64_t const* before, std::int64_t const* before_end, int length,
                                      RunBegin run_begin) {
    int end = 0;
#pragma unroll
    for (int r = 0; r < num_runs; ++r) {
      offsets[r] = run_begin(r) + before[r] - end;
      end += detail::share_of_run(before[r], before_end[r], length - end);
      ends[r] = end;
    }
  }

  // Returns the index in the runs' memory of the tile's item i.
  __device__ __forceinline__ std::int64_t place(int i) const {
    int run = 0;
#pragma unroll
    for (int r = 0; r < num_runs - 1; ++r) run += i >= ends[r] ? 1 : 0;
    return offsets[run] + i;
  }
};

// The items of such shares, in the order of the tile. The shares lie in shared memory, which saves registers.
template <class Iterator, int num_runs>
struct joined_shares {
  static constexpr bool is_plain_memory = std::is_pointer_v<Iterator>;
  Iterator items;
  run_shares<num_runs> const& shares;

  __device__ __forceinline__ decltype(auto) item(int i) const { return *(items + shares.place(i)); }
  // Calls visit(begin of the share, its index in the tile, its count) for each run.
  template <class Visit>
  __device__ __forceinline__ void for_each_run(int, Visit visit) const {
#pragma unroll 1
    for (int r = 0; r < num_runs; ++r) {
      int const begin = r == 0 ? 0 : shares.ends[r - 1];
      visit(items + (shares.offsets[r] + begin), begin, shares.ends[r] - begin);
    }
  }
  // Calls visit(begin of the share), where all items of the tile are of one run.
  template <class Visit>
  __device__ __forceinline__ void with_only_run(Visit visit) const {
    visit(items + shares.place(0));
  }
};

}  // namespace mgpu::detail
