// Thrust and mgpu agree on function objects: lambdas of either kind, with and without state, and those of std,
// cuda::std and thrust.
#include <dropin/program.h>
#include <thrust/functional.h>
#include <cuda/functional>
#include <cuda/std/functional>
#include <functional>

namespace functors {

using dropin::policy;
using dropin::show;
using dropin::show_value;

template <class T, class Comp>
void sort_both(char const* what, Comp comp) {
  auto const numbers = dropin::drawn<T>();
  auto const places = dropin::numbered();
  dropin::vector<T> keys(numbers.begin(), numbers.end());
  dropin::vector<T> more(numbers.begin(), numbers.end());
  dropin::vector<int> values(places.begin(), places.end());
  algo::stable_sort_by_key(policy, keys.begin(), keys.end(), values.begin(), comp);
  algo::stable_sort(policy, more.begin(), more.end(), comp);
  show(what, keys);
  show(what, more);
  show(what, values);
}

void comparators() {
  sort_both<double>("std::greater<double>", std::greater<double>());
  sort_both<double>("cuda::std::less<>", cuda::std::less<>());
  sort_both<unsigned>("thrust::greater<unsigned>", thrust::greater<unsigned>());
  sort_both<unsigned>("std::less<>", std::less<>());
  int center = 300;  // a constant would not be captured
  sort_both<int>("by distance", [center] __host__ __device__(int a, int b) {
    return (a - center) * (a - center) < (b - center) * (b - center);
  });
  sort_both<int>("by last digit", [] __host__ __device__(int a, int b) { return a % 10 < b % 10; });
}

void operators() {
  auto const numbers = dropin::drawn<unsigned>();
  dropin::vector<unsigned> const items(numbers.begin(), numbers.end());
  auto const first = items.begin();
  auto const last = items.end();
  auto const twice = [] __host__ __device__(unsigned x) { return 2 * x; };
  auto const either = [] __host__ __device__(unsigned a, unsigned b) { return a | b; };

  show_value("reduce std::plus<>", algo::reduce(policy, first, last, 0u, std::plus<>()));
  show_value("reduce multiplies", algo::reduce(policy, first, last, 1u, cuda::std::multiplies<unsigned>()));
  show_value("reduce minimum", algo::reduce(policy, first, last, 5000u, thrust::minimum<unsigned>()));
  show_value("reduce cuda::maximum", algo::reduce(policy, first, last, 0u, cuda::maximum<>()));
  show_value("reduce lambda", algo::reduce(policy, first, last, 0u, either));
  show_value("transform_reduce lambdas", algo::transform_reduce(policy, first, last, twice, 0u, either));
  show_value("transform_reduce negate",
             algo::transform_reduce(policy, first, last, cuda::std::negate<>(), 0u, std::bit_xor<>()));

  dropin::vector<unsigned> out(items.size());
  algo::inclusive_scan(policy, first, last, out.begin(), std::plus<unsigned>());
  show("inclusive_scan std::plus", out);
  algo::inclusive_scan(policy, first, last, out.begin(), either);
  show("inclusive_scan lambda", out);
  algo::exclusive_scan(policy, first, last, out.begin(), 7u, thrust::bit_xor<unsigned>());
  show("exclusive_scan thrust::bit_xor", out);
  algo::transform_inclusive_scan(policy, first, last, out.begin(), twice, cuda::std::plus<>());
  show("transform_inclusive_scan lambda", out);
  algo::transform_exclusive_scan(policy, first, last, out.begin(), twice, 0u, cuda::maximum<unsigned>());
  show("transform_exclusive_scan cuda::maximum", out);
}

// This operator is associative and does not commute: x -> slope * x + offset, one after the other.
struct affine {
  unsigned slope, offset;
};
struct to_affine {
  __host__ __device__ affine operator()(unsigned x) const { return {2 * x + 1, x}; }
};

void order_of_operands() {
  auto const numbers = dropin::drawn<unsigned>();
  dropin::vector<unsigned> const items(numbers.begin(), numbers.end());
  dropin::vector<affine> out(items.size());
  auto const compose = [] __host__ __device__(affine f, affine g) {
    return affine{f.slope * g.slope, f.offset * g.slope + g.offset};
  };
  algo::transform_inclusive_scan(policy, items.begin(), items.end(), out.begin(), to_affine(), compose);
  show("composed", out);
  algo::transform_exclusive_scan(policy, items.begin(), items.end(), out.begin(), to_affine(), affine{3, 4}, compose);
  show("composed from an init", out);
}

// These lambdas are for the device alone, as many code bases have them.
void device_lambdas() {
#if defined(__CUDACC__)
  auto const numbers = dropin::drawn();
  dropin::vector<int> items(numbers.begin(), numbers.end());
  dropin::vector<int> out(items.size());
  auto const sum = [] __device__(int a, int b) -> int { return a + b; };
  auto const half = [] __device__(int a) -> int { return a / 2; };
  show_value("reduce", algo::reduce(policy, items.begin(), items.end(), 0, sum));
  show_value("transform_reduce", algo::transform_reduce(policy, items.begin(), items.end(), half, 0, sum));
  algo::inclusive_scan(policy, items.begin(), items.end(), out.begin(), sum);
  show("inclusive_scan", out);
  algo::transform_exclusive_scan(policy, items.begin(), items.end(), out.begin(), half, 0, sum);
  show("transform_exclusive_scan", out);
  algo::sort(policy, items.begin(), items.end(), [] __device__(int a, int b) -> bool { return a > b; });
  show("sort", items);
#endif
}

DROPIN_PROGRAM(functors) {
  comparators();
  operators();
  order_of_operands();
  device_lambdas();
}

}  // namespace functors
