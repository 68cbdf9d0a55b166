#include <emulator/fiber.h>
#include <emulator/sanitizers.h>
#include <boost/context/detail/fcontext.hpp>
#include <sys/mman.h>
#include <unistd.h>
#include <cstdlib>
#include <new>

namespace mgpu::emulator::impl {

namespace context = boost::context::detail;

namespace {
std::size_t page() {
  static std::size_t const bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}
}  // namespace

// A fiber starts here.
struct fiber_entry {
  static void run(context::transfer_t from) {
    auto* const switched = static_cast<fiber**>(from.data);
    fiber& self = *switched[1];
    self.arrived(*switched[0], from.fctx);
    self.entry_();
    std::abort();
  }
};

fiber::~fiber() {
#if defined(MGPU_EMULATOR_TSAN)
  if (owns_race_checker_) __tsan_destroy_fiber(race_checker_);
#endif
}

void fiber::adopt_current() {
  stack_bottom_ = nullptr;  // learnt at the first switch away from it
#if defined(MGPU_EMULATOR_TSAN)
  race_checker_ = __tsan_get_current_fiber();
#endif
}

void fiber::prepare(char* stack, std::size_t bytes, void (*entry)()) {
#if defined(MGPU_EMULATOR_ASAN)
  if (has_frames_) __asan_unpoison_memory_region(stack, bytes);  // an earlier fiber was abandoned somewhere
  has_frames_ = true;
#endif
#if defined(MGPU_EMULATOR_TSAN)
  if (!owns_race_checker_) race_checker_ = __tsan_create_fiber(0);
  owns_race_checker_ = true;
#endif
  fake_stack_ = nullptr;
  stack_bottom_ = stack;
  stack_bytes_ = bytes;
  entry_ = entry;
  context_ = context::make_fcontext(stack + bytes, bytes, &fiber_entry::run);
}

void fiber::switch_to(fiber& next) { jump(next, false); }

void fiber::leave_to(fiber& next) {
#if defined(MGPU_EMULATOR_ASAN)
  // The frames that stay on the stack are those of the functions that called this one, and they are small: to clear all
  // of it would take more time than many kernels do.
  auto* const frame = static_cast<char const*>(__builtin_frame_address(0));
  char const* const end = static_cast<char const*>(stack_bottom_) + stack_bytes_;
  __asan_unpoison_memory_region(frame, static_cast<std::size_t>(end - frame));
  has_frames_ = false;
#endif
  jump(next, true);
  std::abort();
}

// Under ASan, too, this is compiled without instrumentation: where ASan keeps locals on a stack of its own
// (detect_stack_use_after_return, on by default from GCC 13), that stack is gone as soon as a fiber says that it leaves
// for good, and `switched` must outlive it.
void fiber::jump(fiber& next, [[maybe_unused]] bool for_good) {
#if defined(MGPU_EMULATOR_ASAN)
  __sanitizer_start_switch_fiber(for_good ? nullptr : &fake_stack_, next.stack_bottom_, next.stack_bytes_);
#endif
#if defined(MGPU_EMULATOR_TSAN)
  // no_sync: to run one after the other on one processor orders nothing.
  __tsan_switch_to_fiber(next.race_checker_, __tsan_switch_to_fiber_no_sync);
#endif
  fiber* switched[] = {this, &next};  // on this stack, which stays as it is until `next` has read it
  context::transfer_t const from = context::jump_fcontext(next.context_, switched);
  arrived(**static_cast<fiber**>(from.data), from.fctx);
}

void fiber::arrived(fiber& from, void* left_at) {
  from.context_ = left_at;
#if defined(MGPU_EMULATOR_ASAN)
  void const* bottom = nullptr;
  std::size_t bytes = 0;
  __sanitizer_finish_switch_fiber(fake_stack_, &bottom, &bytes);
  if (from.stack_bottom_ == nullptr) {
    from.stack_bottom_ = bottom;
    from.stack_bytes_ = bytes;
  }
#endif
}

void fiber::abandon([[maybe_unused]] fiber& other, [[maybe_unused]] void* tag) {
#if defined(MGPU_EMULATOR_TSAN)
  __tsan_switch_to_fiber(race_checker_, __tsan_switch_to_fiber_no_sync);
  __tsan_release(tag);
  __tsan_switch_to_fiber(other.race_checker_, __tsan_switch_to_fiber_no_sync);
  __tsan_destroy_fiber(race_checker_);  // it still believes to be in the kernel's functions
  owns_race_checker_ = false;
#endif
}

void fiber_pool::reserve(std::size_t count, std::size_t stack_bytes) {
  stack_bytes = (stack_bytes + page() - 1) / page() * page();
  if (count <= fibers_.size() && stack_bytes == stack_bytes_) return;
  release();
  std::size_t const stride = page() + stack_bytes;
  void* const mapping =
      mmap(nullptr, count * stride, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) throw std::bad_alloc();
  mapping_ = static_cast<char*>(mapping);
  stack_bytes_ = stack_bytes;
  fibers_ = std::vector<fiber>(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (mprotect(mapping_ + i * stride, page(), PROT_NONE) != 0) throw std::bad_alloc();
  }
}

fiber& fiber_pool::prepare(std::size_t i, void (*entry)()) {
  fibers_[i].prepare(mapping_ + i * (page() + stack_bytes_) + page(), stack_bytes_, entry);
  return fibers_[i];
}

void fiber_pool::release() {
  if (mapping_ == nullptr) return;
  std::size_t const total = fibers_.size() * (page() + stack_bytes_);
#if defined(MGPU_EMULATOR_ASAN)
  __asan_unpoison_memory_region(mapping_, total);  // whatever is mapped here next is not a stack
#endif
  munmap(mapping_, total);
  mapping_ = nullptr;
  fibers_.clear();
}

}  // namespace mgpu::emulator::impl
