// The operator is given neighbours, in their order, and nothing but items, the init and what it returned.
#include <support/scans.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

BOOST_AUTO_TEST_SUITE(scan_operators, *boost::unit_test::precondition(test::can_run{}))

namespace {

using tunings = std::tuple<test::plain_scan, test::pipelined_scan, test::clustered_scan>;

// A marked number knows that it is one: memory that nobody wrote is none, whatever it holds.
struct marked {
  std::uint64_t value;
  std::uint64_t mark;
  __host__ __device__ static marked of(std::uint64_t value) { return {value, value * 0x9E3779B97F4A7C15u ^ 0x1234}; }
  __host__ __device__ bool valid() const { return of(value).mark == mark; }
  static marked make(std::size_t number, std::uint32_t seed) { return of(number * 77 + seed); }
};

struct add_marked {
  unsigned* flag;
  __host__ __device__ marked operator()(marked const& a, marked const& b) const {
    if (!a.valid() || !b.valid()) *flag = 1;
    return marked::of(a.value + b.value);
  }
};

// Of two items that are equal for the operator either may win, but it must be the same one everywhere: the left.
struct tagged {
  std::int32_t value;
  std::uint32_t place;
  static tagged make(std::size_t number, std::uint32_t) {
    return {static_cast<std::int32_t>(number * 7919 % 97), static_cast<std::uint32_t>(number)};
  }
  __host__ __device__ friend bool operator<(tagged const& a, tagged const& b) { return a.value < b.value; }
};

}  // namespace

// Each result joins all from the begin of the first to the end of the last item, without a gap.
BOOST_AUTO_TEST_CASE_TEMPLATE(only_neighbours_in_order, Selector, tunings) {
  auto const policy = test::tuned(Selector{});
  for (std::size_t const count : test::scan_sizes(Selector::tile_items)) {
    test::buffer<unsigned> flag(std::vector<unsigned>{0});
    test::join const op{flag.begin()};
    auto const pieces = test::make_items<test::piece>(count);
    BOOST_TEST_CONTEXT(count << " pieces") {
      test::guarded_items<test::piece> in(pieces);
      test::guarded_items<test::piece> out(count);
      test::guarded_items<test::piece> total(1);
      auto const init = test::piece::of(0, 1);

      std::vector<test::piece> expected;
      for (std::uint32_t i = 0; i < count; ++i) expected.push_back(test::piece::of(1, i + 2));
      mgpu::inclusive_scan_with_total(policy, in.begin(), in.end(), out.begin(), total.begin(), op);
      BOOST_TEST(out.holds(expected));
      if (count > 0) BOOST_TEST(total.holds({expected.back()}));

      for (auto& piece : expected) piece = test::piece::of(0, piece.end);
      mgpu::inclusive_scan(policy, in.begin(), in.end(), out.begin(), init, op);
      BOOST_TEST(out.holds(expected));

      for (auto& piece : expected) piece = test::piece::of(0, piece.end - 1);
      mgpu::exclusive_scan_with_total(policy, in.begin(), in.end(), in.begin(), total.begin(), init, op);
      BOOST_TEST(in.holds(expected));
      BOOST_TEST(total.holds({test::piece::of(0, static_cast<std::uint32_t>(count + 1))}));
      BOOST_TEST(flag.get()[0] == 0u);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(nothing_but_items, Selector, tunings) {
  auto const policy = test::tuned(Selector{});
  for (std::size_t const count : test::scan_sizes(Selector::tile_items)) {
    test::buffer<unsigned> flag(std::vector<unsigned>{0});
    add_marked const op{flag.begin()};
    auto const items = test::make_items<marked>(count);
    unsigned host_flag = 0;
    auto const expected = test::scan_one_by_one<marked>(items, std::optional<marked>(), add_marked{&host_flag});
    BOOST_TEST_CONTEXT(count << " items") {
      test::guarded_items<marked> in(items);
      test::guarded_items<marked> out(count);
      mgpu::inclusive_scan(policy, in.begin(), in.end(), out.begin(), op);
      BOOST_TEST(out.holds(expected.inclusive));
      mgpu::exclusive_scan(policy, in.begin(), in.end(), out.begin(), marked::of(0), op);
      BOOST_TEST(flag.get()[0] == 0u);
    }
  }
}

// No identity is known to the scan, so none may be needed: all below zero, and an operator without one.
BOOST_AUTO_TEST_CASE_TEMPLATE(largest, Selector, tunings) {
  auto const policy = test::tuned(Selector{});
  for (std::size_t const count : test::scan_sizes(Selector::tile_items)) {
    std::vector<std::int32_t> items = test::make_items<std::int32_t>(count);
    for (auto& item : items) item -= 1000000;
    test::check_scan_without_init(policy, items, test::larger_of{});
    auto const tags = test::make_items<tagged>(count);
    test::check_scan_without_init(policy, tags, test::larger_of{});
  }
}

// An operator with state, and one that is no const function.
struct add_times {
  std::uint32_t factor;
  __host__ __device__ std::uint32_t operator()(std::uint32_t a, std::uint32_t b) { return a + b + factor * a * b; }
};
BOOST_AUTO_TEST_CASE_TEMPLATE(state, Selector, tunings) {
  auto const items = test::make_items<std::uint32_t>(5 * Selector::tile_items + 1);
  test::check_scans(test::tuned(Selector{}), items, std::uint32_t{1}, add_times{3});
}

BOOST_AUTO_TEST_CASE(lambda) {
  std::int32_t most = 1000;  // no constant, which C++ would not capture
  auto const op = [most] __host__ __device__(std::int32_t a, std::int32_t b) { return a + b < most ? a + b : most; };
  test::check_scans(test::policy, test::make_items<std::int32_t>(20000), std::int32_t{1}, op);
}

BOOST_AUTO_TEST_SUITE_END()
