// planted_look_back relaxed|released scans with a look-back that keeps a tile's status and its aggregate in two
// words. It is right if the status is released and acquired. Published relaxed, a race checker must find it and end
// the program.
#include <emulator/emulator.h>
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/launch.h>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

namespace simt = mgpu::detail::simt;
using word = std::uint32_t;

// The words lie apart: a race checker remembers the last few accesses to each 8 bytes, and polls would push out the
// aggregate's.
struct tile_state {
  alignas(8) word status;  // 0 until the aggregate is there
  alignas(8) word aggregate;
};

// Scans inclusively, a warp a block and an item a thread. Waits for the aggregates of all tiles before its own.
template <bool with_release>
__global__ void two_word_scan_kernel(word const* in, word* out, word* ticket, tile_state* states) {
  word const drawn = simt::lane() == 0 ? simt::add_relaxed(*ticket, word{1}) : 0;
  word const tile = simt::shuffle(simt::full_mask, drawn, 0);
  word sum = in[tile * 32 + simt::lane()];
  for (unsigned delta = 1; delta < 32; delta *= 2) {
    word const left = simt::shuffle_up(simt::full_mask, sum, delta);
    if (simt::lane() >= delta) sum += left;
  }
  if (simt::lane() == 31) {
    states[tile].aggregate = sum;
    with_release ? simt::store_release(states[tile].status, word{1})
                 : simt::store_relaxed(states[tile].status, word{1});
  }
  word before = 0;
  if (simt::lane() == 0) {
    for (word other = 0; other < tile; ++other) {
      while (simt::load_acquire(states[other].status) == 0) simt::spin_pause();
      before += states[other].aggregate;
    }
  }
  out[tile * 32 + simt::lane()] = simt::shuffle(simt::full_mask, before, 0) + sum;
}

template <bool with_release>
bool scans() {
  constexpr unsigned tiles = 4;
  std::vector<word> in(tiles * 32), out(in.size());
  for (unsigned i = 0; i < in.size(); ++i) in[i] = i * 7 % 13;
  word ticket = 0;
  std::vector<tile_state> states(tiles, tile_state{0, 0});
  word const* const first = in.data();
  cudaError_t const status = simt::enqueue(two_word_scan_kernel<with_release>, {tiles, 32, 0}, nullptr, first,
                                           out.data(), &ticket, states.data());
  word sum = 0;
  bool right = status == cudaSuccess;
  for (unsigned i = 0; i < in.size(); ++i) right = right && out[i] == (sum += in[i]);
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  bool const relaxed = argc == 2 && std::strcmp(argv[1], "relaxed") == 0;
  bool const released = argc == 2 && std::strcmp(argv[1], "released") == 0;
  if (!relaxed && !released) {
    std::printf("usage: planted_look_back relaxed|released\n");
    return 2;
  }
  bool const right = relaxed ? scans<false>() : scans<true>();
  std::printf(right ? "right, and nothing was found\n" : "wrong\n");
  return right ? 0 : 1;
}
