// Calls that must not compile, one for each value of MISUSE, each with a message that says why. 0 is right.
#include <mgpu/merge.h>
#include <mgpu/sort.h>
#include <cstdint>
#include <string>

void calls(std::int32_t* keys, [[maybe_unused]] std::string* words) {
#if MISUSE == 0
  mgpu::sort(mgpu::host, keys, keys + 1);
  mgpu::sort(mgpu::host, words, words + 1);
#if defined(MGPU_EMULATED)
  mgpu::sort_by_key(mgpu::par, keys, keys + 1, keys);
#endif
#elif MISUSE == 1
  mgpu::sort(mgpu::par, words, words + 1);
#elif MISUSE == 2
  mgpu::sort_by_key(mgpu::par, keys, keys + 1, words);
#elif MISUSE == 3
  mgpu::merge(mgpu::par, words, words, words, words, words);
#elif MISUSE == 4
  mgpu::sort(mgpu::par, keys, keys + 1);
#endif
}
