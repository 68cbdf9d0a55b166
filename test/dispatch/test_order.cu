// The library knows which comparators follow a key's natural order, and which sort a key and a comparator ask for.
#include <mgpu/detail/dispatch/order.h>
#include <boost/test/unit_test.hpp>
#include <cuda/std/functional>
#include <thrust/functional.h>
#include <cstdint>
#include <functional>
#include <utility>

namespace {
enum class ordered_enum : int {};
enum class typed_enum : int {};
enum class reversed_enum : int {};
enum class private_enum : int {};
struct node {
  int key;
};
}  // namespace
// A program may say what std::less means for a type of its own, and say so as std does.
template <>
struct std::less<ordered_enum> {
  bool operator()(ordered_enum a, ordered_enum b) const { return b < a; }
};
template <>
struct std::less<typed_enum> {
  typedef typed_enum first_argument_type;
  typedef typed_enum second_argument_type;
  typedef bool result_type;
  constexpr bool operator()(typed_enum const& a, typed_enum const& b) const { return a < b; }
};
#if defined(__GLIBCXX__)  // elsewhere the base class went with C++17
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
template <>
struct std::less<reversed_enum> : std::binary_function<reversed_enum, reversed_enum, bool> {
  constexpr bool operator()(reversed_enum const& a, reversed_enum const& b) const { return b < a; }
};
template <>
struct std::greater<reversed_enum> : std::binary_function<reversed_enum, reversed_enum, bool> {
  bool operator()(reversed_enum const& a, reversed_enum const& b) const { return a > b; }
};
template <>
struct std::less<private_enum> : private std::binary_function<private_enum, private_enum, bool> {
  bool operator()(private_enum const& a, private_enum const& b) const { return b < a; }
};
template <>
struct std::less<node*> : std::binary_function<node*, node*, bool> {
  bool operator()(node* a, node* b) const { return a->key < b->key; }
};
#pragma GCC diagnostic pop
#endif

namespace {

using mgpu::detail::natural_order;
using mgpu::detail::sort_backend;
using mgpu::detail::sort_backend_of;
using mgpu::detail::sort_order;

enum class plain_enum : int {};

struct less_by_another_name : cuda::std::less<int> {};
auto const lambda = [](int a, int b) { return a < b; };

template <class Comp, class Key>
constexpr bool ascends = natural_order<Comp, Key> == sort_order::ascending;
template <class Comp, class Key>
constexpr bool descends = natural_order<Comp, Key> == sort_order::descending;
template <class Comp, class Key>
constexpr bool has_no_order = natural_order<Comp, Key> == sort_order::none;

static_assert(ascends<std::less<>, int> && ascends<cuda::std::less<>, int> && ascends<thrust::less<>, int>);
static_assert(ascends<std::less<int>, int> && ascends<cuda::std::less<int>, int> && ascends<thrust::less<int>, int>);
static_assert(descends<std::greater<>, int> && descends<cuda::std::greater<>, int> &&
              descends<thrust::greater<>, int>);
static_assert(descends<std::greater<int>, int> && descends<cuda::std::greater<int>, int>);
static_assert(descends<thrust::greater<int>, int>);
static_assert(ascends<std::less<> const, int>);

static_assert(has_no_order<std::less<int>, float> && has_no_order<std::greater<std::uint32_t>, std::int32_t>);
static_assert(has_no_order<cuda::std::less<long>, int> && has_no_order<std::less<int const>, int>);
static_assert(has_no_order<std::less_equal<>, int> && has_no_order<std::greater_equal<int>, int>);
static_assert(has_no_order<std::plus<>, int> && has_no_order<less_by_another_name, int>);
static_assert(has_no_order<bool (*)(int, int), int> && has_no_order<decltype(lambda), int>);
static_assert(has_no_order<std::function<bool(int, int)>, int>);

static_assert(ascends<std::less<plain_enum>, plain_enum> && descends<std::greater<plain_enum>, plain_enum>);
static_assert(has_no_order<std::less<ordered_enum>, ordered_enum>);
static_assert(has_no_order<std::less<typed_enum>, typed_enum>);
#if defined(__GLIBCXX__)
static_assert(has_no_order<std::less<reversed_enum>, reversed_enum>);
static_assert(has_no_order<std::greater<reversed_enum>, reversed_enum>);
static_assert(has_no_order<std::less<private_enum>, private_enum>);
static_assert(has_no_order<std::less<node*>, node*> && descends<std::greater<node*>, node*>);
#endif
static_assert(ascends<std::less<std::pair<int, plain_enum>>, std::pair<int, plain_enum>>);
static_assert(descends<std::greater<ordered_enum>, ordered_enum> && ascends<std::less<>, ordered_enum>);

struct undeclared {
  int number;
};

static_assert(sort_backend_of<int, std::less<>> == sort_backend::radix);
static_assert(sort_backend_of<double, cuda::std::greater<double>> == sort_backend::radix);
static_assert(sort_backend_of<std::pair<int, float>, thrust::less<>> == sort_backend::radix);
static_assert(sort_backend_of<int, decltype(lambda)> == sort_backend::merge);
static_assert(sort_backend_of<int, std::less<long>> == sort_backend::merge);
static_assert(sort_backend_of<long double, std::less<>> == sort_backend::merge);
static_assert(sort_backend_of<undeclared, std::less<>> == sort_backend::merge);

}  // namespace

BOOST_AUTO_TEST_CASE(compiles) {}
