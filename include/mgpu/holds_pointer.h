// With holds_pointer you say whether comparing may follow a pointer in a type of yours, where its alignment tells wrong.
//
//   struct range { std::uint64_t first, last; };  // there is room for two pointers, and there is none
//
//   template <>
//   struct mgpu::holds_pointer<range> : std::false_type {};
//
//   mgpu::sort(ranges.begin(), ranges.end(), by_length{});
//
// Results are the same whatever it says. Where comparing is likely to wait for memory, as that of strings is, a sort by
// a comparator makes few comparisons; elsewhere it rather moves items less often, and in fewer launches. Without a
// declaration the alignment of keys and of the comparator tells: whether it is that of a pointer. Empty types, numbers
// and CUDA's vectors of numbers hold none, and pairs and tuples hold what their elements hold. Declare std::false_type of
// a type that has but numbers in it, of 8 bytes for example, and std::true_type of one that stands for what takes long to
// read, such as an index into a table of strings.
//
// The declaration stands before the first sort that uses the type; it needs <type_traits> and this header, which includes
// nothing.
#pragma once

namespace mgpu {

template <class T>
struct holds_pointer;

}  // namespace mgpu
