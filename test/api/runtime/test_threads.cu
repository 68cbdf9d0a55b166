// Many host threads call at the same time, each on a stream of its own: the first ones race for the pool and for what
// the library remembers of kernels and devices, and every result is right.
#include <support/calls.h>
#include <support/memory.h>
#include <support/device.h>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

BOOST_AUTO_TEST_SUITE(threads, *boost::unit_test::precondition(test::can_run{}))

namespace {

#if defined(MGPU_EMULATED)
constexpr int num_threads = 4;
constexpr int calls_per_thread = 32;
constexpr int small_calls_per_thread = 320;
constexpr std::size_t max_items = 7000;  // more are sorted by clusters, which have too many threads for TSan
#else
constexpr int num_threads = 64;
constexpr int calls_per_thread = 1000;
constexpr int small_calls_per_thread = 1000;
constexpr std::size_t max_items = 40000;
#endif

using word = std::uint32_t;
using words = std::vector<word>;

// This order has a state, and is not the natural one.
struct by_remainder {
  word divisor;
  __host__ __device__ bool operator()(word a, word b) const { return a % divisor < b % divisor; }
};

// This operator does not commute: it composes functions x -> factor * x + summand, of 16 bits each.
struct compose {
  __host__ __device__ word operator()(word a, word b) const {
    word const factor = (a >> 16) * (b >> 16);
    word const summand = (a & 0xFFFFu) * (b >> 16) + (b & 0xFFFFu);
    return factor << 16 | (summand & 0xFFFFu);
  }
};

// A call's memory is used in one thread, on that thread's stream.
thread_local cudaStream_t stream_of_thread = nullptr;

void need(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}
template <class T>
class memory_of_thread {
 public:
  explicit memory_of_thread(std::vector<T> const& items) : size_(items.size()) {}
  T* begin() { return items_.begin(); }
  void set(std::vector<T> const& items) {
    size_ = items.size();
    need(cudaMemcpyAsync(begin(), items.data(), size_ * sizeof(T), cudaMemcpyHostToDevice, stream_of_thread));
    need(cudaStreamSynchronize(stream_of_thread));
  }
  std::vector<T> get() const {
    std::vector<T> items(size_);
    need(cudaMemcpyAsync(items.data(), items_.begin(), size_ * sizeof(T), cudaMemcpyDeviceToHost, stream_of_thread));
    need(cudaStreamSynchronize(stream_of_thread));
    return items;
  }

 private:
  std::size_t size_;
  mutable test::buffer<T> items_{max_items};
};
struct data_of_thread : test::items_of<word, word, test::operators<cuda::std::less<>, compose>> {
  template <class T>
  using memory = memory_of_thread<T>;
};
using every_function = test::calls_of<test::functions, data_of_thread>;

// A worker is one thread. Boost.Test's checks are the main thread's alone: here a failure is an exception, or a text.
class worker {
 public:
  explicit worker(unsigned seed) : random_(seed) {}

  void run() {
    try {
      for (int i = 0; i < calls_per_thread && failure_.empty(); ++i) call(i % 8);
    } catch (std::exception const& error) {
      failure_ = error.what();
    }
  }
  void run_every_function() {
    try {
      stream_of_thread = stream_;
      for (int i = 0; i < calls_per_thread && failure_.empty(); ++i) {
        std::size_t skipped = random_() % std::tuple_size_v<every_function>;
        std::apply([&](auto&... call) { ((skipped-- == 0 ? once(call) : void()), ...); }, every_);
      }
    } catch (std::exception const& error) {
      failure_ = error.what();
    }
  }
  // Makes many calls that are over soon, so that what they share is asked for at the same time.
  void run_small() {
    try {
      words const input(100, 3);
      upload(in_, input);
      for (int i = 0; i < small_calls_per_thread && failure_.empty(); ++i) reduce(input);
    } catch (std::exception const& error) {
      failure_ = error.what();
    }
  }
  std::string const& failure() const { return failure_; }

 private:
  template <class Call>
  void once(Call& call) {
    std::size_t const count = draw_count();
    call.refill(Call::given(count, count, static_cast<word>(random_())));
    call.run(policy());
    if (!call.done()) failure_ = std::string(Call::name) + " of " + std::to_string(count) + " words";
  }
  void upload(test::buffer<word>& to, words const& items) {
    need(cudaMemcpyAsync(to.begin(), items.data(), items.size() * sizeof(word), cudaMemcpyHostToDevice, stream_));
  }
  void check(char const* what, test::buffer<word>& from, words const& expected) {
    words result(expected.size());
    need(cudaMemcpyAsync(result.data(), from.begin(), result.size() * sizeof(word), cudaMemcpyDeviceToHost, stream_));
    need(cudaStreamSynchronize(stream_));
    if (result != expected) failure_ = std::string(what) + " of " + std::to_string(result.size()) + " words";
  }
  // Draws as many small counts as large ones.
  std::size_t draw_count() {
    std::size_t const bound = std::max<std::size_t>(1, max_items >> random_() % 16);
    return random_() % (bound + 1);
  }
  static words permuted(words const& items, words const& order) {
    words result;
    for (word const place : order) result.push_back(items[place]);
    return result;
  }
  template <class Comp>
  static words order_of(words const& items, Comp comp) {
    words order(items.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](word a, word b) { return comp(items[a], items[b]); });
    return order;
  }

  template <class Comp>
  void sort(words const& input, Comp comp) {
    mgpu::sort(policy(), in_.begin(), in_.begin() + input.size(), comp);
    check("sort", in_, permuted(input, order_of(input, comp)));
  }
  template <class Comp>
  void sort_by_key(words const& input, Comp comp) {
    words places(input.size());
    std::iota(places.begin(), places.end(), 0u);
    upload(more_, places);
    mgpu::sort_by_key(policy(), in_.begin(), in_.begin() + input.size(), more_.begin(), comp);
    words const order = order_of(input, comp);
    check("sort_by_key, keys", in_, permuted(input, order));
    check("sort_by_key, values", more_, order);
  }
  void reduce(words const& input) {
    word const got = mgpu::reduce(policy(), in_.begin(), in_.begin() + input.size(), 0x30001u, compose{});
    word const expected = std::accumulate(input.begin(), input.end(), word{0x30001u}, compose{});
    if (got != expected) failure_ = "reduce of " + std::to_string(input.size()) + " words";
  }
  void reduce_into(words const& input) {
    mgpu::reduce_into(policy(), in_.begin(), in_.begin() + input.size(), out_.begin(), 7u);
    check("reduce_into", out_, {std::accumulate(input.begin(), input.end(), word{7})});
  }
  void scan(words const& input) {
    mgpu::inclusive_scan(policy(), in_.begin(), in_.begin() + input.size(), out_.begin(), compose{});
    words expected(input.size());
    std::partial_sum(input.begin(), input.end(), expected.begin(), compose{});
    check("inclusive_scan", out_, expected);
  }
  void merge(words input) {
    auto const middle = static_cast<std::ptrdiff_t>(input.empty() ? 0 : random_() % input.size());
    std::sort(input.begin(), input.begin() + middle);
    std::sort(input.begin() + middle, input.end());
    upload(in_, input);
    word* const first = in_.begin();
    mgpu::merge(policy(), first, first + middle, first + middle, first + input.size(), out_.begin());
    std::sort(input.begin(), input.end());
    check("merge", out_, input);
  }

  mgpu::device_policy<mgpu::detail::pool_scratch> policy() {
    return (random_() % 2 == 0 ? mgpu::par : mgpu::par_nosync).on(stream_);
  }

  void call(int which) {
    words input(draw_count());
    for (word& item : input) item = static_cast<word>(random_());
    upload(in_, input);
    switch (which) {
      case 0:
        return sort(input, cuda::std::less<>{});
      case 1:
        return sort(input, by_remainder{1 + static_cast<word>(random_() % 100)});
      case 2:
        return sort_by_key(input, cuda::std::greater<>{});
      case 3:
        return sort_by_key(input, by_remainder{1 + static_cast<word>(random_() % 100)});
      case 4:
        return reduce(input);
      case 5:
        return reduce_into(input);
      case 6:
        return scan(input);
      default:
        return merge(input);
    }
  }

  std::mt19937 random_;
  test::stream stream_;
  every_function every_ = test::make_calls<every_function>(0);
  test::buffer<word> in_{max_items};
  test::buffer<word> more_{max_items};
  test::buffer<word> out_{max_items};
  std::string failure_;
};

void run_all(void (worker::*run)()) {
  std::vector<std::unique_ptr<worker>> workers;
  for (unsigned t = 0; t < num_threads; ++t) workers.push_back(std::make_unique<worker>(t));
  std::vector<std::thread> threads;
  for (auto& each : workers) threads.emplace_back(run, each.get());
  for (auto& thread : threads) thread.join();
  for (auto const& each : workers) BOOST_TEST(each->failure() == "");
}

}  // namespace

BOOST_AUTO_TEST_CASE(mixed_calls) { run_all(&worker::run); }
BOOST_AUTO_TEST_CASE(every_public_function) { run_all(&worker::run_every_function); }
BOOST_AUTO_TEST_CASE(small_calls) { run_all(&worker::run_small); }

BOOST_AUTO_TEST_SUITE_END()
