// A sort by a comparator takes comparisons for quick, or for such as may wait for memory, by what types tell, or by what
// their author says. Both compilers of nvcc must tell the same, or the host launches a kernel that is not there.
#include <mgpu/holds_pointer.h>
#include <mgpu/sort.h>
#include <support/device.h>
#include <support/items.h>
#include <support/memory.h>
#include <boost/test/unit_test.hpp>
#include <cuda/std/tuple>
#include <cuda/std/utility>
#include <algorithm>
#include <cstdint>
#include <random>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
#if defined(MGPU_EMULATED)
#include <emulator/emulator.h>
#endif

namespace test {

struct interval {
  std::uint64_t first, last;
};
struct undeclared {
  std::uint64_t first, last;
};
// This stands for a line of text in a table.
struct line_number {
  std::uint32_t at;
};
template <class Number>
struct complex_number {
  Number real, imaginary;
};
enum class long_enum : std::uint64_t {};
// nvcc's two compilers do not agree whether this is empty.
template <int numbers>
struct coordinates {
  double at[numbers];
};
// This reads what it compares by elsewhere, though it has no member.
struct by_constant_table {};
struct by_no_weights : coordinates<0> {};

// By this a comparison has a number with it that is aligned like a pointer.
struct by_distance {
  double to;
  __host__ __device__ double from(interval const& key) const {
    double const first = static_cast<double>(key.first);
    return first < to ? to - first : first - to;
  }
  __host__ __device__ bool operator()(interval const& a, interval const& b) const { return from(a) < from(b); }
};

}  // namespace test

template <>
struct mgpu::holds_pointer<test::interval> : std::false_type {};
template <>
struct mgpu::holds_pointer<test::by_distance> : std::false_type {};
template <>
struct mgpu::holds_pointer<test::line_number> : std::true_type {};
template <class Number>
struct mgpu::holds_pointer<test::complex_number<Number>> : std::false_type {};
template <>
struct mgpu::holds_pointer<test::by_constant_table> final : std::true_type {};

BOOST_AUTO_TEST_SUITE(holds_pointer, *boost::unit_test::precondition(test::can_run{}))

namespace {

using test::complex_number;
using test::interval;
using test::line_number;
using test::undeclared;

struct stateless {
  template <class Key>
  __host__ __device__ bool operator()(Key const& a, Key const& b) const {
    return a < b;
  }
};
template <class Key>
constexpr bool is_quick = mgpu::detail::compares_quickly<Key, stateless>;
template <class Comp>
constexpr bool may_wait = mgpu::detail::may_follow_pointers<int, Comp>;

// Alignment tells of classes, but not of numbers.
static_assert(is_quick<int> && is_quick<std::int64_t> && is_quick<double> && is_quick<test::long_enum>);
static_assert(is_quick<mgpu::detail::int128> && is_quick<mgpu::detail::uint128>);
static_assert(is_quick<short4> && is_quick<int2> && is_quick<float4> && is_quick<double1> && is_quick<longlong2>);
static_assert(is_quick<stateless> && !is_quick<undeclared> && !is_quick<int*> && !is_quick<undeclared const*>);
// Pairs and tuples hold what their elements hold.
static_assert(is_quick<std::pair<double, int>> && is_quick<cuda::std::pair<std::int64_t, interval>>);
static_assert(!is_quick<std::pair<double, int*>> && !is_quick<cuda::std::pair<undeclared, int>>);
static_assert(!is_quick<cuda::std::pair<line_number, int>> && !is_quick<std::tuple<std::int64_t, line_number>>);
static_assert(is_quick<std::tuple<double, std::pair<test::long_enum, int>>> && is_quick<std::tuple<>>);
static_assert(is_quick<cuda::std::tuple<double, cuda::std::tuple<int, std::int64_t>>> &&
              is_quick<cuda::std::tuple<>>);
static_assert(!is_quick<cuda::std::tuple<double, cuda::std::tuple<int, char const*>>>);
// Who wrote a type has the last word.
static_assert(is_quick<interval> && !is_quick<line_number> && is_quick<complex_number<double>>);
static_assert(!may_wait<test::by_distance> && may_wait<line_number> && may_wait<undeclared> && !may_wait<stateless>);
static_assert(may_wait<test::by_constant_table> && mgpu::detail::may_follow_pointers<line_number, stateless>);
static_assert(!mgpu::detail::may_follow_pointers<undeclared, stateless>);
static_assert(is_quick<std::pair<interval const, mgpu::detail::int128 const>> && !is_quick<std::tuple<int&>>);
static_assert(may_wait<test::by_no_weights> && !is_quick<std::pair<test::coordinates<0>, int>>);
static_assert(may_wait<bool (*)(int, int)> && !mgpu::detail::compares_quickly<interval, undeclared>);

struct by_both {
  template <class Pair>
  __host__ __device__ bool operator()(Pair const& a, Pair const& b) const {
    return a.first < b.first || (!(b.first < a.first) && b.second < a.second);
  }
};

// Checks sorts of so many keys, on either side of where those that are taken for quick are sorted in another way.
template <class Key, class Comp, class MakeKey>
void check_sorts(Comp comp, MakeKey make_key) {
  std::mt19937 numbers(1);
  for (std::size_t const count : {1533, 1534, 2049, 16384, 16385}) {
    std::vector<Key> keys;
    while (keys.size() < count) keys.push_back(make_key(numbers() % 5000, numbers()));
    test::buffer<Key> sorted(keys);
    mgpu::sort(test::policy, sorted.begin(), sorted.end(), comp);
    std::stable_sort(keys.begin(), keys.end(), comp);
    BOOST_TEST(test::same_bytes(sorted.get(), keys));
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(declared_keys_are_sorted) {
  check_sorts<interval>(test::by_distance{2500}, [](std::uint64_t a, std::uint64_t b) { return interval{a, b}; });
}
BOOST_AUTO_TEST_CASE(pairs_are_sorted) {
  using Key = cuda::std::pair<std::uint64_t, std::int64_t>;
  check_sorts<Key>(by_both{}, [](std::uint64_t a, std::int64_t b) { return Key(a, b); });
}

#if defined(MGPU_EMULATED)

namespace {

// By this all keys are alike, whatever they have.
struct by_nothing {
  template <class Key>
  __host__ __device__ bool operator()(Key const&, Key const&) const {
    return false;
  }
};

}  // namespace

// One launch sorts what a cluster holds, where comparing is quick.
BOOST_AUTO_TEST_CASE(launches) {
  auto const launches_for = [](auto key, std::size_t count) {
    test::buffer<decltype(key)> keys(std::vector<decltype(key)>(count, key));
    mgpu::emulator::reset_stats();
    mgpu::sort(mgpu::par, keys.begin(), keys.end(), by_nothing{});
    return mgpu::emulator::total_stats().launches;
  };
  for (std::size_t const count : {1534, 16384}) {
    BOOST_TEST(launches_for(interval{1, 2}, count) == 1u);
    BOOST_TEST(launches_for(cuda::std::pair<std::uint64_t, long>(1, 2), count) == 1u);
    BOOST_TEST(launches_for(longlong2{1, 2}, count) == 1u);
    BOOST_TEST(launches_for(undeclared{1, 2}, count) == 2u);
    BOOST_TEST(launches_for(cuda::std::pair<undeclared*, long>(nullptr, 2), count) == 2u);
  }
}

#endif

BOOST_AUTO_TEST_SUITE_END()
