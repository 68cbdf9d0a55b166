// Finds the first rows of a table by an order of one's own: by region, there the largest revenue first, and of equal
// ones the earlier year. The table stays as it is: argsort tells which row belongs where.
#include <mgpu/sort.h>
#include <mgpu/sort_copy.h>
#include <cuda_runtime.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <random>

namespace {

struct sale {
  std::int32_t region;
  std::int32_t year;
  float revenue;
};

struct report_order {
  __host__ __device__ bool operator()(sale const& a, sale const& b) const {
    if (a.region != b.region) return a.region < b.region;
    if (a.revenue != b.revenue) return a.revenue > b.revenue;
    return a.year < b.year;
  }
};

// Where the vectors live decides where the sort runs.
template <class Sales, class Rows>
thrust::host_vector<std::uint32_t> order_of(Sales const& sales, Rows rows) {
  mgpu::argsort(sales.begin(), sales.end(), rows.begin(), report_order{});
  return rows;
}

}  // namespace

int main() {
  std::mt19937 random(2013);
  thrust::host_vector<sale> sales(100000);
  for (sale& row : sales) {
    row = {static_cast<std::int32_t>(random() % 20), 2000 + static_cast<std::int32_t>(random() % 25),
           static_cast<float>(random() % 5000) / 4};
  }

  thrust::host_vector<std::uint32_t> rows(sales.size());
  int devices = 0;
  bool const gpu = cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
  auto const order = gpu ? order_of(thrust::device_vector<sale>(sales), thrust::device_vector<std::uint32_t>(rows))
                         : order_of(sales, rows);
  std::printf("By the %s:\n   row region revenue year\n", gpu ? "GPU" : "CPU");
  for (std::size_t i = 0; i < 10; ++i) {
    sale const& row = sales[order[i]];
    std::printf("%6u %6d %7.2f %d\n", order[i], row.region, static_cast<double>(row.revenue), row.year);
  }

  std::iota(rows.begin(), rows.end(), 0u);
  std::stable_sort(rows.begin(), rows.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return report_order{}(sales[a], sales[b]); });
  return order == rows ? 0 : 1;
}
