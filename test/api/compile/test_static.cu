// When the library is compiled, results have the right types, the right types count as policies, and overloads do not
// collide.
#include <mgpu/mgpu.h>
#include <cuda/stream_ref>
#include <support/device.h>
#include <thrust/execution_policy.h>
#include <thrust/device_ptr.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/pair.h>
#include <thrust/system/cuda/execution_policy.h>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace test {
template <class T>
T make();  // for unevaluated use: std::declval would give a reference
}  // namespace test

namespace {

using test::make;

// This is a tuning of the program's own, by the names of <mgpu/tuning.h>.
struct few_items_a_thread {
  __host__ __device__ static constexpr mgpu::merge_sort_tuning at(int) { return {{256, 7, 2}, {256, 7, 2}}; }
};
static_assert(few_items_a_thread::at(90).is_valid());
static_assert(std::is_aggregate_v<mgpu::onesweep_tuning> && std::is_aggregate_v<mgpu::merge_tuning> &&
              std::is_aggregate_v<mgpu::reduce_tuning> && std::is_aggregate_v<mgpu::scan_tuning>);

#if defined(MGPU_TEST_HOST)
using policy = mgpu::host_policy;
#else
using policy = std::decay_t<decltype(mgpu::par)>;
#endif

using keys = std::int32_t*;
using const_keys = std::int32_t const*;
using values = std::uint8_t*;
using count_from = thrust::counting_iterator<int>;

// --- Results.

static_assert(std::is_void_v<decltype(mgpu::sort(make<policy>(), make<keys>(), make<keys>()))>);
static_assert(
    std::is_void_v<decltype(mgpu::stable_sort_by_key(make<policy>(), make<keys>(), make<keys>(), make<values>()))>);
static_assert(std::is_same_v<keys, decltype(mgpu::sort_copy(make<policy>(), make<const_keys>(), make<const_keys>(),
                                                            make<keys>()))>);
static_assert(std::is_same_v<thrust::discard_iterator<>,
                             decltype(mgpu::stable_sort_copy(make<policy>(), make<count_from>(), make<count_from>(),
                                                             make<thrust::discard_iterator<>>()))>);
static_assert(std::is_same_v<thrust::pair<keys, values>,
                             decltype(mgpu::sort_by_key_copy(make<policy>(), make<const_keys>(), make<const_keys>(),
                                                             make<count_from>(), make<keys>(), make<values>()))>);
static_assert(std::is_same_v<values, decltype(mgpu::argsort(make<policy>(), make<const_keys>(), make<const_keys>(),
                                                            make<values>()))>);
static_assert(std::is_same_v<keys, decltype(mgpu::merge(make<policy>(), make<const_keys>(), make<const_keys>(),
                                                        make<count_from>(), make<count_from>(), make<keys>()))>);
static_assert(
    std::is_same_v<thrust::pair<keys, values>,
                   decltype(mgpu::merge_by_key(make<policy>(), make<keys>(), make<keys>(), make<keys>(), make<keys>(),
                                               make<values>(), make<values>(), make<keys>(), make<values>()))>);

// A call has no policy, and a comparator where a policy could be mistaken for an iterator or the reverse.
static_assert(std::is_same_v<keys, decltype(mgpu::sort_copy(make<keys>(), make<keys>(), make<keys>()))>);
static_assert(std::is_same_v<keys, decltype(mgpu::sort_copy(make<keys>(), make<keys>(), make<keys>(),
                                                            cuda::std::greater<>{}))>);
static_assert(
    std::is_void_v<decltype(mgpu::sort(std::declval<std::vector<int>::iterator>(),
                                       std::declval<std::vector<int>::iterator>(), cuda::std::less<int>{}))>);

// --- Policies.

static_assert(std::is_const_v<std::remove_reference_t<decltype(mgpu::par)>>);
static_assert(std::is_const_v<std::remove_reference_t<decltype(mgpu::par_nosync)>>);
static_assert(std::is_same_v<decltype(mgpu::host), mgpu::host_policy const>);
static_assert(std::is_same_v<decltype(mgpu::par), decltype(mgpu::par_nosync)>);
static_assert(std::is_base_of_v<thrust::cuda_cub::execution_policy<std::decay_t<decltype(mgpu::par)>>,
                                std::decay_t<decltype(mgpu::par)>>);

// Where there is no policy, an iterator that computes its items leaves the choice to the others.
static_assert(std::is_same_v<decltype(mgpu::detail::policy_of_system<keys, count_from>()), mgpu::host_policy>);
static_assert(std::is_same_v<decltype(mgpu::detail::policy_of_system<count_from, thrust::device_ptr<int>>()),
                             std::decay_t<decltype(mgpu::par)>>);
static_assert(std::is_same_v<decltype(mgpu::detail::policy_of_system<count_from, thrust::discard_iterator<>>()),
                             std::decay_t<decltype(mgpu::par)>>);

// Attaching a stream keeps the type; a policy is passed by value and kept without cost.
static_assert(std::is_same_v<decltype(mgpu::par.on(cudaStream_t{})), std::decay_t<decltype(mgpu::par)>>);
static_assert(std::is_same_v<decltype(mgpu::par.on(make<cuda::stream_ref>())), std::decay_t<decltype(mgpu::par)>>);
static_assert(std::is_nothrow_copy_constructible_v<std::decay_t<decltype(mgpu::par)>>);

template <class Policy, class = void>
constexpr bool sorts_ints = false;
template <class Policy>
constexpr bool
    sorts_ints<Policy, std::void_t<decltype(mgpu::sort(make<Policy const&>(), make<keys>(), make<keys>()))>> = true;
static_assert(sorts_ints<std::decay_t<decltype(mgpu::par)>>);
static_assert(sorts_ints<mgpu::host_policy>);
static_assert(sorts_ints<std::decay_t<decltype(thrust::host)>>);
static_assert(sorts_ints<std::decay_t<decltype(thrust::device)>>);
static_assert(sorts_ints<std::decay_t<decltype(thrust::seq)>>);
static_assert(sorts_ints<std::decay_t<decltype(thrust::cuda::par)>>);
static_assert(sorts_ints<std::decay_t<decltype(thrust::cuda::par_nosync)>>);
static_assert(!sorts_ints<int>);
static_assert(!sorts_ints<std::vector<int>>);

// A class that derives from a policy sees the names of its own namespace, not the policy's private ones.
struct self {};
struct derived : std::decay_t<decltype(mgpu::par)> {
  using base = std::decay_t<decltype(mgpu::par)>;
  derived(policy const&, self) : base(mgpu::par) {}
};
static_assert(std::is_constructible_v<derived, policy const&, self> && sorts_ints<derived>);

}  // namespace

// A policy may be copied, moved into and out of other objects, and used through a const reference.
BOOST_AUTO_TEST_CASE(policies_are_values) {
  auto const stream = reinterpret_cast<cudaStream_t>(std::uintptr_t{64});
  auto policy = mgpu::par;
  BOOST_TEST(policy.blocking());
  BOOST_TEST(!mgpu::par_nosync.blocking());
  policy = mgpu::par_nosync.on(stream);
  BOOST_TEST(!policy.blocking());
  BOOST_TEST(policy.stream() == stream);
  auto const& same = policy;
  BOOST_TEST(same.on(nullptr).stream() == static_cast<cudaStream_t>(nullptr));
  BOOST_TEST(same.stream() == stream);
  BOOST_TEST(mgpu::par.stream() == mgpu::par_nosync.stream());
}
