// Scans and reductions compile on one architecture of each kind: in order and in any, of what fits a register and
// what does not. This never runs.
#include <mgpu/reduce.h>
#include <mgpu/scan.h>
#include <cuda/functional>
#include <cstdint>

struct mixed {
  double factor;
  std::uint8_t last;
};
struct combine {
  __device__ mixed operator()(mixed const& a, mixed const& b) const { return {a.factor * b.factor, b.last}; }
};

void on_each_kind(int* keys, int* out, mixed* items, int num_items) {
  mgpu::inclusive_scan(mgpu::par, keys, keys + num_items, out);
  mgpu::exclusive_scan(mgpu::par, items, items + num_items, items, mixed{}, combine{});
  mgpu::reduce_into(mgpu::par, keys, keys + num_items, out);
  mgpu::reduce_into(mgpu::par, keys, keys + num_items, out, 0, cuda::maximum<>{});
  mgpu::reduce_into(mgpu::par, items, items + num_items, items, mixed{}, combine{});
}
