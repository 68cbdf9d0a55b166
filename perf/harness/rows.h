// What families use to say which rows they have.
#pragma once
#include <harness/candidate.h>
#include <harness/dataset.h>
#include <harness/random.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace perf {

// The registered kinds, those of the same problem together, so that their rows share inputs. The order is by name,
// which does not depend on the linker's.
inline std::vector<std::vector<candidate_kind const*>> kinds_by_problem() {
  std::map<std::tuple<std::string, std::string, std::string, std::string>, std::vector<candidate_kind const*>> groups;
  for (candidate_kind const& kind : candidate_kinds()) {
    groups[{kind.key, kind.value, kind.algorithm, kind.comparator}].push_back(&kind);
  }
  std::vector<std::vector<candidate_kind const*>> sorted;
  for (auto& [problem, kinds] : groups) {
    std::sort(kinds.begin(), kinds.end(), [](auto const* a, auto const* b) { return a->library < b->library; });
    sorted.push_back(kinds);
  }
  return sorted;
}

// Of inputs of up to so many bytes, by default about 4 GB, and 2^28 items.
inline std::int64_t largest_size(candidate_kind const& kind, std::size_t most_bytes = std::size_t{5} << 30) {
  static std::map<std::pair<std::string, std::string>, std::size_t> known;
  std::size_t& item_bytes = known[{kind.key, kind.data}];
  if (item_bytes == 0) item_bytes = dataset_makers().at({kind.key, kind.data})()->item_bytes();
  std::int64_t size = std::int64_t{1} << 28;
  while (static_cast<std::size_t>(size) * item_bytes > most_bytes) size /= 2;
  return size;
}

// Whether n is 4^k for some k, of which there are enough for a curve.
inline bool is_even_power(std::int64_t n) { return (n & 0x5555'5555'5555'5555) == n; }

// Every kind with each distribution at every power of two from 2^10 on. by_default(kind, distribution, n) says which
// of the rows run if none are asked for.
template <class ByDefault>
std::vector<row> rows_of_powers(std::initializer_list<distribution> distributions, ByDefault by_default) {
  std::vector<row> rows;
  for (auto const& group : kinds_by_problem()) {
    for (distribution const from : distributions) {
      for (std::int64_t n = std::int64_t{1} << 10; n <= largest_size(*group.front()); n *= 2) {
        for (candidate_kind const* const kind : group) rows.push_back({kind, from, n, by_default(*kind, from, n)});
      }
    }
  }
  return rows;
}

// The rows of a family that passes over its items once. By default those of up to 1 GB run: of the main kind all
// sizes, of the others enough for a curve, and the largest.
inline std::vector<row> rows_of_passes(std::string const& main_key, std::string const& main_comparator) {
  auto const by_default = [&](candidate_kind const& kind, distribution, std::int64_t n) {
    bool const is_main = kind.key == main_key && kind.comparator == main_comparator;
    std::int64_t const largest = largest_size(kind, std::size_t{1} << 30);
    return n == largest || (n < largest && (is_main || is_even_power(n)));
  };
  return rows_of_powers({distribution::summands}, by_default);
}

// Random sizes up to `largest`, in rising order: every other one uniform, so that the curve has no gaps where calls
// take long, the rest log-uniform from 2^10, so that it has none where they are short.
inline std::vector<std::int64_t> random_sizes(int count, std::int64_t largest) {
  std::vector<std::int64_t> sizes;
  double const log_range = std::log2(static_cast<double>(largest)) - 10;
  for (int i = 0; i < count; ++i) {
    double const random = static_cast<double>(random_word(static_cast<std::uint64_t>(i), 7) >> 11) * 0x1p-53;
    double const size = i % 2 == 0 ? random * static_cast<double>(largest) : std::exp2(10 + random * log_range);
    sizes.push_back(std::clamp<std::int64_t>(static_cast<std::int64_t>(size), 1, largest));
  }
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

}  // namespace perf
