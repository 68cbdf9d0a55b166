// This is a text to sort the lines of, on host and device. A line depends on its number and on how many there are
// alone.
#pragma once
#include <harness/types.h>

namespace perf {

constexpr int bytes_of_slot = 64;  // in which a line begins, and ends

// Writes line i of n. It has up to ten words, behind spaces where it is indented, as programs are. Words have 2 to 9
// letters; of 4,096 the one at rank k comes about 1/k as often as the first. A quarter of the lines come some 16
// times each.
__host__ __device__ inline void write_line(unsigned char* slot, u64 i, u64 n) {
  u64 const line = i % 4 == 0 ? n + mix(i) % (n / 64 + 1) : i;
  u64 const kind = random_word(line, 0);
  int length = 0;
  for (u64 indent = kind % 8; indent > 3; --indent) slot[length++] = ' ', slot[length++] = ' ';
  for (u64 word = 0; word <= kind / 8 % 10; ++word) {
    u64 const random = mix(random_word(line, 1) + word);
    u64 const octave = u64{1} << random % 12;  // each octave of ranks comes as often
    u64 letters = mix(octave + (random >> 32) % octave);
    int const num_letters = 2 + static_cast<int>(letters >> 61);
    if (length + 1 + num_letters >= bytes_of_slot) break;
    if (word > 0) slot[length++] = ' ';
    for (int letter = 0; letter < num_letters; ++letter, letters /= 26) {
      slot[length++] = static_cast<unsigned char>('a' + letters % 26);
    }
  }
  slot[length] = '\n';
}

}  // namespace perf
