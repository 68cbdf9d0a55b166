// Repeated calls take nothing new from the driver: after the first ones no memory is allocated but from the library's
// pool, which does not grow. The linker hands every allocation of the program to the functions here first (--wrap).
#include <support/calls.h>
#include <support/items.h>
#include <cuda/std/functional>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace {

std::map<std::string, int>& allocations() {
  static std::map<std::string, int> by_function;
  return by_function;
}

}  // namespace

#define MGPU_TEST_COUNTED(function, parameters, arguments) \
  extern "C" cudaError_t __real_##function parameters;     \
  extern "C" cudaError_t __wrap_##function parameters {    \
    ++allocations()[#function];                            \
    return __real_##function arguments;                    \
  }
MGPU_TEST_COUNTED(cudaMalloc, (void** memory, std::size_t bytes), (memory, bytes))
MGPU_TEST_COUNTED(cudaMallocAsync, (void** memory, std::size_t bytes, cudaStream_t stream), (memory, bytes, stream))
MGPU_TEST_COUNTED(cudaMallocFromPoolAsync,
                  (void** memory, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream),
                  (memory, bytes, pool, stream))
MGPU_TEST_COUNTED(cudaHostAlloc, (void** memory, std::size_t bytes, unsigned flags), (memory, bytes, flags))
MGPU_TEST_COUNTED(cudaMemPoolCreate, (cudaMemPool_t * pool, cudaMemPoolProps const* properties), (pool, properties))
#if !defined(MGPU_EMULATED)  // the emulator's runtime has no others
MGPU_TEST_COUNTED(cudaMallocHost, (void** memory, std::size_t bytes), (memory, bytes))
MGPU_TEST_COUNTED(cudaMallocManaged, (void** memory, std::size_t bytes, unsigned flags), (memory, bytes, flags))
#endif

namespace {

#if defined(MGPU_EMULATED)
constexpr int first_repetitions = 1, repetitions = 1;
constexpr std::size_t count = 150000;
constexpr std::size_t reduced = 600000;  // over 2 MB
#else
constexpr int first_repetitions = 2, repetitions = 100;
constexpr std::size_t count = 1000000;
constexpr std::size_t reduced = 10000000;
#endif

struct by_remainder {
  __host__ __device__ bool operator()(std::uint32_t a, std::uint32_t b) const { return a % 1000 < b % 1000; }
};

// These are large calls of each kind, and one of every function, all but a merge beyond what takes no scratch memory.
class calls {
  using every_function = test::tuned_calls_of<test::functions>;

 public:
  static constexpr int with_scratch = 7 + static_cast<int>(std::tuple_size_v<every_function>);

  template <class Policy>
  void run(Policy const& policy) {
    std::apply([&](auto&... call) { (call.run(policy), ...); }, every_);
    auto* const first = keys_.begin();
    auto* const last = keys_.end();
    mgpu::sort(policy, first, last);
    mgpu::sort(policy, first, last, by_remainder{});
    mgpu::sort_by_key(policy, first, last, values_.begin());
    mgpu::sort_by_key(policy, first, last, large_values_.begin());
    mgpu::argsort(policy, first, last, values_.begin());
    mgpu::merge(policy, first, first + count / 2, first + count / 2, last, out_.begin());
    mgpu::inclusive_scan(policy, items_.begin(), items_.end(), items_.begin());
    mgpu::reduce_into(policy, items_.begin(), items_.end(), out_.begin(), 0u);
  }
  template <class Policy>
  void run_blocking(Policy const& policy) {
    mgpu::reduce(policy, keys_.begin(), keys_.end());
    mgpu::transform_reduce(policy, keys_.begin(), keys_.end(), cuda::std::negate<>{}, 0u, cuda::std::plus<>{});
  }

 private:
  every_function every_ = test::make_calls<every_function>(5000);
  test::buffer<std::uint32_t> keys_{test::keys<std::uint32_t>(test::pattern::random, count)};
  test::buffer<std::uint32_t> values_{test::numbered<std::uint32_t>(count)};
  test::buffer<test::item<40, 4>> large_values_{test::numbered<test::item<40, 4>>(count)};
  test::buffer<std::uint32_t> out_{count};
  test::buffer<std::uint32_t> items_{std::vector<std::uint32_t>(reduced, 1)};
};

// Returns what the current device's pool holds of the device's memory.
std::uint64_t reserved_bytes() {
  int device = 0;
  test::require(cudaGetDevice(&device));
  std::uint64_t bytes = 0;
  cudaMemPool_t const pool = mgpu::program::pools()[static_cast<std::size_t>(device)];
  test::require(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &bytes));
  return bytes;
}

template <class Policy>
void check(Policy const& policy) {
  calls each;
  for (int i = 0; i < first_repetitions; ++i) {
    each.run(policy);
    each.run_blocking(policy);
  }
  test::require(cudaDeviceSynchronize());
  std::uint64_t const reserved = reserved_bytes();
  BOOST_TEST(reserved > 0u);
  allocations().clear();
  for (int i = 0; i < repetitions; ++i) {
    each.run(policy);
    each.run_blocking(policy);
  }
  BOOST_TEST(reserved_bytes() == reserved);
  BOOST_TEST(allocations()["cudaMallocFromPoolAsync"] >= repetitions * calls::with_scratch);
  allocations().erase("cudaMallocFromPoolAsync");
  for (auto const& [function, times] : allocations()) BOOST_ERROR(function << " was called " << times << " times");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(driver_allocations, *boost::unit_test::precondition(test::can_run{}))

BOOST_AUTO_TEST_CASE(of_the_first_call) {
  allocations().clear();
  test::buffer<std::uint32_t> items(std::vector<std::uint32_t>(count, 1));
  BOOST_TEST(allocations()["cudaMalloc"] == 1);
  mgpu::reduce(mgpu::par, items.begin(), items.end());
  BOOST_TEST(allocations()["cudaHostAlloc"] == 1);
  mgpu::sort(mgpu::par, items.begin(), items.end());
  BOOST_TEST(allocations()["cudaMemPoolCreate"] == 1);
  BOOST_TEST(allocations()["cudaMalloc"] == 1);
}

BOOST_AUTO_TEST_CASE(under_par) { check(mgpu::par); }
BOOST_AUTO_TEST_CASE(under_par_nosync) { check(mgpu::par_nosync); }

BOOST_AUTO_TEST_SUITE_END()
