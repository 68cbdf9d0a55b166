// A line of text is an item to sort. Its order is that of `LC_ALL=C sort`.
#pragma once
#include <cstdint>

// A line has 16 bytes, however long its text is: the text itself stays where it is.
//
// Most comparisons are decided by `order` alone, without a look at the text: from the top, the line's first 7
// bytes (as a big-endian number, padded with zeros), then its length, where all from 8 up count as 8. As numbers,
// these compare like the lines do, for with equal bytes the shorter line comes first.
struct line {
  std::uint64_t order;
  std::uint64_t offset;  // of the line's first byte in the text
};

constexpr int bytes_in_order = 7;

// Returns the line at text[offset]. It goes up to the next newline, and there is one.
__host__ __device__ inline line make_line(unsigned char const* text, std::uint64_t offset) {
  std::uint64_t order = 0;
  int length = 0;
  while (length <= bytes_in_order && text[offset + length] != '\n') ++length;
  for (int i = 0; i < bytes_in_order; ++i) order = order << 8 | (i < length ? text[offset + i] : 0u);
  return {order << 8 | unsigned(length), offset};
}

// Orders by unsigned bytes, as memcmp; a line that begins another comes before it. `text` is readable where the
// comparator runs: on the GPU it is the GPU's copy.
struct line_less {
  unsigned char const* text;

  __host__ __device__ bool operator()(line const& a, line const& b) const {
    if (a.order != b.order) return a.order < b.order;
    if ((a.order & 0xff) <= bytes_in_order) return false;  // both lines were seen whole
    if (a.offset == b.offset) return false;                // a sort may compare an item with a copy of it

    unsigned char const* p = text + a.offset + bytes_in_order;
    unsigned char const* q = text + b.offset + bytes_in_order;
    for (; *p == *q; ++p, ++q) {
      if (*p == '\n') return false;
    }
    // The newline is the end, not a byte of the line: it goes before the bytes 0 to 9 too.
    return *q != '\n' && (*p == '\n' || *p < *q);
  }
};

// Orders as Less does, or the opposite way. Under a stable sort equal items still keep their input order, as with
// `sort -s -r`. What the sort is compiled for is one type for both.
template <class Less>
struct in_direction {
  Less less;
  bool reverse;

  template <class T>
  __host__ __device__ bool operator()(T const& a, T const& b) const {
    return less(reverse ? b : a, reverse ? a : b);
  }
};
