// gather and copy move items of many sizes and alignments whole, and to their places.
#include <support/items.h>
#include <backend/sorts.h>
#include <mgpu/detail/backend/indexed_sort/gather.cuh>
#include <mgpu/detail/core/index_iterators.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/scratch.h>
#include <support/device.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

BOOST_AUTO_TEST_SUITE(gather, *boost::unit_test::precondition(test::can_run{}))

namespace {

template <class Run>
void in_a_call(Run run) {
  mgpu::detail::scratch_of scratch(mgpu::par.scratch());
  mgpu::detail::device_call call("test", cudaStreamLegacy, true, scratch);
  run(call);
  call.finish();
}

// Returns an order in which some items come more than once, some never, and the first and the last always.
template <class Index>
std::vector<Index> drawn_order(std::size_t num_targets, std::size_t num_sources) {
  std::mt19937 random(static_cast<std::uint32_t>(num_targets));
  std::vector<Index> order(num_targets);
  for (Index& place : order) place = static_cast<Index>(random() % num_sources);
  order.front() = static_cast<Index>(num_sources - 1);
  order.back() = 0;
  return order;
}

template <class Index, class T>
std::vector<T> expected(std::vector<T> const& items, std::vector<Index> const& order) {
  return test::permuted(items, std::vector<std::size_t>(order.begin(), order.end()));
}

template <class T, class Index>
void check_gather(std::size_t num_targets, std::size_t num_sources) {
  BOOST_TEST_CONTEXT(num_targets << " of " << num_sources << " items of " << sizeof(T) << " B") {
    auto const items = test::numbered<T>(num_sources);
    auto const places = drawn_order<Index>(num_targets, num_sources);
    test::buffer<T> source(items);
    test::buffer<Index> order(places);
    test::buffer<T> target(num_targets), backwards_target(num_targets);
    in_a_call([&](auto const& call) {
      auto const count = static_cast<std::int64_t>(num_targets);
      Index const* const first = order.begin();
      mgpu::detail::gather(call, static_cast<T const*>(source.begin()), first, target.begin(), count);
      mgpu::detail::gather(call, source.begin(), first, test::backwards(backwards_target), count);
    });
    BOOST_TEST(test::same_bytes(target.get(), expected(items, places)));
    BOOST_TEST(test::same_bytes(backwards_target.get(), test::reversed(expected(items, places))));
    BOOST_TEST(test::same_bytes(source.get(), items));
  }
}

template <class T>
void check_copy(std::size_t count) {
  BOOST_TEST_CONTEXT(count << " items of " << sizeof(T) << " B") {
    auto const items = test::numbered<T>(count);
    test::buffer<T> source(items), backwards_source(test::reversed(items));
    test::buffer<T> target(count), other_target(count);
    in_a_call([&](auto const& call) {
      mgpu::detail::copy(call, source.begin(), target.begin(), static_cast<std::int64_t>(count));
      mgpu::detail::copy(call, test::backwards_read_only(backwards_source), other_target.begin(),
                         static_cast<std::int64_t>(count));
    });
    BOOST_TEST(test::same_bytes(target.get(), items));
    BOOST_TEST(test::same_bytes(other_target.get(), items));
  }
}

// Checks numbers of items that fill the blocks of the kernel exactly and nearly, however many words an item has.
template <class T>
void check() {
  for (std::size_t const count : {1, 2, 255, 256, 257, 1000}) {
    check_gather<T, std::uint32_t>(count, 300);
    check_copy<T>(count);
  }
  check_gather<T, std::uint64_t>(100, 5000);
}

}  // namespace

BOOST_AUTO_TEST_CASE(items_of_1_byte) { check<std::uint8_t>(); }
BOOST_AUTO_TEST_CASE(items_of_8_bytes) { check<std::uint64_t>(); }
BOOST_AUTO_TEST_CASE(items_of_single_bytes) { check<test::item<33>>(); }
BOOST_AUTO_TEST_CASE(items_of_4_byte_words) { check<test::item<36, 4>>(); }
BOOST_AUTO_TEST_CASE(items_of_8_byte_words) { check<test::item<200, 8>>(); }
BOOST_AUTO_TEST_CASE(items_of_16_byte_words) { check<test::item<48, 16>>(); }
BOOST_AUTO_TEST_CASE(items_aligned_beyond_a_word) { check<test::item<64, 32>>(); }

BOOST_AUTO_TEST_CASE(fancy_source) {
  auto const places = drawn_order<std::uint32_t>(700, 100000);
  test::buffer<std::uint32_t> order(places);
  test::buffer<std::uint64_t> target(places.size());
  std::vector<std::uint64_t> wanted;
  for (std::uint32_t const place : places) wanted.push_back((std::uint64_t{1} << 40) + place);
  in_a_call([&](auto const& call) {
    mgpu::detail::gather(call, mgpu::detail::counting_iterator<std::uint64_t>{std::uint64_t{1} << 40}, order.begin(),
                         target.begin(), static_cast<std::int64_t>(places.size()));
  });
  BOOST_TEST(test::same_bytes(target.get(), wanted));
}

BOOST_AUTO_TEST_SUITE_END()
