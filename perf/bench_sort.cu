// bench_sort measures sort and sort_by_key of mgpu, Thrust and CUB.
#include <sorts.cuh>

using namespace perf;

namespace {

using sorts = std::tuple<
    sort_of<u32, none>, sort_of<u32, none, custom>, sort_of<u32, u32>, sort_of<u32, u32, custom>, sort_of<u32, u64>,
    sort_of<u32, b32>, sort_of<u32, b32, custom>, sort_of<u32, b64>, sort_of<u32, b64, custom>, sort_of<u32, b200>,
    sort_of<u32, b200, custom>, sort_of<b64, none, custom>, sort_of<b64, u32, custom>,  //
    sort_of<u64, none>, sort_of<u64, none, custom>, sort_of<u64, u32>, sort_of<u64, u64>, sort_of<u64, u64, custom>,
    sort_of<f32, none>, sort_of<f32, none, custom>, sort_of<f32, u32>, sort_of<f64, none>, sort_of<f64, none, custom>,
    sort_of<s16, none, custom>, sort_of<s16, u32, custom>, sort_of<u8, none>, sort_of<u16, none>>;

template <class Key, class Value, class... Comp>
problem sorting(sort_of<Key, Value, Comp...> kind) {
  constexpr bool is_natural = sizeof...(Comp) == 0;
  constexpr bool is_u32 = std::is_same_v<Key, u32>;
  constexpr bool has_values = !std::is_same_v<Value, none>;
  constexpr bool is_main =
      (is_u32 && (!has_values || std::is_same_v<Value, u32>)) || (std::is_same_v<Key, u64> && !has_values);
  problem of = problem_of(kind);
  of.candidates = candidates_for_sorting<Key, Value>([](job const&) { return Comp{}; }...);
  of.distributions = {
      distribution::uniform,  distribution::entropy_0_544, distribution::entropy_0_201, distribution::entropy_0,
      distribution::sorted,   distribution::reversed,      distribution::distinct_16,   distribution::disturbed_1,
      distribution::low_half, distribution::long_runs,     distribution::sorted_runs,   distribution::zipf,
  };
  if constexpr (std::is_floating_point_v<Key> && is_natural) {
    of.distributions.insert(of.distributions.end(), {distribution::fractions, distribution::normal});
  }
  // By default there are the kinds that matter most over all sizes, the others at a small and two large sizes, and
  // what the distribution does at a large one, or, of floats, at the largest.
  of.by_default = [bytes = of.item_bytes](distribution from, std::int64_t n) {
    bool const large = n == std::min(std::int64_t{1} << 26, largest_size(bytes));
    bool const largest = n == largest_size(bytes, std::size_t{2} << 30);
    if (from == distribution::fractions || from == distribution::normal) return largest;
    if (from != distribution::uniform) return large && is_main && (is_u32 || is_natural);
    return largest || (is_main ? is_even_power(n) : large || n == std::int64_t{1} << 20);
  };
  // One launch of a digit pass takes fewer than 2^30 items, and the rate must hold where there is more than one.
  constexpr std::int64_t most = std::int64_t{1} << 30;
  if (is_u32 && is_main && is_natural) of.further_sizes = {most / 2, most, most + 4096, 2 * most};
  of.has_random_sizes = is_u32 && is_main;  // as in the curve of Merrill and Grimshaw (CS2010-03)
  return of;
}

[[maybe_unused]] bool const added = add_problems(sorts{}, [](auto of) { return sorting(of); });

}  // namespace
