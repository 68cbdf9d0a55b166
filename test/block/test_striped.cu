// Striped moves of a tile visit the right places in each thread, and leave untouched what lies beyond the valid
// items.
#include <mgpu/detail/block/striped.cuh>
#include <mgpu/detail/core/index_iterators.h>
#include <mgpu/detail/simt/simt.cuh>
#include <support/device.h>
#include <support/guarded.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <vector>

namespace simt = mgpu::detail::simt;

namespace {

// Block b works on a slice of its own, of which b items are valid.
template <int threads, int items>
struct slices {
  static constexpr int tile = threads * items;
  static constexpr std::size_t total = std::size_t{tile} * (tile + 1);

  // Tells whether item (block, place) is what it must be, where valid(place) makes the valid items and rest(place)
  // the others.
  template <class T, class Valid, class Rest>
  static std::vector<T> expect(Valid valid, Rest rest) {
    std::vector<T> made;
    for (int block = 0; block <= tile; ++block) {
      for (int place = 0; place < tile; ++place) {
        auto const at = static_cast<std::size_t>(block) * tile + static_cast<std::size_t>(place);
        made.push_back(place < block ? valid(at, place) : rest(at, place));
      }
    }
    return made;
  }
};

template <int threads, int items>
__global__ void visit_kernel(int* visits) {
  auto const valid = static_cast<int>(simt::block_rank());
  int* const mine = visits + static_cast<std::size_t>(valid) * threads * items;
  mgpu::detail::for_each_striped<threads, items>(valid, [&](int i, int position) {
    mine[position] += 1 + 10 * i + 1000 * static_cast<int>(simt::thread_rank());
  });
}

template <int threads, int items, class Source, class Target>
__global__ void copy_kernel(Source source, Target target) {
  auto const valid = static_cast<int>(simt::block_rank());
  std::int64_t const begin = std::int64_t{valid} * threads * items;
  mgpu::detail::copy_striped<threads, items>(source + begin, target + begin, valid);
}

template <class T, int threads, int items>
struct tile_storage {
  T items_of_tile[threads * items];
};

// Moves from global to shared memory and back. What is not valid holds `rest` before, and must not be stored.
template <class T, int threads, int items>
__global__ void round_trip_kernel(T const* in, T rest, T* out) {
  auto& shared = simt::shared<tile_storage<T, threads, items>>();
  auto const valid = static_cast<int>(simt::block_rank());
  std::int64_t const begin = std::int64_t{valid} * threads * items;
  for (int i = static_cast<int>(simt::thread_rank()); i < threads * items; i += threads)
    shared.items_of_tile[i] = rest;
  simt::sync_block();
  mgpu::detail::copy_striped<threads, items>(in + begin, shared.items_of_tile + 0, valid);
  simt::sync_block();
  mgpu::detail::store_striped<threads, items>(static_cast<T const*>(shared.items_of_tile), out + begin, valid);
}

template <int threads, int items>
void check_visits() {
  BOOST_TEST_CONTEXT(threads << " threads of " << items << " items") {
    using slice = slices<threads, items>;
    test::buffer<int> visits(std::vector<int>(slice::total, 0));
    test::run_kernel(visit_kernel<threads, items>, slice::tile + 1, threads, 0, visits.begin());
    auto const once = [](std::size_t, int place) { return 1 + 10 * (place / threads) + 1000 * (place % threads); };
    auto const never = [](std::size_t, int) { return 0; };
    BOOST_TEST(test::same_bytes(visits.get(), slice::template expect<int>(once, never)));
  }
}

template <class T, int threads, int items>
void check_copy() {
  BOOST_TEST_CONTEXT(threads << " threads of " << items << " items of " << sizeof(T) << " B") {
    using slice = slices<threads, items>;
    auto const input = test::random_keys<T>(slice::total, test::key_bound, 1);
    auto const moved = [&](std::size_t at, int) { return input[at]; };
    auto const rest = [](std::size_t, int) { return test::stranger<T>(); };
    auto const expected = slice::template expect<T>(moved, rest);
    test::buffer<T> source(input);
    test::buffer<T> target(std::vector<T>(slice::total, test::stranger<T>()));
    test::run_kernel(copy_kernel<threads, items, T const*, T*>, slice::tile + 1, threads, 0,
                     static_cast<T const*>(source.begin()), target.begin());
    BOOST_TEST(test::same_bytes(target.get(), expected));
    BOOST_TEST(test::same_bytes(source.get(), input));

    test::buffer<T> out(std::vector<T>(slice::total, test::stranger<T>()));
    test::run_kernel(round_trip_kernel<T, threads, items>, slice::tile + 1, threads, sizeof(T) * slice::tile,
                     static_cast<T const*>(source.begin()), test::random_keys<T>(1, test::key_bound, 2)[0],
                     out.begin());
    BOOST_TEST(test::same_bytes(out.get(), expected));
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(striped, *boost::unit_test::precondition(test::can_run{}))

BOOST_AUTO_TEST_CASE(visits_each_valid_place_once) {
  check_visits<32, 1>();
  check_visits<32, 5>();
  check_visits<64, 3>();
}

BOOST_AUTO_TEST_CASE(copies_what_is_valid) {
  check_copy<std::uint8_t, 32, 5>();
  check_copy<std::uint32_t, 64, 3>();
  check_copy<test::item<16, 8>, 32, 1>();
  check_copy<test::item<33>, 32, 2>();
}

BOOST_AUTO_TEST_CASE(copies_from_a_fancy_iterator) {
  using slice = slices<32, 5>;
  using counting = mgpu::detail::counting_iterator<std::uint32_t>;
  test::buffer<std::uint32_t> target(std::vector<std::uint32_t>(slice::total, 0xEEEEEEEE));
  test::run_kernel(copy_kernel<32, 5, counting, std::uint32_t*>, slice::tile + 1, 32, 0, counting{7}, target.begin());
  auto const counted = [](std::size_t at, int) { return static_cast<std::uint32_t>(at + 7); };
  auto const rest = [](std::size_t, int) { return 0xEEEEEEEEu; };
  BOOST_TEST(test::same_bytes(target.get(), slice::expect<std::uint32_t>(counted, rest)));
}

BOOST_AUTO_TEST_SUITE_END()
