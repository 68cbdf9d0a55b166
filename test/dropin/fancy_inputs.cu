// Thrust and mgpu agree on reducing and scanning through fancy iterators, to fancy outputs.
#include <dropin/program.h>
#include <thrust/functional.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_input_output_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

namespace fancy_inputs {

using dropin::count;
using dropin::first_of;
using dropin::policy;
using dropin::show;
using dropin::show_value;

struct square {
  __host__ __device__ long long operator()(int x) const { return static_cast<long long>(x) * x; }
};
struct twice {
  __host__ __device__ int operator()(int x) const { return 2 * x; }
};
struct half {
  __host__ __device__ int operator()(int x) const { return x / 2; }
};
struct product {
  __host__ __device__ long long operator()(thrust::tuple<int, short> const& x) const {
    return static_cast<long long>(thrust::get<0>(x)) * thrust::get<1>(x);
  }
};
using pair_of_sums = thrust::tuple<int, long long>;
struct add_pairs {
  __host__ __device__ pair_of_sums operator()(pair_of_sums const& a, pair_of_sums const& b) const {
    return {thrust::get<0>(a) + thrust::get<0>(b), thrust::get<1>(a) + thrust::get<1>(b)};
  }
};

template <class T>
dropin::vector<T> column(std::vector<T> const& items) {
  return dropin::vector<T>(items.begin(), items.end());
}

void reductions() {
  auto const numbers = column(dropin::drawn());
  auto const factors = column(dropin::drawn<short>(count, 50, 2));
  auto const wide = column(dropin::drawn<long long>(count, 50000, 3));
  auto const map = column(dropin::shuffled());
  auto const counting = thrust::make_counting_iterator(0);
  auto const constant = thrust::make_constant_iterator(3);
  auto const squares = thrust::make_transform_iterator(first_of(numbers), square());
  auto const pairs = thrust::make_zip_iterator(first_of(numbers), first_of(factors));
  auto const sums = thrust::make_zip_iterator(first_of(numbers), first_of(wide));
  auto const mapped = thrust::make_permutation_iterator(first_of(numbers), first_of(map));
  auto const backwards = thrust::make_reverse_iterator(first_of(numbers) + count);

  show_value("counting", algo::reduce(policy, counting, counting + count, 0LL));
  show_value("constant", algo::reduce(policy, constant, constant + count));
  show_value("squares", algo::reduce(policy, squares, squares + count));
  show_value("dot product", algo::transform_reduce(policy, pairs, pairs + count, product(), 0LL, thrust::plus<>()));
  show_value("permuted", algo::reduce(policy, mapped, mapped + count / 2));
  show_value("reverse", algo::reduce(policy, backwards, backwards + count / 2, 0, thrust::maximum<int>()));
  auto const both = algo::reduce(policy, sums, sums + count, pair_of_sums(1, 2), add_pairs());
  show_value("two sums, first", thrust::get<0>(both));
  show_value("two sums, second", thrust::get<1>(both));
}

void scans() {
  auto const numbers = column(dropin::drawn());
  auto const map = column(dropin::shuffled());
  auto const counting = thrust::make_counting_iterator(1);
  auto const constant = thrust::make_constant_iterator(2);
  auto const squares = thrust::make_transform_iterator(first_of(numbers), square());
  auto const backwards = thrust::make_reverse_iterator(first_of(numbers) + count);
  dropin::vector<int> out(count);
  dropin::vector<long long> wide(count);

  algo::inclusive_scan(policy, constant, constant + count, first_of(out));
  show("constant", out);
  algo::exclusive_scan(policy, counting, counting + count, first_of(wide), 0LL);
  show("counting", wide);
  algo::inclusive_scan(policy, squares, squares + count, first_of(wide));
  show("squares", wide);
  algo::inclusive_scan(policy, backwards, backwards + count, thrust::make_reverse_iterator(first_of(out) + count));
  show("suffix sums", out);
  algo::exclusive_scan(policy, first_of(numbers), first_of(numbers) + count,
                       thrust::make_permutation_iterator(first_of(out), first_of(map)));
  show("scattered", out);
  algo::inclusive_scan(policy, first_of(numbers), first_of(numbers) + count,
                       thrust::make_transform_output_iterator(first_of(out), twice()), thrust::maximum<int>());
  show("transformed output", out);
  auto const halves = thrust::make_transform_input_output_iterator(first_of(out), half(), twice());
  algo::exclusive_scan(policy, halves, halves + count, halves, 1, thrust::maximum<int>());
  show("transformed in place", out);

  auto const sums_in = thrust::make_zip_iterator(first_of(numbers), squares);
  auto const sums_out = thrust::make_zip_iterator(first_of(out), first_of(wide));
  algo::inclusive_scan(policy, sums_in, sums_in + count, sums_out, add_pairs());
  show("two sums, first", out);
  show("two sums, second", wide);
  auto const discarded =
      algo::inclusive_scan(policy, first_of(numbers), first_of(numbers) + count, thrust::make_discard_iterator());
  show_value("discarded", discarded - thrust::make_discard_iterator());
}

DROPIN_PROGRAM(fancy_inputs) {
  reductions();
  scans();
}

}  // namespace fancy_inputs
