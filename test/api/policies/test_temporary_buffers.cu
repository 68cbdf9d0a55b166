// A policy of the user's own may have Thrust's customisation point for temporary memory, get_temporary_buffer and
// return_temporary_buffer: scratch memory comes from there, in each way that Thrust finds them.
#include <support/calls.h>
#include <support/items.h>
#include <thrust/execution_policy.h>
#include <thrust/memory.h>
#include <thrust/pair.h>
#include <thrust/system/cuda/execution_policy.h>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <vector>

namespace of_user {

struct counts {
  int taken = 0;
  int returned = 0;
  std::ptrdiff_t bytes = 0;  // how many were taken last
  bool mismatch = false;     // something was returned that was not taken like that
  void* last = nullptr;

  void* take(std::ptrdiff_t size) {
    void* memory = nullptr;
    test::require(cudaMalloc(&memory, static_cast<std::size_t>(size)));
    ++taken;
    bytes = size;
    return last = memory;
  }
  void give_back(void* memory, std::ptrdiff_t size) {
    ++returned;
    mismatch = mismatch || memory != last || size != bytes;
    cudaFree(memory);
  }
};

// This policy has a state of its own that cannot be copied. The functions take it by reference, and pointers as they
// are.
struct stateful : thrust::device_execution_policy<stateful> {
  counts seen;
  stateful() = default;
  stateful(stateful const&) = delete;
  stateful& operator=(stateful const&) = delete;
};
template <class T>
thrust::pair<T*, std::ptrdiff_t> get_temporary_buffer(stateful& policy, std::ptrdiff_t n) {
  return {static_cast<T*>(policy.seen.take(n * static_cast<std::ptrdiff_t>(sizeof(T)))), n};
}
template <class Pointer>
void return_temporary_buffer(stateful& policy, Pointer memory, std::ptrdiff_t n) {
  policy.seen.give_back(memory.get(), n);  // Thrust hands over this size, whatever came
}

// The functions take this policy by value, with pointers of Thrust's, and no size when the memory is returned.
struct stateless : thrust::cuda::execution_policy<stateless> {
  static counts& seen() {
    static counts all;
    return all;
  }
};
template <class T>
thrust::pair<thrust::pointer<T, stateless>, std::ptrdiff_t> get_temporary_buffer(stateless, std::ptrdiff_t n) {
  T* const memory = static_cast<T*>(stateless::seen().take(n * static_cast<std::ptrdiff_t>(sizeof(T))));
  return {thrust::pointer<T, stateless>(memory), n};
}
template <class Pointer>
void return_temporary_buffer(stateless, Pointer memory) {
  stateless::seen().give_back(thrust::raw_pointer_cast(memory), stateless::seen().bytes);
}

// The functions are friends of this class, where look-up finds them.
template <class Tag>
class hidden : public thrust::device_execution_policy<hidden<Tag>> {
 public:
  explicit hidden(counts& seen) : seen_(&seen) {}

  template <class T>
  friend thrust::pair<T*, std::ptrdiff_t> get_temporary_buffer(hidden const& policy, std::ptrdiff_t n) {
    return {static_cast<T*>(policy.seen_->take(n * static_cast<std::ptrdiff_t>(sizeof(T)))), n};
  }
  template <class Pointer>
  friend void return_temporary_buffer(hidden const& policy, Pointer memory, std::ptrdiff_t n) {
    policy.seen_->give_back(thrust::raw_pointer_cast(memory), n);
  }

 private:
  counts* seen_;
};

// This policy never has enough.
struct meagre : thrust::device_execution_policy<meagre> {
  counts seen;
};
template <class T>
thrust::pair<T*, std::ptrdiff_t> get_temporary_buffer(meagre& policy, std::ptrdiff_t n) {
  return {static_cast<T*>(policy.seen.take(n * static_cast<std::ptrdiff_t>(sizeof(T)))), n - 1};
}
template <class Pointer>
void return_temporary_buffer(meagre& policy, Pointer memory, std::ptrdiff_t n) {
  policy.seen.give_back(thrust::raw_pointer_cast(memory), n);
}

// This policy has no such functions, though another of its namespace has some.
struct plain : thrust::device_execution_policy<plain> {};

}  // namespace of_user

namespace {

using mgpu::detail::has_temporary_buffers;
static_assert(has_temporary_buffers<of_user::stateful>);
static_assert(has_temporary_buffers<of_user::stateless>);
static_assert(has_temporary_buffers<of_user::hidden<int>>);
static_assert(!has_temporary_buffers<of_user::plain>);
static_assert(!has_temporary_buffers<thrust::cuda_cub::par_t>);
static_assert(!has_temporary_buffers<thrust::cuda_cub::par_nosync_t>);
static_assert(!has_temporary_buffers<decltype(thrust::cuda::par.on(nullptr))>);
static_assert(!has_temporary_buffers<decltype(thrust::cuda::par_nosync.on(nullptr))>);
static_assert(!has_temporary_buffers<thrust::cuda::tag>);

constexpr std::size_t count = 20000;  // so many that all calls here need scratch memory, but reductions and merges

// Sorts by it take scratch memory for fewer items than by the natural order.
struct own_order {
  __host__ __device__ bool operator()(std::int32_t a, std::int32_t b) const { return a < b; }
};

template <class Policy>
void check_sort(Policy const& policy) {
  auto const input = test::keys<std::int32_t>(test::pattern::random, count);
  test::buffer<std::int32_t> keys(input);
  mgpu::sort(policy, keys.begin(), keys.end(), own_order{});
  auto expected = input;
  std::sort(expected.begin(), expected.end());
  BOOST_TEST(test::same_bytes(keys.get(), expected));
}

void check(of_user::counts const& seen, int calls) {
  BOOST_TEST(seen.taken == calls);
  BOOST_TEST(seen.returned == calls);
  BOOST_TEST(!seen.mismatch);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(temporary_buffers, *boost::unit_test::precondition(test::can_run{}))

BOOST_AUTO_TEST_CASE(each_way_to_have_them) {
  of_user::stateful const stateful;
  check_sort(stateful);
  check(stateful.seen, 1);
  check_sort(of_user::stateless{});
  check(of_user::stateless::seen(), 1);
  of_user::counts seen;
  check_sort(of_user::hidden<int>(seen));
  check(seen, 1);
  check_sort(of_user::plain{});
}

// There are so many items that scratch memory is needed; for ten there is nothing to take.
BOOST_AUTO_TEST_CASE_TEMPLATE(every_function, Function, test::functions) {
  of_user::stateful const policy;
  test::call<Function> few(10);
  few.run(policy);
  BOOST_TEST(few.done());
  check(policy.seen, 0);
  for (std::size_t const items : {count, 14 * count, 30 * count}) {
    test::call<Function> call(items);
    std::size_t bytes = 0;
    call.run(mgpu::par.query_scratch(bytes));
    if (bytes == 0) continue;
    call.run(policy);
    BOOST_TEST(call.done());
    check(policy.seen, 1);
    BOOST_TEST(policy.seen.bytes == static_cast<std::ptrdiff_t>(bytes));
    return;
  }
  // A merge needs some from millions of items on.
  BOOST_TEST(test::call<Function>::takes_runs, "no scratch memory is needed");
}

BOOST_AUTO_TEST_CASE(too_little) {
  auto const input = test::keys<std::int32_t>(test::pattern::random, count);
  test::buffer<std::int32_t> keys(input);
  of_user::meagre const policy;
  auto const names_the_call = [](std::bad_alloc const& error) {
    return std::string(error.what()).rfind("mgpu::sort: needs ", 0) == 0;
  };
  BOOST_CHECK_EXCEPTION(mgpu::sort(policy, keys.begin(), keys.end(), own_order{}), std::bad_alloc, names_the_call);
  check(policy.seen, 1);
  BOOST_TEST(test::same_bytes(keys.get(), input));
}

BOOST_AUTO_TEST_SUITE_END()
