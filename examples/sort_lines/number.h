// A number that is written in a line's column is a key to sort by. Its order is that of `LC_ALL=C sort -n -k N,N`.
//
// A number is optional blanks, an optional '-', digits, and perhaps a '.' and more digits. What follows is ignored
// ("12kg" and "12e3" are 12), and where there are no digits the number is 0. It may be of any length and is
// compared exactly, so nothing is rounded: no 64-bit integer, and no decimal fraction.
#pragma once
#include <cstdint>

// Says of a number other than 0 that it is  ± 0.d1d2d3... * 10^exponent,  d1 being its first digit that is not 0.
struct number {
  std::int64_t scale;      // 0 for the number 0; else exponent + scale_bias, negated for a negative number
  std::uint64_t digits;    // d1 to d19, as many as 64 bits hold; zeros where there are fewer
  std::uint64_t tail;      // offset of d20 in the text
  std::uint64_t tail_end;  // offset behind the last digit that is not 0; `tail` if that one is in `digits`
};

constexpr int digits_in_key = 19;
constexpr std::int64_t scale_bias = std::int64_t(1) << 62;  // keeps exponent + bias above 0 for any text

__host__ __device__ inline bool is_blank(unsigned char c) { return c == ' ' || c == '\t'; }
__host__ __device__ inline bool is_digit(unsigned char c) { return c >= '0' && c <= '9'; }

// Returns the number in the given column (the first is 1) of the line at text[offset]. A column is a run of other
// bytes than blanks; one that the line has not got is 0.
__host__ __device__ inline number parse_number(unsigned char const* text, std::uint64_t offset,
                                               std::uint64_t column) {
  unsigned char const* p = text + offset;
  while (is_blank(*p)) ++p;
  while (--column > 0 && *p != '\n') {
    while (!is_blank(*p) && *p != '\n') ++p;
    while (is_blank(*p)) ++p;
  }

  bool const negative = *p == '-';
  if (negative) ++p;
  number result{0, 0, 0, 0};
  std::uint64_t count = 0;  // how many digits there are from d1 on
  std::int64_t exponent = 0;
  bool behind_point = false;
  for (; is_digit(*p) || (*p == '.' && !behind_point); ++p) {
    if (*p == '.') {
      behind_point = true;
    } else if (count == 0 && *p == '0') {
      exponent -= behind_point;
    } else {
      exponent += !behind_point;
      ++count;
      if (count <= digits_in_key) result.digits = result.digits * 10 + (*p - '0');
      if (count == digits_in_key + 1) result.tail = result.tail_end = p - text;
      if (count > digits_in_key && *p != '0') result.tail_end = p - text + 1;
    }
  }
  if (count == 0) return result;
  for (; count < digits_in_key; ++count) result.digits *= 10;
  result.scale = negative ? -(exponent + scale_bias) : exponent + scale_bias;
  return result;
}

struct number_less {
  unsigned char const* text;

  __host__ __device__ bool operator()(number const& a, number const& b) const {
    if (a.scale != b.scale) return a.scale < b.scale;
    return a.scale < 0 ? digits_less(b, a) : digits_less(a, b);
  }

 private:
  // Orders numbers with the same sign and exponent by their absolute values.
  __host__ __device__ bool digits_less(number const& a, number const& b) const {
    if (a.digits != b.digits) return a.digits < b.digits;
    if (a.tail == b.tail) return false;  // neither has more digits, or both are the same: see line_less
    std::uint64_t i = a.tail;
    std::uint64_t j = b.tail;
    for (; i < a.tail_end && j < b.tail_end; ++i, ++j) {
      // The point is no digit. Being one place in both numbers, it moves none against the other.
      if (text[i] == '.') ++i;
      if (text[j] == '.') ++j;
      if (text[i] != text[j]) return text[i] < text[j];
    }
    return i >= a.tail_end && j < b.tail_end;
  }
};
