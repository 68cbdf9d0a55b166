// The shared memory of a block, of every kernel by the tuning as shipped, is there on each architecture.
#include <mgpu/detail/backend/msd_radix/joined_sort_kernel.cuh>
#include <mgpu/mgpu.h>
#include <support/doubling_of_pairs.h>
#include <cuda/std/utility>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace {

namespace detail = mgpu::detail;

template <int Bytes, int Align>
struct alignas(Align) item {
  unsigned char bytes[Bytes];
};
template <class T>
struct type {
  using of = T;
};

// Returns how much a block has on that one of the chips that run code for this architecture which has the least: code
// for 8.0 also runs on 8.6 and 8.9.
constexpr std::size_t kilobytes_on(int arch) {
  if (arch == 75) return 64;
  if (arch < 90 || arch >= 120) return 99;
  return 227;
}

template <class Storage, int arch>
void check_fits(char const* what, std::string const& of) {
  BOOST_TEST(sizeof(Storage) <= kilobytes_on(arch) * 1024,
             what << ", " << of << ", compiled for " << arch << ": " << sizeof(Storage));
}

template <class Value>
constexpr int value_bytes = detail::has_values<Value> ? static_cast<int>(sizeof(Value)) : 0;

template <int arch, class Tuning, class Key, class Value>
void check_sweeps(std::string const& of) {
  check_fits<typename detail::onesweep_pass<Tuning, Key, Value>::template storage<arch>, arch>("digit pass", of);
  check_fits<typename detail::onesweep_histogram<detail::histogram_tuning<Tuning>, Key,
                                                 detail::never_skip>::template storage<arch>,
             arch>("histogram", of);
}
template <int arch, class Tuning, class Order, class Key, class Value>
void check_samples(std::string const& of) {
  using distributor = detail::sample_sort_distributor<Tuning, Key, Value>;
  using bucket = detail::sample_sort_bucket<Tuning, Order, Key, Value>;
  check_fits<typename distributor::template storage<arch>, arch>("tile of a sample sort", of);
  check_fits<typename bucket::template storage<arch>, arch>("bucket of a sample sort", of);
}
template <int arch, class Key, class Value>
void check_radix(std::string const& of) {
  constexpr int key_bytes = sizeof(Key);
  check_sweeps<arch, detail::onesweep_large_tuning<key_bytes, value_bytes<Value>>, Key, Value>(of);
  check_sweeps<arch, detail::onesweep_small_tuning<key_bytes, value_bytes<Value>>, Key, Value>(of);
  using block =
      detail::radix_cluster<detail::radix_cluster_default_tuning<key_bytes, value_bytes<Value>>, Key, Value>;
  check_fits<typename block::template storage<arch>, arch>("block", of);
  if constexpr (key_bytes >= 4 && key_bytes + value_bytes<Value> <= 8) {
    using by = detail::sample_sort_by_bits<false>;
    check_samples<arch, detail::sample_sort_default_tuning<key_bytes, value_bytes<Value>>, by, Key, Value>(of);
    if constexpr (detail::has_values<Value>) {
      check_samples<arch, detail::sample_sort_many_pairs_tuning, by, Key, Value>(of);
    }
  }
  if constexpr (detail::can_be_counted<Key> && !detail::has_values<Value>) {
    using counters = detail::counting_sort_counters<detail::counting_sort_default_tuning<sizeof(Key)>,
                                                    detail::radix_traits<Key>::bits>;
    check_fits<typename counters::template storage<arch>, arch>("counting", of);
  }
  if constexpr (detail::is_bare_key<Key> && !detail::has_values<Value> && (sizeof(Key) == 4 || sizeof(Key) == 8)) {
    using Bits = detail::ordered_bits_t<Key>;
    using tuning = detail::msd_radix_default_tuning<key_bytes, true>;
    using finish = detail::msd_radix_finish<tuning, false, Key>;
    using finishes = detail::onesweep_histogram<detail::onesweep_large_tuning<key_bytes, 0>, Key, finish>;
    check_fits<typename detail::msd_radix_surveyor<tuning, Bits>::template storage<arch>, arch>("survey", of);
    check_fits<typename detail::msd_radix_histogram<tuning>::template storage<arch>, arch>("bucket counts", of);
    check_fits<typename detail::msd_radix_partition<tuning, Bits, true>::template storage<arch>, arch>("bins", of);
    check_fits<typename detail::msd_radix_partition<tuning, Bits, false>::template storage<arch>, arch>("buckets",
                                                                                                        of);
    using bucket = detail::msd_radix_bucket<tuning, false, Bits>;
    using doubled = detail::msd_radix_bucket<detail::msd_radix_default_tuning<key_bytes, false>, true, Bits>;
    check_fits<typename bucket::template storage<arch>, arch>("bucket sort", of);
    check_fits<typename doubled::template storage<arch>, arch>("bucket of twice the size", of);
    using integers = detail::msd_radix_default_tuning<key_bytes, false>;
    check_fits<typename detail::msd_radix_joined_bucket<integers, true, Bits>::template storage<arch>, arch>(
        "bucket of several ranks", of);
    check_fits<typename detail::msd_radix_joined_finish<integers, Bits>::template storage<arch>, arch>(
        "uneven bucket of several ranks", of);
    check_fits<typename finishes::template storage<arch>, arch>("histogram, or what is left over", of);
  }
}

// Keys that are moved as they are take memory, too.
template <int arch, class Key, class Value>
void check_pairs(std::string const& of) {
  constexpr bool keeps_keys = !detail::is_bare_key<Key>;
  using usual = detail::msd_pairs_default_tuning<sizeof(Key), sizeof(Value), keeps_keys>;
  using tuning = detail::msd_tuning_of_pairs<test::doubling_of_pairs<usual>>;
  using bucket = detail::msd_pairs_bucket<tuning, false, Key, Value>;
  using doubled = detail::msd_pairs_bucket<tuning, true, Key, Value>;
  check_fits<typename detail::msd_radix_surveyor<tuning, detail::ordered_bits_t<Key>>::template storage<arch>, arch>(
      "survey", of);
  check_fits<typename detail::msd_radix_histogram<tuning>::template storage<arch>, arch>("bucket counts", of);
  check_fits<typename detail::msd_pairs_planner<tuning>::template storage<arch>, arch>("plan", of);
  check_fits<typename bucket::template storage<arch>, arch>("bucket sort", of);
  check_fits<typename bucket::template uneven_storage<arch>, arch>("uneven bucket", of);
  check_fits<typename doubled::template storage<arch>, arch>("doubled bucket sort", of);
  check_fits<typename doubled::template uneven_storage<arch>, arch>("doubled uneven bucket", of);
}

template <int arch, class Tuning, class Key, class Value>
void check_two_levels(std::string const& of) {
  static_assert(Tuning::at(arch).is_valid());
  check_fits<typename detail::two_level_distributor<Tuning, Key, Value>::template storage<arch>, arch>(
      "tile of two levels", of);
  check_fits<typename detail::two_level_group<Tuning, Key, Value>::template storage<arch>, arch>("group of parts",
                                                                                                 of);
}
template <int arch, class Tuning, class Key, class Value>
void check_merge_sort(std::string const& of) {
  using blocks = detail::merge_sort_blocks<Tuning, Key, Value>;
  check_fits<typename blocks::template sorter_storage<arch>, arch>("tile sort", of);
  check_fits<typename blocks::template merger_storage<arch>, arch>("merge pass", of);
}
template <int arch, class Key, class Value>
void check_merges(std::string const& of) {
  constexpr int key_bytes = sizeof(Key);
  constexpr int item_bytes = key_bytes + value_bytes<Value>;
  if constexpr (item_bytes <= 16) {
    using by = detail::sample_sort_by_comparing;
    check_samples<arch, detail::sample_sort_comparing_tuning<item_bytes>, by, Key, Value>(of);
    check_samples<arch, detail::sample_sort_many_comparing_tuning<item_bytes>, by, Key, Value>(of);
    using by_latency = detail::two_level_sample_sort_latency_tuning<key_bytes, value_bytes<Value>>;
    check_two_levels<arch, by_latency, Key, Value>(of);
    using usual = detail::two_level_sample_sort_default_tuning<key_bytes, value_bytes<Value>>;
    check_two_levels<arch, usual, Key, Value>(of);
    check_merge_sort<arch, detail::merge_sort_sample_tuning<key_bytes>, Key, detail::no_value>(of);
  }
  check_merge_sort<arch, detail::merge_sort_large_tuning<key_bytes, value_bytes<Value>>, Key, Value>(of);
  check_merge_sort<arch, detail::merge_sort_latency_small_tuning<key_bytes, value_bytes<Value>>, Key, Value>(of);
  check_merge_sort<arch, detail::merge_sort_latency_medium_tuning<key_bytes, value_bytes<Value>>, Key, Value>(of);
  check_merge_sort<arch, detail::merge_sort_latency_large_tuning<key_bytes, value_bytes<Value>>, Key, Value>(of);
  if constexpr (detail::max_small_merge_sort_items < sizeof(Key), value_bytes < Value >>> 0) {
    check_merge_sort<arch, detail::merge_sort_small_tuning<sizeof(Key), value_bytes<Value>>, Key, Value>(of);
  }
  using merge_tuning = detail::merge_default_tuning<sizeof(Key), value_bytes<Value>>;
  check_fits<typename detail::merge_blocks<merge_tuning, Key, Value>::template storage<arch>, arch>("merge", of);
}

template <int arch, class T>
void check_scan_and_reduce(std::string const& of) {
  using large = detail::scan_storage<detail::scan_large_tuning<sizeof(T)>, T>;
  using small = detail::scan_storage<detail::scan_small_tuning<sizeof(T)>, T>;
  check_fits<typename large::template type<arch>, arch>("scan", of);
  check_fits<typename small::template type<arch>, arch>("small scan", of);
  using reduce = detail::reduce_storage<detail::reduce_default_tuning<sizeof(T), sizeof(T)>, T>;
  check_fits<typename reduce::template span<arch>, arch>("reduce, a span", of);
  check_fits<typename reduce::template single_block<arch>, arch>("reduce, a single block", of);
  check_fits<typename reduce::template cluster<arch>, arch>("reduce, a cluster", of);
}

// The largest keys and values that are moved in every pass.
using largest_key = item<32, 4>;
using largest_value = item<16, 4>;
static_assert(detail::is_moved_key<largest_key> && !detail::is_moved_key<item<36, 4>>);
static_assert(detail::is_moved_value<largest_value> && !detail::is_moved_value<item<20, 4>>);

// Calls check(Key, Value) for each kind of value.
template <class Key, class Check>
void with_values(Check check) {
  std::string const of = std::to_string(sizeof(Key)) + " bytes with ";
  check(type<Key>{}, type<detail::no_value>{}, of + "none");
  check(type<Key>{}, type<item<1, 1>>{}, of + "1");
  check(type<Key>{}, type<item<4, 4>>{}, of + "4");
  check(type<Key>{}, type<item<8, 8>>{}, of + "8");
  check(type<Key>{}, type<item<16, 16>>{}, of + "16");
  check(type<Key>{}, type<largest_value>{}, of + "the most");
}

template <int arch>
void check_all() {
  auto const radix = [](auto key, auto value, std::string const& of) {
    check_radix<arch, typename decltype(key)::of, typename decltype(value)::of>(of);
  };
  with_values<std::uint8_t>(radix);
  with_values<std::uint16_t>(radix);
  with_values<std::uint32_t>(radix);
  with_values<std::uint64_t>(radix);
  with_values<detail::uint128>(radix);

  auto const pairs = [](auto key, auto value) {
    using Key = typename decltype(key)::of;
    using Value = typename decltype(value)::of;
    check_pairs<arch, Key, Value>(std::to_string(sizeof(Key)) + " bytes with " + std::to_string(sizeof(Value)));
  };
  pairs(type<std::uint32_t>{}, type<std::uint32_t>{}), pairs(type<float>{}, type<std::uint64_t>{});
  pairs(type<std::uint64_t>{}, type<std::uint32_t>{}), pairs(type<double>{}, type<std::uint64_t>{});
  using two_words = cuda::std::pair<std::uint32_t, std::uint32_t>;
  using two_halves = cuda::std::pair<std::uint16_t, std::uint16_t>;
  pairs(type<two_halves>{}, type<std::uint64_t>{}), pairs(type<two_words>{}, type<std::uint64_t>{});

  auto const merges = [](auto key, auto value, std::string const& of) {
    check_merges<arch, typename decltype(key)::of, typename decltype(value)::of>(of);
  };
  with_values<item<1, 1>>(merges);
  with_values<item<3, 1>>(merges);
  with_values<item<4, 4>>(merges);
  with_values<item<8, 8>>(merges);
  with_values<item<12, 4>>(merges);
  with_values<item<16, 16>>(merges);
  with_values<largest_key>(merges);

  auto const pass = [](auto item) {
    using T = typename decltype(item)::of;
    check_scan_and_reduce<arch, T>(std::to_string(sizeof(T)) + " bytes");
  };
  pass(type<item<1, 1>>{}), pass(type<item<2, 2>>{}), pass(type<item<3, 1>>{}), pass(type<item<4, 4>>{});
  pass(type<item<8, 8>>{}), pass(type<item<12, 4>>{}), pass(type<item<16, 16>>{}), pass(type<item<24, 8>>{});
  pass(type<item<33, 1>>{}), pass(type<item<64, 16>>{}), pass(type<item<96, 32>>{}), pass(type<item<200, 4>>{});
  pass(type<item<512, 8>>{}), pass(type<item<1000, 8>>{}), pass(type<item<1024, 128>>{});
}

template <int... archs>
void check_all_of(detail::arch_list<archs...>) {
  (check_all<archs / 10>(), ...);
}

}  // namespace

BOOST_AUTO_TEST_CASE(fits_on_every_architecture) {
  // Of architectures with the same tunings one is enough.
  check_all_of(detail::arch_list<750, 800, 900, 1100, 1200>{});
}
