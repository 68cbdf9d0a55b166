// The library compiles on every architecture that the compiler knows, and for all of them at once: a sort of keys that may
// be unevenly spread, a sort with a user's comparator, and a merge. This never runs.
#include <mgpu/merge.h>
#include <mgpu/sort.h>
#include <cstdint>

struct by_last_digit {
  __device__ bool operator()(std::uint32_t a, std::uint32_t b) const { return a % 10 < b % 10; }
};

void on_all_architectures(float* keys, float* out, std::uint32_t* numbers, std::uint64_t* values, int num_items) {
  mgpu::sort(mgpu::par, keys, keys + num_items);
  mgpu::sort_by_key(mgpu::par, numbers, numbers + num_items, values, by_last_digit{});
  mgpu::merge(mgpu::par, keys, keys + num_items, keys, keys + num_items, out);
}
