// The right types have ordered bits, and as many as they need.
#include <mgpu/detail/core/radix_key.h>
#include <mgpu/radix_key.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <boost/test/unit_test.hpp>
#include <cuda/std/cstddef>
#include <cuda/std/tuple>
#include <cuda/std/utility>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/pair.h>
#include <thrust/tuple.h>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace test {

enum class scoped : std::uint8_t {};
enum unscoped { one };
enum class truth : bool {};
enum class with_less { a, b };
__host__ __device__ constexpr bool operator<(with_less a, with_less b) { return int(a) > int(b); }
enum class with_greater { a, b };
__host__ __device__ constexpr bool operator>(with_greater a, with_greater b) { return int(a) < int(b); }
enum class with_equal { a, b };
__host__ __device__ constexpr bool operator==(with_equal, with_equal) { return true; }

struct undeclared {
  int number;
};
struct derived : std::pair<int, int> {};
struct declared {
  int number;
};
template <class T>
struct declared_template {
  T number;
};
struct incomplete;
union either {
  int number;
};

}  // namespace test

template <>
struct mgpu::radix_key<test::declared> {
  __host__ __device__ static int const& of(test::declared const& key) { return key.number; }
};
template <class T>
struct mgpu::radix_key<test::declared_template<T>> {
  __host__ __device__ static cuda::std::pair<T, test::declared> of(test::declared_template<T> key) {
    return {key.number, {0}};
  }
};
// A type with an order of its own can be declared all the same.
template <>
struct mgpu::radix_key<test::with_greater> {
  __host__ __device__ static int of(test::with_greater key) { return -int(key); }
};

namespace {

using mgpu::detail::int128;
using mgpu::detail::ordered_bits_t;
using mgpu::detail::uint128;

template <class Key>
constexpr int bits = mgpu::detail::radix_traits<Key>::bits;

// --- Numbers.
static_assert(bits<bool> == 8 && bits<char> == 8 && bits<signed char> == 8 && bits<unsigned char> == 8);
static_assert(bits<wchar_t> == 32 && bits<char16_t> == 16 && bits<char32_t> == 32);
#if defined(__cpp_char8_t)
static_assert(bits<char8_t> == 8);
#endif
static_assert(bits<short> == 16 && bits<unsigned short> == 16 && bits<int> == 32 && bits<unsigned> == 32);
static_assert(bits<long> == 64 && bits<unsigned long> == 64 && bits<long long> == 64 &&
              bits<unsigned long long> == 64);
static_assert(bits<int128> == 128 && bits<uint128> == 128);
static_assert(bits<float> == 32 && bits<double> == 64 && bits<__half> == 16 && bits<__nv_bfloat16> == 16);
static_assert(bits<long double> == 0 && bits<__half2> == 0);
static_assert(bits<std::byte> == 8 && bits<cuda::std::byte> == 8);

// --- Pointers.
static_assert(bits<void*> == 64 && bits<int const*> == 64 && bits<test::incomplete volatile*> == 64);
static_assert(bits<void (*)(int)> == 64);
static_assert(bits<std::nullptr_t> == 0 && bits<int test::undeclared::*> == 0);

// --- Enumerations: an operator that orders them rules the digits out, another does not.
static_assert(bits<test::scoped> == 8 && bits<test::unscoped> == 32 && bits<test::truth> == 8);
static_assert(bits<test::with_equal> == 32);
static_assert(bits<test::with_less> == 0 && bits<std::pair<int, test::with_less>> == 0);

// --- Pairs and tuples.
static_assert(std::is_same_v<thrust::pair<int, int>, cuda::std::pair<int, int>>);
static_assert(std::is_same_v<thrust::tuple<int, int>, cuda::std::tuple<int, int>>);
static_assert(bits<std::pair<int, char>> == 40 && bits<cuda::std::pair<int, char>> == 40);
static_assert(bits<cuda::std::tuple<int>> == 32 && bits<cuda::std::tuple<std::uint8_t, std::uint64_t, bool>> == 80);
static_assert(bits<cuda::std::tuple<std::pair<bool, float>, cuda::std::tuple<double>>> == 104);
static_assert(bits<std::pair<std::uint64_t, void*>> == 128);
static_assert(bits<std::pair<uint128, bool>> == 0 && bits<cuda::std::tuple<double, double, bool>> == 0);
static_assert(bits<cuda::std::tuple<>> == 0 && bits<std::pair<int, long double>> == 0);
static_assert(bits<std::pair<int, test::undeclared>> == 0);
static_assert(bits<cuda::std::tuple<int const&, float&>> == 64);
static_assert(bits<thrust::zip_iterator<thrust::tuple<int*, float const*>>::value_type> == 64);
#if defined(__CUDACC__) && !defined(__CUDACC_RELAXED_CONSTEXPR__)
static_assert(bits<std::tuple<int, float>> == 0);
#else
static_assert(bits<std::tuple<int, float>> == 64);
#endif

// --- Types of the user's.
static_assert(bits<test::undeclared> == 0 && bits<test::either> == 0 && bits<test::derived> == 0);
static_assert(bits<test::declared> == 32 && bits<test::declared_template<char>> == 40);
static_assert(bits<test::with_greater> == 32);
static_assert(bits<cuda::std::pair<test::declared, test::declared_template<double>>> == 128);
static_assert(bits<std::string> == 0 && bits<int[2]> == 0);

// --- The narrowest type that holds the bits.
static_assert(std::is_same_v<ordered_bits_t<bool>, std::uint8_t> &&
              std::is_same_v<ordered_bits_t<char>, std::uint8_t>);
static_assert(std::is_same_v<ordered_bits_t<__half>, std::uint16_t>);
static_assert(std::is_same_v<ordered_bits_t<std::pair<bool, bool>>, std::uint16_t>);
static_assert(std::is_same_v<ordered_bits_t<cuda::std::tuple<bool, bool, bool>>, std::uint32_t>);
static_assert(std::is_same_v<ordered_bits_t<std::pair<int, char>>, std::uint64_t>);
static_assert(std::is_same_v<ordered_bits_t<long long>, std::uint64_t>);
static_assert(std::is_same_v<ordered_bits_t<std::pair<double, bool>>, uint128>);

}  // namespace

BOOST_AUTO_TEST_CASE(compiles) {}
