#include <emulator/sanitizers.h>
#include <emulator/shared_memory.h>
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace mgpu::emulator::impl {

namespace {
constexpr std::size_t alignment = 128;
constexpr std::size_t guard_bytes = with_asan ? 0 : 8 * alignment;
constexpr unsigned char guard_fill = 0xFD;
constexpr unsigned char closed_fill = 0xFE;
}  // namespace

void shared_memory::allocate(std::size_t bytes, unsigned char fill) {
  release();
  if (bytes == 0) return;
  unseen const scope;
  void* memory = nullptr;
  if (posix_memalign(&memory, alignment, guard_bytes + bytes + guard_bytes) != 0) throw std::bad_alloc();
  allocation_ = static_cast<unsigned char*>(memory);
  std::memset(allocation_, guard_fill, guard_bytes);
  std::memset(allocation_ + guard_bytes, fill, bytes);
  std::memset(allocation_ + guard_bytes + bytes, guard_fill, guard_bytes);
  data_ = reinterpret_cast<char*>(allocation_ + guard_bytes);
  bytes_ = bytes;
}

void shared_memory::release() {
  unseen const scope;
  std::free(allocation_);
  allocation_ = nullptr;
  data_ = nullptr;
  bytes_ = 0;
}

void shared_memory::close() {
  if (with_asan) return release();
  if (bytes_ == 0) return;
  count_as_written(data_, bytes_);
  std::memset(data_, closed_fill, bytes_);
}

bool shared_memory::untouched_since_closed() const {
  auto const untouched = [](char byte) { return static_cast<unsigned char>(byte) == closed_fill; };
  return guards_intact() && std::all_of(data_, data_ + bytes_, untouched);
}

bool shared_memory::guards_intact() const {
  if (allocation_ == nullptr) return true;
  auto const untouched = [](unsigned char byte) { return byte == guard_fill; };
  unsigned char const* const behind = allocation_ + guard_bytes + bytes_;
  return std::all_of(allocation_, allocation_ + guard_bytes, untouched) &&
         std::all_of(behind, behind + guard_bytes, untouched);
}

}  // namespace mgpu::emulator::impl
