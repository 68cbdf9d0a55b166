// Sorts splats into the order in which they are drawn: tile by tile, and in each tile from near to far. Tile and
// depth are one key of 64 bits. The bytes of it that never vary cost nothing: here two of the tile's four.
#include <mgpu/sort.h>
#include <cuda_runtime.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <tuple>
#include <vector>

namespace {

// The bits of depths that are not negative have the order of the numbers.
std::uint64_t key_of(std::uint32_t tile, float depth) {
  std::uint32_t bits;
  std::memcpy(&bits, &depth, sizeof(bits));
  return std::uint64_t{tile} << 32 | bits;
}

// Where the vectors live decides where the sort runs.
template <class Keys, class Splats>
thrust::host_vector<std::uint32_t> drawing_order(Keys keys, Splats splats) {
  mgpu::sort_by_key(keys.begin(), keys.end(), splats.begin());
  return splats;
}

}  // namespace

int main() {
  // The picture has 64 by 64 tiles. A splat is drawn in the tile of its centre and in the next to the right.
  std::mt19937 random(2013);
  thrust::host_vector<std::uint64_t> keys;
  thrust::host_vector<std::uint32_t> splats;
  std::vector<std::tuple<std::uint32_t, float, std::uint32_t>> expected;  // tile, depth, splat
  for (std::uint32_t splat = 0; splat < 100000; ++splat) {
    std::uint32_t const centre = static_cast<std::uint32_t>(random() % (64 * 64));
    float const depth = 0.5f + static_cast<float>(random() % 100000) / 1000;
    for (std::uint32_t tile = centre; tile <= centre + 1 && tile / 64 == centre / 64; ++tile) {
      keys.push_back(key_of(tile, depth));
      splats.push_back(splat);
      expected.emplace_back(tile, depth, splat);
    }
  }

  int devices = 0;
  bool const gpu = cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
  auto const drawn =
      gpu ? drawing_order(thrust::device_vector<std::uint64_t>(keys), thrust::device_vector<std::uint32_t>(splats))
          : drawing_order(keys, splats);
  std::printf("The %s put %zu splats in %zu places in order\n", gpu ? "GPU" : "CPU", std::size_t{100000},
              drawn.size());

  std::sort(expected.begin(), expected.end());  // the sort above is stable, so at one depth splats are in order too
  bool const right = std::equal(drawn.begin(), drawn.end(), expected.begin(), expected.end(),
                                [](std::uint32_t splat, auto const& place) { return splat == std::get<2>(place); });
  return right ? 0 : 1;
}
