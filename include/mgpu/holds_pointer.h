// holds_pointer<T> says whether comparisons follow a pointer in a T, a key or a comparator of yours whose alignment tells
// wrong.
//
//   struct range { std::uint64_t first, last; };  // there is room for two pointers, and there is none
//
//   template <>
//   struct mgpu::holds_pointer<range> : std::false_type {};
//
//   mgpu::sort(ranges.begin(), ranges.end(), by_length{});
//
// Results are the same whatever it says. Where comparing is likely to wait for memory, as that of two texts does, a sort
// by a comparator is to have many comparisons under way at a time, few of which wait for each other; elsewhere it is to
// move items seldom, and in few launches. Without a declaration the alignment of a key, or of a comparator, tells whether
// it has room for a pointer. Arithmetic types, integers of 128 bits, enumerations, and CUDA's vectors of up to 16 bytes
// hold none, and pairs and tuples hold what their elements hold. A comparator with such room is taken to follow a pointer.
// Keys with such room may hold one: then few of them are sorted like pointers, and many like numbers.
//
// Declare std::false_type of a struct that has numbers of 8 bytes, but no pointer, and std::true_type of one that stands
// for what takes long to read, such as an index into a table of strings; its keys are then sorted as pointers are. (nvcc
// aligns __host__ __device__ lambdas that capture anything like pointers; a class in their place can be declared.)
//
// The declaration stands before the first sort that uses the type, in each file that has one: a later one is not seen. It
// needs <type_traits>, and this header, which includes nothing.
#pragma once

namespace mgpu {

template <class T>
struct holds_pointer;

}  // namespace mgpu
