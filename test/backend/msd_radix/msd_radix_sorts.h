// What the tests of the radix sort by the most significant digits share: tunings, and a sort that is checked.
#pragma once
#include <backend/radix_sorts.h>
#include <support/device.h>
#include <support/items.h>
#include <mgpu/detail/backend/msd_radix/msd_radix.cuh>
#include <mgpu/detail/backend/msd_radix/tuning.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

namespace test {

template <int first_bits, int second_bits, int threads, int items, int max_bucket_tiles = 1>
struct msd_tuning {
  __host__ __device__ static constexpr mgpu::detail::msd_radix_tuning at(int) {
    return {first_bits, second_bits, {threads, items, 1}, {threads, items + 1, 1}, {threads, items, 1}, 4,
            8,          threads,     max_bucket_tiles};
  }
};
template <class Tuning>
struct doubling : Tuning {
  __host__ __device__ static constexpr mgpu::detail::msd_radix_tuning at(int arch) {
    mgpu::detail::msd_radix_tuning numbers = Tuning::at(arch);
    numbers.doubles_buckets = true;
    return numbers;
  }
};
using small_msd = msd_tuning<3, 2, 32, 6>;  // at most 32 buckets, of at most 192 keys

// By which way keys are sorted: by the highest digits first, as their buckets are small, or by the other way.
enum class msd_way { any, highest_first, other };

// Sorts, and returns whether the keys were sorted already when the other way began.
template <class Tuning, bool descending, class Problem>
bool msd_sort(Problem const& problem) {
  namespace detail = mgpu::detail;
  buffer<std::uint64_t> seen(std::vector<std::uint64_t>{2});
  detail::run_on_device("msd_sort", mgpu::par, problem.num_items, [&](detail::device_call& call) {
    detail::msd_radix<Tuning, descending>(call, problem, [&](detail::device_call& other, auto const& start) {
      detail::onesweep<small_onesweep, descending>(other, problem, start);
      if (start.others().is_done != nullptr) {
        require(cudaMemcpyAsync(seen.begin(), start.others().is_done, sizeof(std::uint64_t), cudaMemcpyDeviceToDevice,
                                other.stream()));
      }
    });
  });
  std::uint64_t const is_done = seen.get()[0];
  BOOST_TEST(is_done <= 1u);
  return is_done == 1;
}

// Orders floats by sign and magnitude, NaNs like numbers: both zeros are equal.
template <class Key>
bool is_before(Key const& a, Key const& b) {
  if constexpr (std::is_floating_point_v<Key>) {
    auto const number = [](Key key) {
      using Bits = std::conditional_t<sizeof(Key) == 4, std::int32_t, std::int64_t>;
      Bits bits;
      std::memcpy(&bits, &key, sizeof(bits));
      return bits < 0 ? -(bits & std::numeric_limits<Bits>::max()) : bits;
    };
    return number(a) < number(b);
  } else {
    return a < b;
  }
}

template <class Tuning, bool descending, class Key>
void check_msd_sort(std::vector<Key> const& keys, msd_way expected) {
  namespace detail = mgpu::detail;
  auto const sorted = permuted(keys, stable_order<Key>(keys, [](Key const& a, Key const& b) {
                                 return descending ? is_before(b, a) : is_before(a, b);
                               }));
  auto const count = static_cast<std::int64_t>(keys.size());
  detail::no_values const none{};
  auto const is_as_expected = [&](bool highest_first) {
    return expected == msd_way::any || highest_first == (expected == msd_way::highest_first);
  };
  BOOST_TEST_CONTEXT(count << " keys of " << sizeof(Key) << " bytes, " << (descending ? "descending" : "ascending")) {
    buffer<Key> in_place(keys);
    BOOST_TEST(
        is_as_expected(msd_sort<Tuning, descending>(detail::sort_in_place(in_place.begin(), none, none, count))));
    BOOST_TEST(same_bytes(in_place.get(), sorted), "in place");

    buffer<Key> in(keys), out(std::vector<Key>(keys.size()));
    Key const* const first = in.begin();
    BOOST_TEST(
        is_as_expected(msd_sort<Tuning, descending>(detail::sort_to_copy(first, none, out.begin(), none, count))));
    BOOST_TEST(same_bytes(out.get(), sorted), "copied");
    BOOST_TEST(same_bytes(in.get(), keys), "input");
  }
}

}  // namespace test
