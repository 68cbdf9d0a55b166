// Histogram equalisation: a grey value becomes the share of pixels that are as dark or darker. In the sorted pixels
// the distance of two places tells how many have a value; none counts for more than a limit, or plain areas would
// turn into noise; and an inclusive scan adds the counts up.
#include <mgpu/mgpu.h>
#include <cuda_runtime.h>
#include <thrust/binary_search.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform.h>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <random>

template <class T>
using on_gpu = thrust::device_vector<T>;
template <class T>
using on_cpu = thrust::host_vector<T>;

using pixel = std::uint16_t;
constexpr int num_greys = 65536;
constexpr int limit = 400;

struct limited_count {
  int const* ends;  // how many pixels are as dark or darker
  __host__ __device__ int operator()(int grey) const {
    int const count = ends[grey] - (grey > 0 ? ends[grey - 1] : 0);
    return count < limit ? count : limit;
  }
};

struct share {
  int const* sums;
  __host__ __device__ pixel operator()(pixel grey) const {
    return static_cast<pixel>(std::int64_t{sums[grey]} * (num_greys - 1) / sums[num_greys - 1]);
  }
};

// Where the vectors live decides where all of this runs.
template <template <class> class Vector>
on_cpu<pixel> equalised(Vector<pixel> image) {
  Vector<pixel> sorted(image.size());
  mgpu::sort_copy(image.begin(), image.end(), sorted.begin());
  Vector<int> ends(num_greys), sums(num_greys);
  thrust::counting_iterator<int> const greys(0);
  thrust::upper_bound(sorted.begin(), sorted.end(), greys, greys + num_greys, ends.begin());
  mgpu::transform_inclusive_scan(greys, greys + num_greys, sums.begin(),
                                 limited_count{thrust::raw_pointer_cast(ends.data())}, cuda::std::plus<>{});
  thrust::transform(image.begin(), image.end(), image.begin(), share{thrust::raw_pointer_cast(sums.data())});
  return image;
}

int main() {
  std::mt19937 random(2013);
  std::normal_distribution<float> dull(20000, 500);
  on_cpu<pixel> image(1024 * 1024);
  for (pixel& item : image) item = static_cast<pixel>(std::clamp(dull(random), 0.0f, num_greys - 1.0f));

  int devices = 0;
  bool const gpu = cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
  auto const found = gpu ? equalised<on_gpu>(image) : equalised<on_cpu>(image);
  auto const show = [](char const* title, on_cpu<pixel> const& pixels) {
    auto const [darkest, lightest] = std::minmax_element(pixels.begin(), pixels.end());
    std::printf("%s: greys from %d to %d\n", title, *darkest, *lightest);
  };
  show("Before", image);
  show(gpu ? "Equalised by the GPU" : "Equalised by the CPU", found);

  on_cpu<int> sums(num_greys);
  for (pixel grey : image) ++sums[grey];
  for (int grey = 0, sum = 0; grey < num_greys; ++grey) sums[grey] = sum += std::min(sums[grey], limit);
  bool right = true;
  for (std::size_t i = 0; i < image.size(); ++i) right = right && found[i] == share{sums.data()}(image[i]);
  return right ? 0 : 1;
}
