// bench_sort measures sort and sort_by_key of mgpu, Thrust and CUB.
#include <sorts.cuh>
#include <cmath>
#include <set>

using namespace perf;

namespace {

using sorts = std::tuple<
    sort_of<u32, none>, sort_of<u32, none, custom>, sort_of<u32, u32>, sort_of<u32, u32, custom>, sort_of<u32, u64>,
    sort_of<u32, b32>, sort_of<u32, b32, custom>, sort_of<u32, b64>, sort_of<u32, b64, custom>, sort_of<u32, b200>,
    sort_of<u32, b200, custom>, sort_of<b64, none, custom>, sort_of<b64, u32, custom>,  //
    sort_of<u64, none>, sort_of<u64, none, custom>, sort_of<u64, u32>, sort_of<u64, u64>, sort_of<u64, u64, custom>,
    sort_of<f32, none>, sort_of<f32, none, custom>, sort_of<f32, u32>, sort_of<f64, none>, sort_of<f64, none, custom>,
    sort_of<s16, none, custom>, sort_of<s16, u32, custom>, sort_of<u8, none>, sort_of<u16, none>>;

// Returns random sizes up to 2^26, as in the curve of Merrill and Grimshaw (CS2010-03). Every other one is uniform,
// so that the curve has no gaps where calls take long. The rest are log-uniform from 2^10, so that it has none where
// they are short.
std::set<std::int64_t> random_sizes() {
  std::set<std::int64_t> sizes;
  for (u64 i = 0; i < 1500; ++i) {
    double const random = (random_word(i, 7) >> 11) * 0x1p-53;
    double const size = i % 2 == 0 ? std::exp2(26) * random : std::exp2(10 + random * (26 - 10));
    sizes.insert(std::max<std::int64_t>(size, 1));
  }
  return sizes;
}

template <class Key, class Value, class... Comp>
problem sorting(sort_of<Key, Value, Comp...> kind) {
  constexpr bool is_natural = sizeof...(Comp) == 0;
  constexpr bool is_u32 = std::is_same_v<Key, u32>;
  constexpr bool has_values = !std::is_same_v<Value, none>;
  constexpr bool is_main =
      (is_u32 && (!has_values || std::is_same_v<Value, u32>)) || (std::is_same_v<Key, u64> && !has_values);
  problem of = problem_of(kind);
  of.candidates = candidates_for_sorting<Key, Value>([](job const&) { return Comp{}; }...);
  std::vector<distribution> all = {
      distribution::uniform,  distribution::entropy_0_544, distribution::entropy_0_201, distribution::entropy_0,
      distribution::sorted,   distribution::reversed,      distribution::distinct_16,   distribution::disturbed_1,
      distribution::low_half, distribution::long_runs,     distribution::sorted_runs,   distribution::zipf,
  };
  if constexpr (std::is_floating_point_v<Key> && is_natural) {
    all.insert(all.end(), {distribution::fractions, distribution::normal});
  }
  // By default there are the kinds that matter most over all sizes, the others at a small and two large sizes, and
  // what the distribution does at a large one, or, of floats, at the largest.
  of.add_inputs(all, [&](distribution from, std::int64_t n) {
    bool const large = n == std::min(std::int64_t{1} << 26, largest_size(of.item_bytes));
    bool const largest = n == largest_size(of.item_bytes, std::size_t{2} << 30);
    if (from == distribution::fractions || from == distribution::normal) return largest;
    // Fewer items than are looked at for sorted runs are sorted by a comparator, too.
    bool const is_one_run = from == distribution::sorted || from == distribution::reversed;
    bool const few_of_one_run = is_one_run && !is_natural && (n == 1 << 20 || n == 1 << 22);
    if (from != distribution::uniform) return is_main && (few_of_one_run || (large && (is_u32 || is_natural)));
    return largest || (is_main ? is_even_power(n) : large || n == std::int64_t{1} << 20);
  });
  // One launch of a digit pass takes fewer than 2^30 items, and the rate must hold where there is more than one.
  constexpr std::int64_t most = std::int64_t{1} << 30;
  auto const never = [](distribution, std::int64_t) { return false; };
  if (is_u32 && is_main && is_natural) of.add_inputs({all[0]}, never, {most / 2, most, most + 4096, 2 * most});
  if (is_u32 && is_main) {
    for (std::int64_t const n : random_sizes()) of.inputs.push_back({all[0], n, true, true});
  }
  return of;
}

[[maybe_unused]] bool const added = add_problems(sorts{}, [](auto of) { return sorting(of); });

}  // namespace
