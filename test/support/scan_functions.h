// Tests call all functions of <mgpu/scan.h> in all overloads by this, with given leading arguments: a policy, or
// nothing.
#pragma once
#include <support/scans.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace test {

struct twice_and_one {
  __host__ __device__ std::int64_t operator()(std::int32_t x) const { return 2 * std::int64_t{x} + 1; }
};

// These operators are not the default one. The second does not commute: the left counts, but for its last digit.
struct plus_modulo {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return (a + b) % 1000003;
  }
};

// Makes every call on `count` items and checks output, total and returned iterator. `Memory` has places for the items
// (get, set, begin, end); wait() comes before each look at a result. The range of the input is const where it is not
// the output.
template <template <class> class Memory, class Wait, class... Policy>
void check_scan_functions(std::size_t count, Wait wait, Policy const&... policy) {
  using in_type = std::int32_t;
  using wide = std::int64_t;
  auto const input = make_items<in_type>(count);
  std::vector<wide> as_wide(input.begin(), input.end());
  std::vector<wide> transformed;
  for (in_type const item : input) transformed.push_back(twice_and_one{}(item));
  Memory<in_type> in(input);
  Memory<wide> wide_in(as_wide);
  Memory<wide> out(count);
  Memory<wide> total(1);
  plus_modulo const op;
  std::plus<> const plus;
  wide const init = 1000;
  constexpr wide untouched = -7;

  auto const first = in.begin();
  auto const last = in.end();
  auto const prepare = [&] {
    out.set(std::vector<wide>(count, untouched));
    total.set({untouched});
  };
  auto const check = [&](char const* name, std::vector<wide> const& expected, auto call) {
    BOOST_TEST_CONTEXT(name << " of " << count << " items") {
      prepare();
      wait();
      BOOST_TEST((call(out.begin()) == out.end()));
      wait();
      BOOST_TEST(same_bytes(out.get(), expected));
      BOOST_TEST(total.get()[0] == untouched);
    }
  };
  auto const check_total = [&](char const* name, std::vector<wide> const& expected, std::optional<wide> sum,
                               auto call) {
    BOOST_TEST_CONTEXT(name << "_with_total of " << count << " items") {
      prepare();
      wait();
      BOOST_TEST((call(out.begin(), total.begin()) == out.end()));
      wait();
      BOOST_TEST(same_bytes(out.get(), expected));
      BOOST_TEST(total.get()[0] == (sum ? *sum : untouched));
    }
  };

  using none = std::optional<wide>;
  auto const sums = scan_one_by_one<wide>(as_wide, none(), plus);
  auto const sums_of_init = scan_one_by_one<wide>(as_wide, none(init), plus);
  auto const sums_of_zero = scan_one_by_one<wide>(as_wide, none(0), plus);
  auto const by_op = scan_one_by_one<wide>(as_wide, none(), op);
  auto const by_op_of_init = scan_one_by_one<wide>(as_wide, none(init), op);
  auto const of_unary = scan_one_by_one<wide>(transformed, none(), op);
  auto const of_unary_and_init = scan_one_by_one<wide>(transformed, none(init), op);
  auto const unary = twice_and_one{};
  auto const wide_first = wide_in.begin();
  auto const wide_last = wide_in.end();

  check("inclusive_scan", sums.inclusive,
        [&](auto o) { return mgpu::inclusive_scan(policy..., wide_first, wide_last, o); });
  check("inclusive_scan (op)", by_op.inclusive,
        [&](auto o) { return mgpu::inclusive_scan(policy..., wide_first, wide_last, o, op); });
  check("inclusive_scan (init, op)", by_op_of_init.inclusive,
        [&](auto o) { return mgpu::inclusive_scan(policy..., first, last, o, init, op); });
  check("exclusive_scan", sums_of_zero.exclusive,
        [&](auto o) { return mgpu::exclusive_scan(policy..., wide_first, wide_last, o); });
  check("exclusive_scan (init)", sums_of_init.exclusive,
        [&](auto o) { return mgpu::exclusive_scan(policy..., first, last, o, init); });
  check("exclusive_scan (init, op)", by_op_of_init.exclusive,
        [&](auto o) { return mgpu::exclusive_scan(policy..., first, last, o, init, op); });
  check("transform_inclusive_scan (op)", of_unary.inclusive,
        [&](auto o) { return mgpu::transform_inclusive_scan(policy..., first, last, o, unary, op); });
  check("transform_inclusive_scan (init, op)", of_unary_and_init.inclusive,
        [&](auto o) { return mgpu::transform_inclusive_scan(policy..., first, last, o, unary, init, op); });
  check("transform_exclusive_scan (init, op)", of_unary_and_init.exclusive,
        [&](auto o) { return mgpu::transform_exclusive_scan(policy..., first, last, o, unary, init, op); });

  check_total("inclusive_scan", sums.inclusive, sums.total, [&](auto o, auto t) {
    return mgpu::inclusive_scan_with_total(policy..., wide_first, wide_last, o, t);
  });
  check_total("inclusive_scan (op)", by_op.inclusive, by_op.total, [&](auto o, auto t) {
    return mgpu::inclusive_scan_with_total(policy..., wide_first, wide_last, o, t, op);
  });
  check_total("inclusive_scan (init, op)", by_op_of_init.inclusive, by_op_of_init.total, [&](auto o, auto t) {
    return mgpu::inclusive_scan_with_total(policy..., first, last, o, t, init, op);
  });
  check_total("exclusive_scan", sums_of_zero.exclusive, sums_of_zero.total, [&](auto o, auto t) {
    return mgpu::exclusive_scan_with_total(policy..., wide_first, wide_last, o, t);
  });
  check_total("exclusive_scan (init)", sums_of_init.exclusive, sums_of_init.total,
              [&](auto o, auto t) { return mgpu::exclusive_scan_with_total(policy..., first, last, o, t, init); });
  check_total("exclusive_scan (init, op)", by_op_of_init.exclusive, by_op_of_init.total, [&](auto o, auto t) {
    return mgpu::exclusive_scan_with_total(policy..., first, last, o, t, init, op);
  });
  check_total("transform_inclusive_scan (op)", of_unary.inclusive, of_unary.total, [&](auto o, auto t) {
    return mgpu::transform_inclusive_scan_with_total(policy..., first, last, o, t, unary, op);
  });
  check_total("transform_inclusive_scan (init, op)", of_unary_and_init.inclusive, of_unary_and_init.total,
              [&](auto o, auto t) {
                return mgpu::transform_inclusive_scan_with_total(policy..., first, last, o, t, unary, init, op);
              });
  check_total("transform_exclusive_scan (init, op)", of_unary_and_init.exclusive, of_unary_and_init.total,
              [&](auto o, auto t) {
                return mgpu::transform_exclusive_scan_with_total(policy..., first, last, o, t, unary, init, op);
              });
  BOOST_TEST(same_bytes(in.get(), input));
  BOOST_TEST(same_bytes(wide_in.get(), as_wide));
}

}  // namespace test
