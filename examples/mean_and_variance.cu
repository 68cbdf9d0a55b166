// Computes the weighted mean and variance of a million values in one transform_reduce: it reads the data once, and
// there are no intermediate arrays. Results are joined as Chan, Golub and LeVeque do (1983), so that large means do
// not cancel small variances away.
#include <mgpu/reduce.h>
#include <cuda_runtime.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>
#include <cmath>
#include <cstdio>

struct moments {
  double weight, mean, squares;  // squares: weighted squares of differences from the mean
};

struct moments_of_row {
  __host__ __device__ moments operator()(thrust::tuple<float, float> const& row) const {
    return {thrust::get<1>(row), thrust::get<0>(row), 0};
  }
};

struct join {
  __host__ __device__ moments operator()(moments const& a, moments const& b) const {
    double const weight = a.weight + b.weight;
    if (weight == 0) return a;
    double const difference = b.mean - a.mean;
    return {weight, a.mean + difference * b.weight / weight,
            a.squares + b.squares + difference * difference * a.weight * b.weight / weight};
  }
};

template <class Vector>
moments reduce(Vector const& values, Vector const& weights) {
  auto const rows = thrust::make_zip_iterator(values.begin(), weights.begin());
  auto const end = rows + static_cast<std::ptrdiff_t>(values.size());
  return mgpu::transform_reduce(rows, end, moments_of_row{}, moments{0, 0, 0}, join{});
}

int main() {
  // The values are 1000 + k / 100 for k = 0 ... 99, over and over; the odd ones count twice.
  std::size_t const count = 1000000;
  thrust::host_vector<float> values(count), weights(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = 1000 + static_cast<float>(i % 100) / 100;
    weights[i] = i % 2 == 0 ? 1 : 2;
  }
  int devices = 0;
  bool const gpu = cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
  moments const found = gpu ? reduce(thrust::device_vector<float>(values), thrust::device_vector<float>(weights))
                            : reduce(values, weights);
  double const variance = found.squares / found.weight;
  std::printf("On the %s: mean %.6f, variance %.6f\n", gpu ? "GPU" : "CPU", found.mean, variance);
  return std::abs(found.mean - 1000.496667) < 1e-5 && std::abs(variance - 0.083322) < 1e-5 ? 0 : 1;
}
