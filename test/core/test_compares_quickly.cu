// The types of keys and comparators tell whether a comparison may follow a pointer.
#include <mgpu/detail/core/compares_quickly.h>
#include <boost/test/unit_test.hpp>
#include <cuda/std/array>
#include <thrust/pair.h>
#include <vector_types.h>
#include <array>
#include <cstdint>
#include <utility>

BOOST_AUTO_TEST_SUITE(compares_quickly)

namespace {

struct stateless {};
struct with_table {
  int const* table;
};
struct with_flags {
  int flags[4];
};
template <class Key>
constexpr bool is_quick = mgpu::detail::compares_quickly<Key, stateless>;

enum class number : std::uint64_t {};
struct two_numbers {
  std::uint64_t a, b;
};
struct alignas(16) two_aligned_numbers {
  std::uint64_t a, b;
};
struct alignas(8) aligned_bytes {
  unsigned char bytes[16];
};
struct constant_first {
  std::uint64_t const a;
  number b;
};
struct bit_fields {
  std::uint64_t a : 3, b : 20;
  bool c;
};
struct nested {
  std::array<std::int16_t, 4> first;
  double second[1];
};
struct derived : two_numbers {
  int more;
};

struct line {
  char const* text;
  std::uint64_t length;
};
struct line_last {
  std::uint64_t length;
  char const* text;
};
struct nested_line {
  double number;
  line of[1];
};
struct derived_line : line {
  int more;
};
struct function {
  void (*call)();
};
struct member {
  std::uint64_t number;
  std::uint64_t two_numbers::*which;
};
struct has_constructor {  // so what it holds cannot be known
  std::uint64_t number;
  explicit has_constructor(std::uint64_t from) : number(from) {}
};

}  // namespace

BOOST_AUTO_TEST_CASE(numbers) {
  BOOST_TEST(is_quick<char>);
  BOOST_TEST(is_quick<double>);
  BOOST_TEST(is_quick<number>);
  BOOST_TEST((is_quick<thrust::pair<int, int>>));
}
BOOST_AUTO_TEST_CASE(aggregates_of_numbers) {
  BOOST_TEST(is_quick<two_numbers>);
  BOOST_TEST(is_quick<two_aligned_numbers>);
  BOOST_TEST(is_quick<aligned_bytes>);
  BOOST_TEST(is_quick<constant_first>);
  BOOST_TEST(is_quick<bit_fields>);
  BOOST_TEST(is_quick<nested>);
  BOOST_TEST(is_quick<derived>);
  BOOST_TEST((is_quick<std::array<double, 2>>));
  BOOST_TEST((is_quick<cuda::std::array<std::uint64_t, 1>>));
  BOOST_TEST(is_quick<double2>);
  BOOST_TEST(is_quick<int4>);
}
BOOST_AUTO_TEST_CASE(what_has_room_for_a_pointer) {
  BOOST_TEST(!is_quick<int*>);
  BOOST_TEST(!is_quick<line>);
  BOOST_TEST(!is_quick<line_last>);
  BOOST_TEST(!is_quick<nested_line>);
  BOOST_TEST(!is_quick<derived_line>);
  BOOST_TEST(!is_quick<function>);
  BOOST_TEST(!is_quick<member>);
  BOOST_TEST(!is_quick<has_constructor>);
  BOOST_TEST((!is_quick<std::pair<double, int*>>));
}
BOOST_AUTO_TEST_CASE(comparators) {
  BOOST_TEST((!mgpu::detail::compares_quickly<int, with_table>));
  BOOST_TEST((!mgpu::detail::compares_quickly<int, bool (*)(int, int)>));
  BOOST_TEST((mgpu::detail::compares_quickly<two_numbers, with_flags>));
}

BOOST_AUTO_TEST_SUITE_END()
