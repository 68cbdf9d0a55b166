// Sorts particles into Morton order, in which those that are near each other in space come to lie near each other in
// memory. The columns of the table are sorted as one, through a zip iterator, by keys that are made of the positions.
#include <mgpu/sort.h>
#include <cuda_runtime.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

template <class T>
using on_gpu = thrust::device_vector<T>;
template <class T>
using on_cpu = thrust::host_vector<T>;

using particle = thrust::tuple<float, float, float, float>;  // x, y, z from [0, 1), and the mass

// The code has the bits of x, y and z in turns.
struct morton_code {
  __host__ __device__ static std::uint64_t spread(float number) {
    std::uint64_t bits = static_cast<std::uint32_t>(number * (1 << 21));
    bits = (bits | bits << 32) & 0x001f00000000ffff;
    bits = (bits | bits << 16) & 0x001f0000ff0000ff;
    bits = (bits | bits << 8) & 0x100f00f00f00f00f;
    bits = (bits | bits << 4) & 0x10c30c30c30c30c3;
    return (bits | bits << 2) & 0x1249249249249249;
  }
  __host__ __device__ std::uint64_t operator()(particle const& p) const {
    return spread(thrust::get<0>(p)) << 2 | spread(thrust::get<1>(p)) << 1 | spread(thrust::get<2>(p));
  }
};

// Where the vectors live decides where all of this runs.
template <template <class> class Vector>
std::vector<particle> in_morton_order(Vector<float> x, Vector<float> y, Vector<float> z, Vector<float> mass) {
  Vector<std::uint64_t> codes(x.size());
  auto const particles = thrust::make_zip_iterator(x.begin(), y.begin(), z.begin(), mass.begin());
  thrust::transform(particles, particles + static_cast<std::ptrdiff_t>(x.size()), codes.begin(), morton_code{});
  mgpu::sort_by_key(codes.begin(), codes.end(), particles);
  on_cpu<float> const columns[] = {x, y, z, mass};
  auto const sorted =
      thrust::make_zip_iterator(columns[0].begin(), columns[1].begin(), columns[2].begin(), columns[3].begin());
  return {sorted, sorted + static_cast<std::ptrdiff_t>(x.size())};
}

int main() {
  std::mt19937 random(2013);
  on_cpu<float> columns[4];
  std::vector<particle> expected(100000);
  for (particle& p : expected) {
    for (auto& column : columns) column.push_back(static_cast<float>(random() >> 8) / (1 << 24));
    p = {columns[0].back(), columns[1].back(), columns[2].back(), columns[3].back()};
  }
  int devices = 0;
  bool const gpu = cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
  auto const sorted = gpu ? in_morton_order<on_gpu>(columns[0], columns[1], columns[2], columns[3])
                          : in_morton_order<on_cpu>(columns[0], columns[1], columns[2], columns[3]);

  std::stable_sort(expected.begin(), expected.end(),
                   [](particle const& a, particle const& b) { return morton_code{}(a) < morton_code{}(b); });
  bool const right = sorted == expected;
  std::printf("%zu particles in Morton order, by the %s\n", sorted.size(), gpu ? "GPU" : "CPU");
  return right ? 0 : 1;
}
