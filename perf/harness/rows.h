// What families use to say which rows they have.
#pragma once
#include <harness/candidate.h>
#include <harness/dataset.h>
#include <harness/random.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
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

// Inputs of up to about 4 GB, and 2^28 items.
inline std::int64_t largest_size(candidate_kind const& kind) {
  static std::map<std::pair<std::string, std::string>, std::int64_t> known;
  std::int64_t& size = known[{kind.key, kind.value}];
  if (size == 0) {
    std::size_t const bytes = dataset_makers().at({kind.key, kind.value})()->item_bytes();
    size = std::int64_t{1} << 28;
    while (static_cast<std::size_t>(size) * bytes > (std::size_t{1} << 32) + (std::size_t{1} << 30)) size /= 2;
  }
  return size;
}

// Whether n is 4^k for some k, of which there are enough for a curve.
inline bool is_even_power(std::int64_t n) { return (n & 0x5555'5555'5555'5555) == n; }

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
