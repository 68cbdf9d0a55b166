// One process may use several GPUs: a call runs on the current device and leaves it current, each device has a pool
// of its own, and what is kept, released and remembered of one is not the other's.
#include <mgpu/mgpu.h>
#include <support/items.h>
#include <cuda/std/functional>
#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <set>
#include <thread>
#include <vector>

namespace {

int num_devices() {
  int devices = 0;
  return cudaGetDeviceCount(&devices) == cudaSuccess ? devices : 0;
}

struct several_devices {
  boost::test_tools::assertion_result operator()(boost::unit_test::test_unit_id) const {
    boost::test_tools::assertion_result result(num_devices() > 1);
    if (!result) result.message() << "this machine has not two GPUs";
    return result;
  }
};

struct by_remainder {
  __host__ __device__ bool operator()(std::uint32_t a, std::uint32_t b) const { return a % 1000 < b % 1000; }
};

constexpr std::size_t count = 1000000;

// Has input and memory on one device, which is current where this is made.
struct on_device {
  int device;
  std::vector<std::uint32_t> input;
  test::buffer<std::uint32_t> keys;
  test::buffer<std::uint32_t> out;

  explicit on_device(int number)
      : device(number),
        input(test::keys<std::uint32_t>(test::pattern::random, count, static_cast<std::uint32_t>(number) + 1)),
        keys(input),
        out(count) {}

  template <class Comp>
  bool sorts(Comp comp) {
    keys.set(input);
    mgpu::sort(mgpu::par, keys.begin(), keys.end(), comp);
    return bool(test::same_bytes(keys.get(), test::permuted(input, test::stable_order<std::uint32_t>(input, comp))));
  }
  bool reduces() {
    keys.set(input);
    return mgpu::reduce(mgpu::par, keys.begin(), keys.end(), 5u) == std::accumulate(input.begin(), input.end(), 5u);
  }
  bool scans() {
    keys.set(input);
    mgpu::inclusive_scan(mgpu::par, keys.begin(), keys.end(), out.begin());
    std::vector<std::uint32_t> expected(count);
    std::partial_sum(input.begin(), input.end(), expected.begin());
    return bool(test::same_bytes(out.get(), expected));
  }
  bool is_current() const {
    int current = -1;
    return cudaGetDevice(&current) == cudaSuccess && current == device;
  }
  bool all_right() {
    return sorts(cuda::std::less<>{}) && sorts(by_remainder{}) && reduces() && scans() && is_current();
  }
};

std::vector<std::unique_ptr<on_device>> one_on_each() {
  std::vector<std::unique_ptr<on_device>> all;
  for (int device = 0; device < num_devices(); ++device) {
    test::require(cudaSetDevice(device));
    all.push_back(std::make_unique<on_device>(device));
  }
  return all;
}

cudaMemPool_t pool_of(int device) { return mgpu::program::pools()[static_cast<std::size_t>(device)]; }

std::uint64_t attribute(int device, cudaMemPoolAttr which) {
  std::uint64_t number = 0;
  test::require(cudaMemPoolGetAttribute(pool_of(device), which, &number));
  return number;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(devices, *boost::unit_test::precondition(several_devices{}))

// The devices come in turns and back again, so that what is remembered of one meets the other.
BOOST_AUTO_TEST_CASE(one_after_the_other) {
  auto const all = one_on_each();
  for (int round = 0; round < 3; ++round) {
    for (auto const& each : all) {
      BOOST_TEST_CONTEXT("device " << each->device << ", round " << round) {
        test::require(cudaSetDevice(each->device));
        BOOST_TEST(each->all_right());
      }
    }
  }
  test::require(cudaSetDevice(0));
}

BOOST_AUTO_TEST_CASE(at_the_same_time) {
  auto const all = one_on_each();
  std::vector<int> wrong(all.size(), 0);
  std::vector<std::thread> threads;
  for (auto const& each : all) {
    threads.emplace_back([&each, &wrong] {
      int& mistakes = wrong[static_cast<std::size_t>(each->device)];
      if (cudaSetDevice(each->device) != cudaSuccess) ++mistakes;
      for (std::uint32_t i = 0; i < 100; ++i) {
        auto const sum = mgpu::reduce(mgpu::par, each->keys.begin(), each->keys.end(), i);
        mistakes += sum != std::accumulate(each->input.begin(), each->input.end(), i);
      }
      mgpu::sort(mgpu::par, each->keys.begin(), each->keys.end());
      mistakes += !each->is_current();
    });
  }
  for (auto& thread : threads) thread.join();
  BOOST_TEST((wrong == std::vector<int>(all.size(), 0)));
  for (auto const& each : all) {
    test::require(cudaSetDevice(each->device));
    std::sort(each->input.begin(), each->input.end());
    BOOST_TEST(test::same_bytes(each->keys.get(), each->input));
  }
  test::require(cudaSetDevice(0));
}

BOOST_AUTO_TEST_CASE(a_pool_for_each) {
  auto const all = one_on_each();
  std::set<cudaMemPool_t> pools;
  for (auto const& each : all) {
    test::require(cudaSetDevice(each->device));
    BOOST_TEST(each->sorts(cuda::std::less<>{}));
    pools.insert(pool_of(each->device));
  }
  BOOST_TEST(pools.size() == all.size());
  BOOST_TEST(pools.count(nullptr) == 0u);

  for (auto const& each : all) {
    test::require(cudaSetDevice(each->device));
    mgpu::keep_scratch((std::uint64_t{1} << 30) + static_cast<std::uint64_t>(each->device));
  }
  for (auto const& each : all) {
    auto const kept = attribute(each->device, cudaMemPoolAttrReleaseThreshold);
    BOOST_TEST(kept == (std::uint64_t{1} << 30) + static_cast<std::uint64_t>(each->device));
  }

  test::require(cudaSetDevice(0));
  BOOST_TEST(attribute(0, cudaMemPoolAttrReservedMemCurrent) > 0u);
  mgpu::release_scratch();
  BOOST_TEST(attribute(0, cudaMemPoolAttrReservedMemCurrent) == 0u);
  BOOST_TEST(attribute(1, cudaMemPoolAttrReservedMemCurrent) > 0u);
  BOOST_TEST(all[0]->sorts(cuda::std::less<>{}));
}

BOOST_AUTO_TEST_SUITE_END()
