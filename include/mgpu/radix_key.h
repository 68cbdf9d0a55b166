// With radix_key, a type of your own is sorted by radix: you declare which number, or numbers, it is ordered by.
//
//   struct employee { int department; float salary; std::uint32_t id; };
//
//   __host__ __device__ bool operator<(employee const& a, employee const& b) {
//     return a.department < b.department || (a.department == b.department && a.salary < b.salary);
//   }
//
//   template <>
//   struct mgpu::radix_key<employee> {
//     __host__ __device__ static auto of(employee const& e) { return cuda::std::tie(e.department, e.salary); }
//   };
//
//   mgpu::sort(employees.begin(), employees.end());  // by department, then by salary; stable
//
// No declaration is needed for integers of 8 to 128 bits, bool, character types, std::byte, float, double, __half,
// __nv_bfloat16, raw pointers, enumerations without comparison operators of their own, and pairs and tuples of such,
// in any nesting, of at most 128 bits in all. `of` returns one of these, or a type that itself has a declaration;
// elements of a tuple may be references into the key, as here. (In a CUDA file std::tuple is among them only with
// nvcc's --expt-relaxed-constexpr, and keys that are themselves std's pairs or tuples only with C++20 besides;
// cuda::std's, which are also thrust's, always are. nvcc 13.0 does not compile kernels of char8_t: give it the same
// memory as unsigned char.)
//
// A sort uses the declaration under less and greater of std, cuda::std or thrust; any other comparator is called, as
// for any type. The declaration must say what operator< says: a < b exactly when of(a) < of(b), and greater the
// reverse. The operators are needed to merge; where they disagree with the declaration, the order of the output is
// unspecified. A std::less<T> or std::greater<T> of your own that derives from std::binary_function and takes T
// const& must agree with it too, as it cannot be told from std's; any other of your own is called.
//
// The declaration stands before the first sort of the type; it needs this header alone, which includes nothing.
#pragma once

namespace mgpu {

template <class Key>
struct radix_key;

}  // namespace mgpu
