// The tests of the scan share small tunings, items and operators that show a wrong order, and what must come out.
#pragma once
#include <mgpu/scan.h>
#include <support/device.h>
#include <support/items.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <set>
#include <type_traits>
#include <vector>

namespace test {

// --- Tunings.

template <int Warps, int Items, int Stages, int Groups, int Blocks = 2, int Rows = 2, int Patience = 8,
          int Cluster = 1>
struct scan_tuning {
#if MGPU_HAS_DEVICE
  __host__ __device__ static constexpr mgpu::detail::scan_tuning at(int) {
    return {Warps, Items, Stages, Groups, Blocks, Rows, Patience, Cluster};
  }
#endif
  static constexpr std::size_t tile_items = Warps * 32 * Items;
  static constexpr std::size_t cluster = Cluster;
};
using plain_scan = scan_tuning<2, 3, 1, 1>;
using pipelined_scan = scan_tuning<2, 3, 3, 2>;
using clustered_scan = scan_tuning<2, 3, 1, 1, 2, 2, 8, 5>;  // up to five tiles

// Returns none, few, the edges of a warp and of a tile, and a tile with one item behind full ones.
inline std::set<std::size_t> scan_sizes(std::size_t tile) {
  std::set<std::size_t> sizes{0, 1, 2, 31, 32, 33};
  for (std::size_t const tiles : {1, 2, 3, 9}) sizes.insert({tiles * tile - 1, tiles * tile, tiles * tile + 1});
  return sizes;
}

// --- Items. make() gives them by number and seed.

// A square matrix over the integers modulo 2^32: its product does not commute, and does not round.
template <int N>
struct matrix {
  std::uint32_t at[N][N];

  static matrix make(std::size_t number, std::uint32_t seed = 1) {
    matrix made;
    std::uint32_t state = static_cast<std::uint32_t>(number) * 2654435761u + seed;
    for (auto& row : made.at) {
      for (std::uint32_t& entry : row) entry = (state = state * 1664525u + 1013904223u) >> 8 | 1;
    }
    return made;
  }
};

// A piece [begin, end) of a text that is never written down. Pieces are joined where one ends and the next begins, so
// only neighbours in their order can be; of others a broken piece comes, which no join mends. The mark tells whole and
// broken pieces from what memory happened to hold.
struct piece {
  std::uint32_t begin;
  std::uint32_t end;
  std::uint32_t mark;

  __host__ __device__ static piece of(std::uint32_t begin, std::uint32_t end) {
    return {begin, end, (begin * 2654435761u) ^ (end * 2246822519u) ^ 0x9E3779B9u};
  }
  __host__ __device__ static piece broken(std::uint32_t begin, std::uint32_t end) {
    return {begin, end, ~of(begin, end).mark};
  }
  __host__ __device__ bool is_whole() const { return of(begin, end).mark == mark; }
  __host__ __device__ bool is_piece() const { return is_whole() || broken(begin, end).mark == mark; }
  static piece make(std::size_t number, std::uint32_t = 1) {
    return of(static_cast<std::uint32_t>(number) + 1, static_cast<std::uint32_t>(number) + 2);
  }
};

// An affine is the function x -> factor * x + summand modulo 2^32. It has no default constructor.
class affine {
 public:
  __host__ __device__ constexpr affine(std::uint32_t factor, std::uint32_t summand)
      : factor_(factor), summand_(summand) {}
  affine() = delete;
  static affine make(std::size_t number, std::uint32_t seed = 1) {
    return {static_cast<std::uint32_t>(number * 2 + 1), static_cast<std::uint32_t>(number * 77 + seed)};
  }
  // Applies first this one, then the other.
  __host__ __device__ affine then(affine const& other) const {
    return {other.factor_ * factor_, other.factor_ * summand_ + other.summand_};
  }

 private:
  std::uint32_t factor_;
  std::uint32_t summand_;
};

template <class T>
T make_item(std::size_t number, std::uint32_t seed = 1) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>((number * 2654435761u + seed) % 8);  // sums of few are exact
  } else if constexpr (std::is_arithmetic_v<T>) {
    std::uint64_t const mixed = (number + seed) * 0x9E3779B97F4A7C15u;
    return static_cast<T>(mixed >> 40 & 0x7F);
  } else {
    return T::make(number, seed);
  }
}

template <class T>
std::vector<T> make_items(std::size_t count, std::uint32_t seed = 1) {
  std::vector<T> made;
  made.reserve(count);
  for (std::size_t i = 0; i < count; ++i) made.push_back(make_item<T>(i, seed));
  return made;
}

// --- Operators.

struct multiply {
  template <int N>
  __host__ __device__ matrix<N> operator()(matrix<N> const& a, matrix<N> const& b) const {
    matrix<N> product;
#if defined(__CUDA_ARCH__)
#pragma unroll 1  // else a kernel with a dozen of these takes long to compile
#endif
    for (int i = 0; i < N; ++i) {
      for (int j = 0; j < N; ++j) {
        std::uint32_t sum = 0;
        for (int k = 0; k < N; ++k) sum += a.at[i][k] * b.at[k][j];
        product.at[i][j] = sum;
      }
    }
    return product;
  }
};

struct compose {
  __host__ __device__ affine operator()(affine const& a, affine const& b) const { return a.then(b); }
};

struct larger_of {
  template <class T>
  __host__ __device__ T operator()(T const& a, T const& b) const {
    return a < b ? b : a;
  }
};

// Joins pieces, and raises a flag for what is no piece.
struct join {
  unsigned* flag;

  __host__ __device__ piece operator()(piece const& a, piece const& b) const {
    if (!a.is_piece() || !b.is_piece()) *flag = 1;
    bool const neighbours = a.is_whole() && b.is_whole() && a.end == b.begin;
    return neighbours ? piece::of(a.begin, b.end) : piece::broken(a.begin, b.end);
  }
};

// --- What must come out, by the definition.

template <class T>
struct scanned {
  std::vector<T> inclusive;
  std::vector<T> exclusive;  // with an init only
  std::optional<T> total;
};

template <class T, class Item, class Op>
scanned<T> scan_one_by_one(std::vector<Item> const& items, std::optional<T> init, Op op) {
  scanned<T> result;
  std::optional<T>& sum = result.total;
  if (init) sum.emplace(*init);
  for (Item const& item : items) {
    if (sum) result.exclusive.push_back(*sum);
    T const next = sum ? op(*sum, static_cast<T>(item)) : static_cast<T>(item);
    sum.emplace(next);
    result.inclusive.push_back(next);
  }
  return result;
}

// The memory is for items that may lack a default constructor. They lie `shift` items behind an aligned address, and
// the items around them must not be written.
template <class T>
class guarded_items {
  static constexpr std::size_t guard = 3;
  static constexpr unsigned char pattern = 0x5C;

 public:
  explicit guarded_items(std::size_t count, std::size_t shift = 0)
      : count_(count), shift_(shift), memory_((count + shift + guard) * sizeof(T)) {
    memory_.set(std::vector<unsigned char>(memory_.size(), pattern));
  }
  explicit guarded_items(std::vector<T> const& items, std::size_t shift = 0) : guarded_items(items.size(), shift) {
    set(items);
  }
  T* begin() { return reinterpret_cast<T*>(memory_.begin()) + shift_; }
  T* end() { return begin() + count_; }
  void set(std::vector<T> const& items) {
    auto bytes = memory_.get();
    if (count_ > 0) std::memcpy(bytes.data() + shift_ * sizeof(T), items.data(), count_ * sizeof(T));
    memory_.set(bytes);
  }
  // Compares by bytes, and also checks that nothing around has changed.
  boost::test_tools::assertion_result holds(std::vector<T> const& expected) const {
    auto const bytes = memory_.get();
    std::size_t const first = shift_ * sizeof(T);
    std::size_t const last = first + count_ * sizeof(T);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      bool const inside = first <= i && i < last;
      unsigned char wanted = pattern;
      if (inside) wanted = reinterpret_cast<unsigned char const*>(expected.data())[i - first];
      if (bytes[i] != wanted) {
        boost::test_tools::assertion_result differs(false);
        differs.message() << (inside ? "item " : "outside, item ")
                          << static_cast<std::ptrdiff_t>(i / sizeof(T)) - static_cast<std::ptrdiff_t>(shift_)
                          << " of " << count_;
        return differs;
      }
    }
    return true;
  }

 private:
  std::size_t count_;
  std::size_t shift_;
  buffer<unsigned char> memory_;
};

// Checks the exclusive scan with an init and a total, out of place, at an alignment of choice.
template <class T, class Policy, class Op>
void check_exclusive_scan_with_total(Policy const& policy, std::vector<T> const& input, T const& init, Op op,
                                     std::size_t shift = 0) {
  auto const expected = scan_one_by_one<T>(input, std::optional<T>(init), op);
  BOOST_TEST_CONTEXT(input.size() << " items of " << sizeof(T) << " bytes, shifted by " << shift) {
    guarded_items<T> in(input, shift);
    guarded_items<T> out(input.size(), 1);
    guarded_items<T> sum(1, shift);
    BOOST_TEST((mgpu::exclusive_scan_with_total(policy, in.begin(), in.end(), out.begin(), sum.begin(), init, op) ==
                out.end()));
    BOOST_TEST(out.holds(expected.exclusive));
    BOOST_TEST(sum.holds({*expected.total}));
    BOOST_TEST(in.holds(input));
  }
}

// Checks both scans with an init, out of place and in place, and with a total, at an alignment of choice.
template <class T, class Policy, class Op>
void check_scans(Policy const& policy, std::vector<T> const& input, T const& init, Op op, std::size_t shift = 0) {
  check_exclusive_scan_with_total(policy, input, init, op, shift);
  auto const expected = scan_one_by_one<T>(input, std::optional<T>(init), op);
  BOOST_TEST_CONTEXT(input.size() << " items of " << sizeof(T) << " bytes, shifted by " << shift) {
    guarded_items<T> in(input, shift);
    guarded_items<T> out(input.size(), 1);
    BOOST_TEST((mgpu::inclusive_scan(policy, in.begin(), in.end(), out.begin(), init, op) == out.end()));
    BOOST_TEST(out.holds(expected.inclusive));
    BOOST_TEST(in.holds(input));
    BOOST_TEST((mgpu::exclusive_scan(policy, in.begin(), in.end(), in.begin(), init, op) == in.end()));
    BOOST_TEST(in.holds(expected.exclusive));
  }
}

// Checks the inclusive scan without an init, in place.
template <class T, class Policy, class Op>
void check_scan_without_init(Policy const& policy, std::vector<T> const& input, Op op, std::size_t shift = 0) {
  auto const expected = scan_one_by_one<T>(input, std::optional<T>(), op);
  BOOST_TEST_CONTEXT(input.size() << " items of " << sizeof(T) << " bytes, shifted by " << shift << ", no init") {
    guarded_items<T> items(input, shift);
    guarded_items<T> sum(1);
    mgpu::inclusive_scan_with_total(policy, items.begin(), items.end(), items.begin(), sum.begin(), op);
    BOOST_TEST(items.holds(expected.inclusive));
    if (!input.empty()) BOOST_TEST(sum.holds({*expected.total}));
  }
}

// Checks scans at the sizes at which an edge of the tuning's tiles shows.
template <class Selector, class T, class Op>
void check_scans_around_tiles(T const& init, Op op) {
  auto const policy = tuned(Selector{});
  for (std::size_t const count : scan_sizes(Selector::tile_items)) {
    auto const items = make_items<T>(count);
    check_scans(policy, items, init, op, count % 3);
    check_scan_without_init(policy, items, op, 1);
  }
}

}  // namespace test
