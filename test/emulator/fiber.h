// These are fibers over Boost.Context's fcontext, with stacks that fault when they run over.
#pragma once
#include <cstddef>
#include <vector>

namespace mgpu::emulator::impl {

class fiber {
 public:
  fiber() = default;
  ~fiber();
  fiber(fiber const&) = delete;
  fiber& operator=(fiber const&) = delete;

  // Makes this the fiber of what runs now, on the stack that it has.
  void adopt_current();
  // The fiber will run entry(), which must not return, when it is first switched to. This may be called again, for
  // the same stack: a race checker takes all that was on a stack for one thread's.
  void prepare(char* stack, std::size_t bytes, void (*entry)());

  // This fiber calls it: runs `next`, and returns when something switches back.
  void switch_to(fiber& next);
  // This fiber calls it: runs `next`, and never returns.
  [[noreturn]] void leave_to(fiber& next);

  // The fiber `other` calls it for this one, which will not go on: what it did is then ordered before observe(tag).
  void abandon(fiber& other, void* tag);

 private:
  friend struct fiber_entry;
  void jump(fiber& next, bool for_good);
  void arrived(fiber& from, void* left_at);

  void* context_ = nullptr;
  void (*entry_)() = nullptr;
#if defined(MGPU_EMULATOR_TSAN)
  void* race_checker_ = nullptr;  // TSan's handle
  bool owns_race_checker_ = false;
#endif
  void* fake_stack_ = nullptr;  // the rest is ASan's
  void const* stack_bottom_ = nullptr;
  std::size_t stack_bytes_ = 0;
#if defined(MGPU_EMULATOR_ASAN)
  bool has_frames_ = false;  // on its stack, which may be marked as not to be touched
#endif
};

// The fibers of a pool have equal stacks in one mapping, each with a page below it that faults when touched.
class fiber_pool {
 public:
  fiber_pool() = default;
  ~fiber_pool() { release(); }
  fiber_pool(fiber_pool const&) = delete;
  fiber_pool& operator=(fiber_pool const&) = delete;

  // The pool has at least `count` fibers from now on.
  void reserve(std::size_t count, std::size_t stack_bytes);
  fiber& prepare(std::size_t i, void (*entry)());

 private:
  void release();

  char* mapping_ = nullptr;
  std::size_t stack_bytes_ = 0;
  std::vector<fiber> fibers_;
};

}  // namespace mgpu::emulator::impl
