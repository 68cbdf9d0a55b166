// A range whose last is before its first is empty to every function: nothing is written, outputs come back as they
// were given, a reduction is its init.
#include <mgpu/mgpu.h>
#include <support/items.h>
#include <cuda/std/functional>
#include <cstdint>
#include <vector>

BOOST_AUTO_TEST_SUITE(backward_ranges, *boost::unit_test::precondition(test::can_run{}))

namespace {

constexpr std::size_t count = 100;
using plus = cuda::std::plus<>;
using negate = cuda::std::negate<>;

// Buffers in the middle of which a range ends before it begins.
struct ranges {
  std::vector<std::int32_t> before = test::keys<std::int32_t>(test::pattern::random, count);
  test::buffer<std::int32_t> in{before};
  test::buffer<std::int32_t> values{before};
  test::buffer<std::int32_t> out{before};
  test::buffer<std::int32_t> values_out{before};

  std::int32_t* first(std::ptrdiff_t length) { return in.begin() + count / 2 - (length < 0 ? length : 0); }
  std::int32_t* last(std::ptrdiff_t length) { return first(length) + length; }
  std::int32_t* value() { return values.begin() + count / 2; }
  std::int32_t* output() { return out.begin() + count / 2; }
  std::int32_t* value_output() { return values_out.begin() + count / 2; }

  bool untouched() const {
    return bool(test::same_bytes(in.get(), before)) && bool(test::same_bytes(values.get(), before)) &&
           bool(test::same_bytes(out.get(), before)) && bool(test::same_bytes(values_out.get(), before));
  }
};

constexpr std::ptrdiff_t lengths[] = {0, -1, -2, -40};

// run(ranges, first, last) for each length; nothing is written.
template <class Run>
void check_untouched(Run run) {
  for (std::ptrdiff_t const length : lengths) {
    BOOST_TEST_CONTEXT("length " << length) {
      ranges r;
      run(r, r.first(length), r.last(length));
      BOOST_TEST(r.untouched());
    }
  }
}

// And run returns the output it was given.
template <class Run>
void check_output(Run run) {
  check_untouched([&](ranges& r, auto first, auto last) { BOOST_TEST(run(r, first, last) == r.output()); });
}
template <class Run>
void check_outputs(Run run) {
  check_untouched([&](ranges& r, auto first, auto last) {
    auto const ends = run(r, first, last);
    BOOST_TEST(ends.first == r.output());
    BOOST_TEST(ends.second == r.value_output());
  });
}

// Only the total of an init is written.
template <class Run>
void check_total(Run run) {
  for (std::ptrdiff_t const length : lengths) {
    BOOST_TEST_CONTEXT("length " << length) {
      ranges r;
      test::buffer<std::int32_t> total(std::vector<std::int32_t>{-1});
      BOOST_TEST(run(r, r.first(length), r.last(length), total.begin()) == r.output());
      BOOST_TEST(total.get()[0] == 42);
      BOOST_TEST(r.untouched());
    }
  }
}

auto const& policy = test::policy;

}  // namespace

BOOST_AUTO_TEST_CASE(sorts_in_place) {
  check_untouched([](ranges&, auto first, auto last) { mgpu::sort(policy, first, last); });
  check_untouched(
      [](ranges&, auto first, auto last) { mgpu::stable_sort(policy, first, last, cuda::std::greater<>{}); });
  check_untouched([](ranges& r, auto first, auto last) { mgpu::sort_by_key(policy, first, last, r.value()); });
  check_untouched([](ranges& r, auto first, auto last) {
    mgpu::stable_sort_by_key(policy, first, last, r.value(), cuda::std::greater<>{});
  });
  check_untouched([](ranges& r, auto first, auto last) { mgpu::sort_with_indices(policy, first, last, r.value()); });
}

BOOST_AUTO_TEST_CASE(sorts_to_an_output) {
  check_output([](ranges& r, auto first, auto last) { return mgpu::sort_copy(policy, first, last, r.output()); });
  check_output([](ranges& r, auto first, auto last) {
    return mgpu::stable_sort_copy(policy, first, last, r.output(), cuda::std::greater<>{});
  });
  check_output([](ranges& r, auto first, auto last) { return mgpu::argsort(policy, first, last, r.output()); });
  check_outputs([](ranges& r, auto first, auto last) {
    return mgpu::sort_by_key_copy(policy, first, last, r.value(), r.output(), r.value_output());
  });
  check_outputs([](ranges& r, auto first, auto last) {
    return mgpu::stable_sort_by_key_copy(policy, first, last, r.value(), r.output(), r.value_output());
  });
}

BOOST_AUTO_TEST_CASE(merges) {
  check_output(
      [](ranges& r, auto first, auto last) { return mgpu::merge(policy, first, last, first, last, r.output()); });
  check_outputs([](ranges& r, auto first, auto last) {
    return mgpu::merge_by_key(policy, first, last, first, last, r.value(), r.value(), r.output(), r.value_output());
  });
}

// A range in order beside one that is backward comes out alone.
BOOST_AUTO_TEST_CASE(merges_with_one_range) {
  auto const sorted = test::keys<std::int32_t>(test::pattern::sorted, count);
  test::buffer<std::int32_t> in(sorted);
  for (bool const second_is_backward : {false, true}) {
    ranges r;
    auto* const first = r.first(-3);
    auto* const last = r.last(-3);
    auto* const end = second_is_backward ? mgpu::merge(policy, in.begin(), in.end(), first, last, r.out.begin())
                                         : mgpu::merge(policy, first, last, in.begin(), in.end(), r.out.begin());
    BOOST_TEST(end == r.out.end());
    BOOST_TEST(test::same_bytes(r.out.get(), sorted));
  }
}

BOOST_AUTO_TEST_CASE(reductions) {
  check_untouched([](ranges&, auto first, auto last) {
    BOOST_TEST(mgpu::reduce(policy, first, last) == 0);
    BOOST_TEST(mgpu::reduce(policy, first, last, 42) == 42);
    BOOST_TEST(mgpu::transform_reduce(policy, first, last, negate{}, 42, plus{}) == 42);
    test::buffer<std::int32_t> result(std::vector<std::int32_t>{-1});
    mgpu::reduce_into(policy, first, last, result.begin(), 42);
    BOOST_TEST(result.get()[0] == 42);
  });
}

BOOST_AUTO_TEST_CASE(scans) {
  check_output([](ranges& r, auto a, auto b) { return mgpu::inclusive_scan(policy, a, b, r.output()); });
  check_output([](ranges& r, auto a, auto b) { return mgpu::inclusive_scan(policy, a, b, r.output(), 42, plus{}); });
  check_output([](ranges& r, auto a, auto b) { return mgpu::exclusive_scan(policy, a, b, r.output()); });
  check_output([](ranges& r, auto a, auto b) { return mgpu::exclusive_scan(policy, a, b, r.output(), 42); });
  check_output([](ranges& r, auto a, auto b) {
    return mgpu::transform_inclusive_scan(policy, a, b, r.output(), negate{}, plus{});
  });
  check_output([](ranges& r, auto a, auto b) {
    return mgpu::transform_inclusive_scan(policy, a, b, r.output(), negate{}, 42, plus{});
  });
  check_output([](ranges& r, auto a, auto b) {
    return mgpu::transform_exclusive_scan(policy, a, b, r.output(), negate{}, 42, plus{});
  });
}

BOOST_AUTO_TEST_CASE(scans_with_a_total) {
  check_output(
      [](ranges& r, auto a, auto b) { return mgpu::inclusive_scan_with_total(policy, a, b, r.output(), r.value()); });
  check_output([](ranges& r, auto a, auto b) {
    return mgpu::transform_inclusive_scan_with_total(policy, a, b, r.output(), r.value(), negate{}, plus{});
  });
  check_total([](ranges& r, auto a, auto b, auto total) {
    return mgpu::inclusive_scan_with_total(policy, a, b, r.output(), total, 42, plus{});
  });
  check_total([](ranges& r, auto a, auto b, auto total) {
    return mgpu::exclusive_scan_with_total(policy, a, b, r.output(), total, 42);
  });
  check_total([](ranges& r, auto a, auto b, auto total) {
    return mgpu::transform_inclusive_scan_with_total(policy, a, b, r.output(), total, negate{}, 42, plus{});
  });
  check_total([](ranges& r, auto a, auto b, auto total) {
    return mgpu::transform_exclusive_scan_with_total(policy, a, b, r.output(), total, negate{}, 42, plus{});
  });
}

// Nor is anything asked for.
#if !defined(MGPU_TEST_HOST)
BOOST_AUTO_TEST_CASE(scratch) {
  ranges r;
  auto const check = [&](auto run) {
    std::size_t bytes = 1;
    run(mgpu::par.query_scratch(bytes), r.first(-40), r.last(-40));
    BOOST_TEST(bytes == 0u);
  };
  check([&](auto const& query, auto first, auto last) { mgpu::sort(query, first, last); });
  check([&](auto const& query, auto first, auto last) { mgpu::merge(query, first, last, first, last, r.output()); });
  check([&](auto const& query, auto first, auto last) { mgpu::reduce(query, first, last); });
  check([&](auto const& query, auto first, auto last) { mgpu::inclusive_scan(query, first, last, r.output()); });
}
#endif

BOOST_AUTO_TEST_SUITE_END()
