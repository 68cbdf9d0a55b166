// Calls every overload that Thrust has of every algorithm, with the policy given, or with none.
#pragma once
#include <dropin/program.h>
#include <thrust/functional.h>
#include <string>
#include <vector>

namespace dropin {

struct by_tens {
  __host__ __device__ bool operator()(int a, int b) const { return a / 10 < b / 10; }
};
struct halve {
  __host__ __device__ long long operator()(int x) const { return x / 2; }
};

// Shows the results of one call, which are two columns that it reads or writes.
template <class Vector, class Call>
void call_on(std::string const& what, std::vector<int> const& keys, Call call) {
  std::vector<int> const values = numbered(static_cast<int>(keys.size()));
  Vector a(keys.begin(), keys.end());
  Vector b(values.begin(), values.end());
  wait();
  call(a, b);
  show(what + ", a", a);
  show(what + ", b", b);
}

template <class Vector, class... Policy>
void call_sorts(std::string const& how, Policy const&... policy) {
  thrust::greater<int> const greater;
  auto const unique = shuffled();
  auto const repeated = drawn();
  call_on<Vector>(how + " sort", repeated, [&](auto& a, auto& b) {
    algo::sort(policy..., a.begin(), a.end());
    algo::sort(policy..., b.begin(), b.end(), greater);
  });
  call_on<Vector>(how + " stable_sort", repeated, [&](auto& a, auto& b) {
    algo::stable_sort(policy..., a.begin(), a.end());
    algo::stable_sort(policy..., b.begin(), b.end(), by_tens{});
  });
  call_on<Vector>(how + " sort_by_key", unique,
                  [&](auto& a, auto& b) { algo::sort_by_key(policy..., a.begin(), a.end(), b.begin()); });
  call_on<Vector>(how + " sort_by_key greater", unique,
                  [&](auto& a, auto& b) { algo::sort_by_key(policy..., a.begin(), a.end(), b.begin(), greater); });
  call_on<Vector>(how + " stable_sort_by_key", repeated,
                  [&](auto& a, auto& b) { algo::stable_sort_by_key(policy..., a.begin(), a.end(), b.begin()); });
  call_on<Vector>(how + " stable_sort_by_key by tens", repeated, [&](auto& a, auto& b) {
    algo::stable_sort_by_key(policy..., a.begin(), a.end(), b.begin(), by_tens{});
  });
}

template <class Vector, class... Policy>
void call_merges(std::string const& how, Policy const&... policy) {
  std::vector<int> const odd = drawn(count, 5000, 2);
  Vector one(odd.begin(), odd.end());
  Vector two(odd.begin() + count / 3, odd.end());
  algo::sort(policy..., one.begin(), one.end(), thrust::greater<int>());
  algo::sort(policy..., two.begin(), two.end());
  wait();  // the copy may be on another stream
  Vector const keys2 = two;
  std::vector<int> const both(one.size() + keys2.size(), -1);
  auto const merged = [&](char const* what, auto call) { call_on<Vector>(how + what, both, call); };
  merged(" merge greater", [&](auto& a, auto&) {
    auto const middle = one.begin() + count / 4;
    auto const end =
        algo::merge(policy..., one.begin(), middle, middle, one.end(), a.begin(), thrust::greater<int>());
    show_value("end", end - a.begin());
  });
  algo::sort(policy..., one.begin(), one.end());
  merged(" merge", [&](auto& a, auto&) {
    algo::merge(policy..., one.begin(), one.end(), keys2.begin(), keys2.end(), a.begin());
  });
  std::vector<int> const places = numbered();
  Vector const values(places.begin(), places.end());
  merged(" merge_by_key", [&](auto& a, auto& b) {
    auto const ends = algo::merge_by_key(policy..., one.begin(), one.end(), keys2.begin(), keys2.end(),
                                         values.begin(), values.cbegin(), a.begin(), b.begin());
    show_value("keys end", ends.first - a.begin());
    show_value("values end", ends.second - b.begin());
  });
  merged(" merge_by_key by tens", [&](auto& a, auto& b) {
    algo::merge_by_key(policy..., one.begin(), one.end(), keys2.begin(), keys2.end(), values.begin(), values.begin(),
                       a.begin(), b.begin(), by_tens{});
  });
}

template <class Vector, class... Policy>
void call_reductions(std::string const& how, Policy const&... policy) {
  thrust::maximum<int> const maximum;
  std::vector<int> const numbers = drawn();
  Vector const items(numbers.begin(), numbers.end());
  auto const first = items.begin();
  auto const last = items.end();
  show_value(how + " reduce", algo::reduce(policy..., first, last));
  show_value(how + " reduce init", algo::reduce(policy..., first, last, 10LL));
  show_value(how + " reduce op", algo::reduce(policy..., first, last, -1, maximum));
  show_value(how + " transform_reduce",
             algo::transform_reduce(policy..., first, last, halve{}, 7LL, thrust::plus<long long>()));
}

template <class Vector, class... Policy>
void call_scans(std::string const& how, Policy const&... policy) {
  thrust::maximum<int> const maximum;
  std::vector<int> const numbers = drawn();
  Vector const in(numbers.begin(), numbers.end());
  auto const first = in.begin();
  auto const last = in.end();
  auto const scanned = [&](char const* what, auto call) { call_on<Vector>(how + what, numbers, call); };
  scanned(" inclusive_scan", [&](auto& a, auto& b) {
    auto const end = algo::inclusive_scan(policy..., first, last, a.begin());
    show_value("end", end - a.begin());
    algo::inclusive_scan(policy..., first, last, b.begin(), maximum);
  });
  scanned(" inclusive_scan init", [&](auto& a, auto& b) {
    algo::inclusive_scan(policy..., first, last, a.begin(), 500, maximum);
    algo::inclusive_scan(policy..., b.begin(), b.end(), b.begin());  // in place
  });
  scanned(" exclusive_scan", [&](auto& a, auto& b) {
    algo::exclusive_scan(policy..., first, last, a.begin());
    algo::exclusive_scan(policy..., b.begin(), b.end(), b.begin(), 5);
  });
  scanned(" exclusive_scan op", [&](auto& a, auto& b) {
    algo::exclusive_scan(policy..., first, last, a.begin(), 500, maximum);
    algo::transform_exclusive_scan(policy..., first, last, b.begin(), halve{}, 7LL, thrust::plus<long long>());
  });
  scanned(" transform_inclusive_scan", [&](auto& a, auto& b) {
    algo::transform_inclusive_scan(policy..., first, last, a.begin(), halve{}, thrust::plus<>());
    algo::transform_inclusive_scan(policy..., first, last, b.begin(), halve{}, 7LL, thrust::plus<>());
  });
}

template <class Vector, class... Policy>
void call_every(std::string const& how, Policy const&... policy) {
  call_sorts<Vector>(how, policy...);
  call_merges<Vector>(how, policy...);
  call_reductions<Vector>(how, policy...);
  call_scans<Vector>(how, policy...);
}

}  // namespace dropin
