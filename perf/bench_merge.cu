// bench_merge measures merge and merge_by_key of mgpu, Thrust and CUB, with two runs of n/2 items.
#include <harness/data.cuh>
#include <harness/libraries.cuh>
#include <mgpu/merge.h>
#include <cub/device/device_merge.cuh>
#include <thrust/merge.h>

using namespace perf;

namespace {

// Libraries want a comparator in any case, and `natural` in rows is less
using less = cuda::std::less<>;
template <class Key, class Value, class Comp = less>
struct merge_of {};
using merges =
    std::tuple<merge_of<u32, none>, merge_of<u32, u32>, merge_of<u32, b200>, merge_of<u64, none>, merge_of<u64, u64>,
               merge_of<f32, none>, merge_of<s16, none, custom>, merge_of<s16, u32, custom>>;

// These are the runs and the output of a call. The second run begins where the first ends.
template <class Key, class Value>
struct runs {
  input const& of;
  Key const* a = as<Key const>(of.in.keys);
  Key const* b = a + of.n / 2;
  Key const* end = a + of.n;
  Value const* a_values = as<Value const>(of.in.values);
  Value const* b_values = a_values + of.n / 2;
  Key* out = as<Key>(of.work.keys);
  Value* out_values = as<Value>(of.work.values);
};

template <class Key, class Value, class Comp>
problem merging(merge_of<Key, Value, Comp>) {
  constexpr bool by_key = !std::is_same_v<Value, none>;
  auto const call = [](auto const& policy, job& of) {
    using thrust::merge, thrust::merge_by_key;
    runs<Key, Value> const r{of.data};
    if constexpr (by_key) {
      merge_by_key(policy, r.a, r.b, r.b, r.end, r.a_values, r.b_values, r.out, r.out_values, Comp{});
    } else {
      merge(policy, r.a, r.b, r.b, r.end, r.out, Comp{});
    }
  };
  auto const cub_call = [](void* temp, std::size_t& bytes, auto n, job& of) {
    runs<Key, cub_value<Value>> const r{of.data};
    return cub::DeviceMerge::MergePairs(temp, bytes, r.a, r.a_values, n / 2, r.b, r.b_values, n - n / 2, r.out,
                                        r.out_values, Comp{}, stream());
  };
  problem of = make_problem<Key, Value>("merge", std::is_same_v<Comp, less> ? "natural" : "custom",
                                        generate_to_be_sorted<Key, Value, false>);
  of.candidates = with_peers<std::int64_t>(with_mgpu(call), call, cub_call);  // CUB counts in 64 bits only
  constexpr bool is_main = std::is_same_v<Key, u32> && (!by_key || std::is_same_v<Value, u32>);
  auto const by_default = [&](distribution from, std::int64_t n) {
    if (from == distribution::mixed_runs && is_main) return is_even_power(n);
    return n == std::min(std::int64_t{1} << 26, largest_size(of.item_bytes));
  };
  of.add_inputs({distribution::mixed_runs, distribution::apart_runs, distribution::distinct_16_runs}, by_default);
  return of;
}

[[maybe_unused]] bool const added = add_problems(merges{}, [](auto of) { return merging(of); });

}  // namespace
