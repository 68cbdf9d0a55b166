// The host and the kernels use the tuning of one and the same architecture, whatever a selector says of others.
#include <backend/merges.h>
#include <backend/sorts.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/config.h>
#include <support/device.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>

namespace {

// The block is as large as the architecture's number.
template <int arch>
struct storage {
  unsigned char bytes[arch];
};

__global__ void current_arch_kernel(int* out) { *out = mgpu::detail::current_arch(); }

int arch_of_kernels() {
  test::buffer<int> out(std::vector<int>{0});
  test::run_kernel(current_arch_kernel, 1, 1, 0, out.begin());
  return out.get()[0];
}

// Each generation has a shape of its own, and none has that of the usual tuning.
struct sort_by_arch {
  __host__ __device__ static constexpr mgpu::detail::merge_sort_tuning at(int arch) {
    if (arch >= 120) return {{64, 6, 1}, {32, 6, 1}, 64, 0};
    if (arch >= 100) return {{64, 10, 1}, {64, 5, 1}, 32, 0};
    if (arch >= 90) return {{128, 2, 1}, {32, 4, 1}, 96, 8};
    if (arch >= 80) return {{32, 7, 1}, {32, 7, 1}, 128, 0};
    return {{256, 3, 1}, {64, 3, 1}, 32, 0};
  }
};

struct merge_by_arch {
  __host__ __device__ static constexpr mgpu::detail::merge_tuning at(int arch) {
    if (arch >= 100) return {{64, 6, 1}, 32, 1};
    if (arch >= 90) return {{32, 9, 1}, 96, 2};
    if (arch >= 80) return {{128, 2, 1}, 64, 3};
    return {{64, 4, 1}, 32, 4};
  }
};

struct by_sweeps {
  __host__ __device__ static constexpr mgpu::detail::onesweep_tuning at(int) { return {256, 16, 1, true}; }
};

// Returns how much scratch a sort of so many 16-bit keys asks for by a policy.
template <class Policy>
std::size_t scratch_of_sort(Policy const& policy, std::size_t count) {
  auto* const first = test::nowhere<std::uint16_t>();
  std::size_t bytes = 0;
  mgpu::sort(policy.query_scratch(bytes), first, first + count);
  return bytes;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tuning, *boost::unit_test::precondition(test::can_run{}))

// The host asks for no scratch memory up to a tile, or a merge's few, and for some from there on, which shows whose tile
// it counts with.
BOOST_AUTO_TEST_CASE(host_asks_for_the_kernels_architecture) {
  std::size_t const sort_tile = test::tile_items([](auto const& query, std::size_t count) {
    auto* const first = test::nowhere<std::uint32_t>();
    mgpu::sort(query.with_tuning(sort_by_arch{}), first, first + count);
  });
  std::size_t const few_tiles = test::tile_items([](auto const& query, std::size_t count) {
    auto* const first = test::nowhere<std::uint32_t>();
    mgpu::merge(query.with_tuning(merge_by_arch{}), first, first + count, first, first, first);
  });
  int const arch = arch_of_kernels();
  BOOST_TEST(mgpu::detail::storage_bytes<storage>(arch) == static_cast<std::size_t>(arch));
  BOOST_TEST(sort_tile == static_cast<std::size_t>(sort_by_arch::at(arch).sorted_items()));
  mgpu::detail::merge_tuning const merge = merge_by_arch::at(arch);
  BOOST_TEST(few_tiles == static_cast<std::size_t>(merge.few_tiles * merge.merge.tile_items()));
}

BOOST_AUTO_TEST_CASE(results_do_not_depend_on_it) {
  for (std::size_t const count : {1, 200, 768, 3000}) {
    BOOST_TEST_CONTEXT(count << " items") {
      using sort = test::sort_case<std::uint32_t, std::uint64_t, test::ascending>;
      using merge = test::merge_case<std::uint32_t, std::uint64_t, test::ascending>;
      test::check_in_place(sort_by_arch{}, sort(count, 30, 1, {}));
      test::check_merge(merge_by_arch{}, merge(count, count / 2, 30, 1, {}));
    }
  }
}

// The sort counts 2^23 keys of 16 bits, which takes no memory for keys, unless a tuning says how to sort them.
BOOST_AUTO_TEST_CASE(is_followed_for_keys_that_would_be_counted) {
  std::size_t const count = std::size_t{1} << 23;
  BOOST_TEST(scratch_of_sort(mgpu::par, count) < count * sizeof(std::uint16_t));
  BOOST_TEST(scratch_of_sort(mgpu::par.with_tuning(by_sweeps{}), count) >= count * sizeof(std::uint16_t));
}

BOOST_AUTO_TEST_SUITE_END()

// These cases need no device.
BOOST_AUTO_TEST_SUITE(architectures)

using several = mgpu::detail::arch_list<750, 800, 860, 900, 1000, 1210>;

BOOST_AUTO_TEST_CASE(listed_architectures) {
  for (int const arch : {75, 80, 86, 90, 100, 121}) {
    BOOST_TEST(mgpu::detail::storage_bytes<storage>(arch, several{}) == static_cast<std::size_t>(arch));
    BOOST_TEST(mgpu::detail::arch_of_code(arch, several{}) == arch);
  }
}

// After link-time optimisation a kernel tells the architecture that was linked for.
BOOST_AUTO_TEST_CASE(others) {
  for (int const arch : {70, 79, 89, 120, 150}) {
    BOOST_TEST(mgpu::detail::arch_of_code(arch, several{}) == 0);
    BOOST_TEST(mgpu::detail::arch_of_code(arch, mgpu::detail::arch_list<750>{}) == 75);
  }
}

BOOST_AUTO_TEST_SUITE_END()
