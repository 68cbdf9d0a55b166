// While the library sets up what it keeps, or gives it back, streams may be captured into graphs: no capture that is
// under way, of this thread or another, is invalidated. The linker hands some runtime calls of the program to the
// functions here first (--wrap).
#include <mgpu/reduce.h>
#include <mgpu/sort.h>
#include <support/items.h>
#include <support/memory.h>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <future>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int num_threads = 8;
constexpr std::size_t count = 20000;  // for so many, each sort needs scratch memory

// Here threads wait for each other, but not for ever.
class meeting {
 public:
  void expect(int threads) {
    std::lock_guard<std::mutex> const lock(access_);
    missing_ = threads;
  }
  void arrive() {
    std::unique_lock<std::mutex> lock(access_);
    if (--missing_ == 0) all_there_.notify_all();
    all_there_.wait_for(lock, std::chrono::seconds(2), [&] { return missing_ <= 0; });
  }

 private:
  std::mutex access_;
  std::condition_variable all_there_;
  int missing_ = 0;
};
meeting before_pool_is_made;

thread_local bool host_memory_is_used_up = false;
thread_local bool used_up_after_waiting = false;

}  // namespace

extern "C" cudaError_t __real_cudaMemPoolCreate(cudaMemPool_t* pool, cudaMemPoolProps const* properties);
extern "C" cudaError_t __wrap_cudaMemPoolCreate(cudaMemPool_t* pool, cudaMemPoolProps const* properties) {
  before_pool_is_made.arrive();
  return __real_cudaMemPoolCreate(pool, properties);
}
extern "C" cudaError_t __real_cudaStreamSynchronize(cudaStream_t stream);
extern "C" cudaError_t __wrap_cudaStreamSynchronize(cudaStream_t stream) {
  cudaError_t const status = __real_cudaStreamSynchronize(stream);
  host_memory_is_used_up = used_up_after_waiting;
  return status;
}

#if !defined(__CUDA_ARCH__)  // nvcc would compile these for the device, too, which knows no exceptions
// They are not inlined: with one of a pair inlined, g++ takes malloc with delete, or new with free, for a mismatch.
MGPU_NOINLINE void* operator new(std::size_t bytes) {
  void* const memory = host_memory_is_used_up ? nullptr : std::malloc(bytes);
  return memory != nullptr ? memory : throw std::bad_alloc();
}
MGPU_NOINLINE void operator delete(void* memory) noexcept { std::free(memory); }
MGPU_NOINLINE void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
#endif

namespace {

// Makes it as if no call had used the current device's pool yet.
void forget_pool() {
  int device = 0;
  test::require(cudaGetDevice(&device));
  cudaMemPool_t const pool = mgpu::program::pools()[static_cast<std::size_t>(device)].exchange(nullptr);
  if (pool != nullptr) test::require(cudaMemPoolDestroy(pool));
}

// Runs each(thread) in threads of their own, and checks that nothing went wrong in any.
template <class Each>
void in_threads(Each each) {
  std::vector<std::future<std::string>> failures;
  for (int t = 0; t < num_threads; ++t) failures.push_back(std::async(std::launch::async, each, t));
  for (auto& failure : failures) BOOST_TEST(failure.get() == "");
}

constexpr cudaStreamCaptureMode modes[] = {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal,
                                           cudaStreamCaptureModeRelaxed};

}  // namespace

BOOST_AUTO_TEST_SUITE(captures, *boost::unit_test::precondition(test::can_run{}))

// This is the first case of the process, so that nothing is there yet: once the call has waited for its result there
// is no more memory on the host, so that what it keeps for later calls must already have its place. Meanwhile another
// stream is captured, over the emulator alone: on a GPU the wait of such a call is itself what ends other threads'
// captures.
BOOST_AUTO_TEST_CASE(a_value_returned_without_host_memory) {
  test::buffer<std::uint32_t> items(std::vector<std::uint32_t>(100, 3));
  std::string failure;
  std::uint32_t sum = 0;
#if defined(MGPU_EMULATED)
  test::captured_stream captured(cudaStreamCaptureModeGlobal);
#endif
  std::thread([&] {
    try {
      test::stream const stream;
      used_up_after_waiting = true;
      sum = mgpu::reduce(mgpu::par.on(stream), items.begin(), items.end(), 0u);
      host_memory_is_used_up = false;
    } catch (std::exception const& error) {
      host_memory_is_used_up = false;
      failure = error.what();
    }
  }).join();
  BOOST_TEST(failure == "");
  BOOST_TEST(sum == 300u);
#if defined(MGPU_EMULATED)
  test::require(captured.end());
#endif
}

BOOST_AUTO_TEST_CASE(threads_that_race_for_the_pool) {
  for (cudaStreamCaptureMode const mode : modes) {
    BOOST_TEST_CONTEXT("mode " << mode) {
      forget_pool();
      before_pool_is_made.expect(num_threads);
      std::vector<std::unique_ptr<test::buffer<std::uint32_t>>> keys;
      for (int t = 0; t < num_threads; ++t) keys.push_back(std::make_unique<test::buffer<std::uint32_t>>(count));
      meeting all_capture;
      meeting all_sorted;
      all_capture.expect(num_threads);
      all_sorted.expect(num_threads);
      in_threads([&](int t) -> std::string {
        test::captured_stream captured(mode);
        all_capture.arrive();
        std::string failure;
        try {
          auto& mine = *keys[static_cast<std::size_t>(t)];
          mgpu::sort(mgpu::par_nosync.on(captured), mine.begin(), mine.end());
        } catch (std::exception const& error) {
          failure = error.what();
        }
        all_sorted.arrive();
        cudaError_t const ended = captured.end();
        return ended == cudaSuccess ? failure : failure + cudaGetErrorName(ended);
      });
    }
  }
}

BOOST_AUTO_TEST_CASE(pool_settings) {
  test::buffer<std::uint32_t> keys(count);
  for (cudaStreamCaptureMode const mode : modes) {
    BOOST_TEST_CONTEXT("mode " << mode) {
      auto const check = [&](auto use) {
        for (bool const first_use : {true, false}) {
          if (first_use) forget_pool();
          test::captured_stream captured(mode);
          BOOST_CHECK_NO_THROW(use());
          BOOST_CHECK_NO_THROW(mgpu::sort(mgpu::par_nosync.on(captured), keys.begin(), keys.end()));
          BOOST_CHECK_NO_THROW(use());
          BOOST_TEST(captured.end() == cudaSuccess);
        }
      };
      check([] { mgpu::keep_scratch(1 << 20); });
      check([] { mgpu::release_scratch(); });
      // Another thread makes the same calls.
      check([] { std::async(std::launch::async, [] { mgpu::keep_scratch(1 << 20); }).get(); });
      check([] { std::async(std::launch::async, [] { mgpu::release_scratch(); }).get(); });
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
