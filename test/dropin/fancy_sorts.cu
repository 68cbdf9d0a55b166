// Thrust and mgpu agree on sorting and merging through fancy iterators.
#include <dropin/program.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

namespace fancy_sorts {

using dropin::count;
using dropin::first_of;
using dropin::policy;
using dropin::show;

struct times {
  int factor;
  __host__ __device__ int operator()(int i) const { return factor * i; }
};

// This iterator visits every `stride`-th item.
template <class Iterator>
auto strided(Iterator first, int stride) {
  return thrust::make_permutation_iterator(
      first, thrust::make_transform_iterator(thrust::make_counting_iterator(0), times{stride}));
}

template <class T>
dropin::vector<T> column(std::vector<T> const& items) {
  return dropin::vector<T>(items.begin(), items.end());
}

void zipped_keys() {
  auto major = column(dropin::drawn<int>(count, 100, 1));
  auto minor = column(dropin::shuffled<float>());
  auto places = column(dropin::numbered());
  auto const keys = thrust::make_zip_iterator(first_of(major), first_of(minor));
  algo::sort_by_key(policy, keys, keys + count, first_of(places));
  show("zip less, major", major);
  show("zip less, minor", minor);
  show("zip less, places", places);
  auto const by_minor = [] __host__ __device__(thrust::tuple<int, float> const& a,
                                               thrust::tuple<int, float> const& b) {
    return thrust::get<1>(a) > thrust::get<1>(b);
  };
  algo::sort(policy, keys, keys + count, by_minor);
  show("zip by minor, major", major);
  show("zip by minor, minor", minor);
}

void zipped_values() {
  auto keys = column(dropin::drawn<unsigned>());
  auto ids = column(dropin::numbered<int>());
  auto weights = column(dropin::drawn<double>(count, 5000, 2));
  auto flags = column(dropin::drawn<char>(count, 100, 3));
  auto const values = thrust::make_zip_iterator(first_of(ids), first_of(weights), first_of(flags));
  algo::stable_sort_by_key(policy, first_of(keys), first_of(keys) + count, values);
  show("columns, keys", keys);
  show("columns, ids", ids);
  show("columns, weights", weights);
  show("columns, flags", flags);
}

void rearranged() {
  auto keys = column(dropin::shuffled());
  auto places = column(dropin::numbered());
  int const half = count / 2;
  algo::sort(policy, strided(first_of(keys), 2), strided(first_of(keys), 2) + half);
  show("strided", keys);
  auto const backwards = thrust::make_reverse_iterator(first_of(keys) + count);
  algo::sort_by_key(policy, backwards, backwards + half, first_of(places));
  show("reverse, keys", keys);
  show("reverse, values", places);
  auto const map = column(dropin::shuffled());
  auto const mapped = thrust::make_permutation_iterator(first_of(keys), first_of(map));
  algo::stable_sort(policy, mapped, mapped + count, cuda::std::greater<>());
  show("permutation", keys);
}

void merges() {
  auto const odd = thrust::make_transform_iterator(thrust::make_counting_iterator(0), times{3});
  auto const plain = thrust::make_counting_iterator(1000);
  dropin::vector<int> out(2 * count);
  dropin::vector<int> values(2 * count);
  algo::merge(policy, odd, odd + count, plain, plain + count,
              thrust::make_transform_output_iterator(first_of(out), times{10}));
  show("merge, transformed output", out);
  algo::merge_by_key(policy, odd, odd + count, plain, plain + count, plain, odd, first_of(out), first_of(values));
  show("merge_by_key, keys", out);
  show("merge_by_key, values", values);
  algo::merge_by_key(policy, odd, odd + count, plain, plain + count, odd, plain, thrust::make_discard_iterator(),
                     first_of(values));
  show("merge_by_key, discarded keys", values);
}

// Without a policy, calls run by the iterators' system.
void system_of_iterators() {
#if !defined(MGPU_EMULATED)
  auto keys = column(dropin::drawn());
  auto values = column(dropin::numbered());
  auto const pairs = thrust::make_zip_iterator(keys.begin(), values.begin());
  algo::sort(pairs, pairs + count);
  show("zip without a policy, keys", keys);
  show("zip without a policy, values", values);
  algo::sort_by_key(thrust::make_reverse_iterator(keys.end()), thrust::make_reverse_iterator(keys.begin() + 5),
                    values.begin());
  show("reverse without a policy", keys);
#endif
}

DROPIN_PROGRAM(fancy_sorts) {
  zipped_keys();
  zipped_values();
  rearranged();
  merges();
  system_of_iterators();
}

}  // namespace fancy_sorts
