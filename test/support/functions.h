// This is the list of all public functions, and says how a test calls each of them, and what it must do. Tests of
// what holds for every function iterate `functions`, or `all_overloads`; support/calls.h has what they are called on.
// A new function gets a line here. The test lint.functions names those that have none.
#pragma once
#include <mgpu/mgpu.h>
#include <support/scans.h>
#include <support/givens.h>
#include <support/reductions.h>
#include <support/tunings.h>
#include <cstddef>
#include <optional>
#include <tuple>
#include <utility>

namespace test {

// --- Kinds of functions. Each says
//   small        a tuning with which few items already make many tiles,
//   small_items  and how many 32-bit items need no scratch memory with it,
//   takes_runs   whether the keys are two sorted ranges, from `first` and from `middle` on,
//   expect       what stands where after a call, by what was given before it,
//   returned     which iterators it returns.

// A sort or a merge writes its items, in their order, to one of these places.
struct in_place {
  template <class Given, class Order, class After>
  static void write(Given const& given, Order const& order, After& after) {
    write_permuted(after.keys, given.before.keys, order);
  }
};
struct in_place_with_values : in_place {
  template <class Given, class Order, class After>
  static void write(Given const& given, Order const& order, After& after) {
    in_place::write(given, order, after);
    write_permuted(after.values, given.before.values, order);
  }
};
struct in_place_with_indices : in_place {
  template <class Given, class Order, class After>
  static void write(Given const& given, Order const& order, After& after) {
    in_place::write(given, order, after);
    write_first(after.indices, order);
  }
};
struct to_out {
  template <class Given, class Order, class After>
  static void write(Given const& given, Order const& order, After& after) {
    write_permuted(after.out, given.before.keys, order);
  }
  template <class Arguments, class Given>
  static auto returned(Arguments const& a, Given const& given) {
    return a.out + given.count;
  }
};
struct to_both_outs {
  template <class Given, class Order, class After>
  static void write(Given const& given, Order const& order, After& after) {
    to_out::write(given, order, after);
    write_permuted(after.values_out, given.before.values, order);
  }
  template <class Arguments, class Given>
  static auto returned(Arguments const& a, Given const& given) {
    return thrust::make_pair(a.out + given.count, a.values_out + given.count);
  }
};
struct to_indices {
  template <class Given, class Order, class After>
  static void write(Given const&, Order const& order, After& after) {
    write_first(after.indices, order);
  }
  template <class Arguments, class Given>
  static auto returned(Arguments const& a, Given const& given) {
    return a.indices + given.count;
  }
};

// The order is that of the test's comparator, or, without one, of the library's.
enum class by { comp, less };

template <class Destination, by order>
struct orders : Destination {
  static constexpr by keys_by = order;
  template <class Given, class After>
  static void expect(Given const& given, After& after) {
    if constexpr (order == by::comp) {
      Destination::write(given, given.order(), after);
    } else {
      Destination::write(given, given.order_by_less(), after);
    }
  }
};
template <class Destination, by order = by::comp>
struct sorts : orders<Destination, order> {
  static constexpr bool takes_runs = false;
  using small = small_sort;
  static constexpr std::size_t small_items = small::tile_items;
};
template <class Destination, by order = by::comp>
struct merges : orders<Destination, order> {
  static constexpr bool takes_runs = true;
  using small = merge_tuning<64, 5>;
  static constexpr std::size_t small_items = small::tile_items;
};

// Behind the iterators of a reduction or a scan stand nothing, or some of `init`, `op` and `unary`.
enum class with { nothing, init, op, init_and_op };

template <with arguments, bool transforms>
struct accumulates {
  static constexpr bool takes_runs = false;
  // Returns what there is after each item.
  template <class Given>
  static auto expected(Given const& given, std::optional<typename Given::key> init) {
    if constexpr (arguments == with::init || arguments == with::init_and_op) init = given.init;
    auto items = given.items();
    if constexpr (transforms) {
      for (auto& item : items) item = given.use.unary(item);
    }
    if constexpr (arguments == with::nothing || arguments == with::init) {
      return scan_one_by_one<typename Given::key>(items, init, cuda::std::plus<>{});
    } else {
      return scan_one_by_one<typename Given::key>(items, init, given.use.op);
    }
  }
};

enum class result { returned, written };
template <result where, with arguments = with::init_and_op, bool transforms = false>
struct reduces : accumulates<arguments, transforms> {
  using small = small_reduce;
  static constexpr std::size_t small_items = small::lone_items(4) + 3;  // such items are read four at a time
  template <class Given, class After>
  static void expect(Given const& given, After& after) {
    auto const sums = reduces::expected(given, typename Given::key{});
    (where == result::returned ? after.value : after.total).assign(1, *sums.total);
  }
};

enum class scan { inclusive, exclusive };
template <scan which, with arguments = with::init_and_op, bool transforms = false, bool has_total = false>
struct scans : accumulates<arguments, transforms>, to_out {
  using small = plain_scan;
  static constexpr std::size_t small_items = small::tile_items;
  template <class Given, class After>
  static void expect(Given const& given, After& after) {
    using init = std::optional<typename Given::key>;
    auto const sums = scans::expected(given, which == scan::exclusive ? init(typename Given::key{}) : init());
    write_first(after.out, which == scan::inclusive ? sums.inclusive : sums.exclusive);
    if (has_total && sums.total) after.total.assign(1, *sums.total);
  }
};
template <scan which, with arguments = with::init_and_op, bool transforms = false>
using scans_with_total = scans<which, arguments, transforms, true>;
constexpr bool transformed = true;

// --- The functions. A line has the name, the kind, and what the function is called with: `a` are the arguments that
// support/calls.h makes.

// clang-format off
#define MGPU_TEST_SORTS(f)                                                                                           \
  f(sort, (sorts<in_place>), a.first, a.last, a.comp)                                                                \
  f(stable_sort, (sorts<in_place>), a.first, a.last, a.comp)                                                         \
  f(sort_by_key, (sorts<in_place_with_values>), a.first, a.last, a.values, a.comp)                                   \
  f(stable_sort_by_key, (sorts<in_place_with_values>), a.first, a.last, a.values, a.comp)                            \
  f(sort_copy, (sorts<to_out>), a.first, a.last, a.out, a.comp)                                                      \
  f(stable_sort_copy, (sorts<to_out>), a.first, a.last, a.out, a.comp)                                               \
  f(sort_by_key_copy, (sorts<to_both_outs>), a.first, a.last, a.values, a.out, a.values_out, a.comp)                 \
  f(stable_sort_by_key_copy, (sorts<to_both_outs>), a.first, a.last, a.values, a.out, a.values_out, a.comp)          \
  f(argsort, (sorts<to_indices>), a.first, a.last, a.indices, a.comp)                                                \
  f(sort_with_indices, (sorts<in_place_with_indices>), a.first, a.last, a.indices, a.comp)

#define MGPU_TEST_MERGES(f)                                                                                          \
  f(merge, (merges<to_out>), a.first, a.middle, a.middle, a.last, a.out, a.comp)                                     \
  f(merge_by_key, (merges<to_both_outs>),                                                                            \
    a.first, a.middle, a.middle, a.last, a.values, a.middle_values, a.out, a.values_out, a.comp)

#define MGPU_TEST_REDUCTIONS(f)                                                                                      \
  f(reduce, (reduces<result::returned>), a.first, a.last, a.init, a.op)                                              \
  f(transform_reduce, (reduces<result::returned, with::init_and_op, transformed>),                                   \
    a.first, a.last, a.unary, a.init, a.op)                                                                          \
  f(reduce_into, (reduces<result::written>), a.first, a.last, a.total, a.init, a.op)

#define MGPU_TEST_SCANS(f)                                                                                           \
  f(inclusive_scan, (scans<scan::inclusive>), a.first, a.last, a.out, a.init, a.op)                                  \
  f(exclusive_scan, (scans<scan::exclusive>), a.first, a.last, a.out, a.init, a.op)                                  \
  f(transform_inclusive_scan, (scans<scan::inclusive, with::init_and_op, transformed>),                              \
    a.first, a.last, a.out, a.unary, a.init, a.op)                                                                   \
  f(transform_exclusive_scan, (scans<scan::exclusive, with::init_and_op, transformed>),                              \
    a.first, a.last, a.out, a.unary, a.init, a.op)                                                                   \
  f(inclusive_scan_with_total, (scans_with_total<scan::inclusive>), a.first, a.last, a.out, a.total, a.init, a.op)   \
  f(exclusive_scan_with_total, (scans_with_total<scan::exclusive>), a.first, a.last, a.out, a.total, a.init, a.op)   \
  f(transform_inclusive_scan_with_total, (scans_with_total<scan::inclusive, with::init_and_op, transformed>),        \
    a.first, a.last, a.out, a.total, a.unary, a.init, a.op)                                                          \
  f(transform_exclusive_scan_with_total, (scans_with_total<scan::exclusive, with::init_and_op, transformed>),        \
    a.first, a.last, a.out, a.total, a.unary, a.init, a.op)

#define MGPU_TEST_FUNCTIONS(f) MGPU_TEST_SORTS(f) MGPU_TEST_MERGES(f) MGPU_TEST_REDUCTIONS(f) MGPU_TEST_SCANS(f)

// These overloads leave something out. Each line begins with a name of the overload's own.
#define MGPU_TEST_SHORT_OVERLOADS(f)                                                                                 \
  f(sort_1, sort, (sorts<in_place, by::less>), a.first, a.last)                                                      \
  f(stable_sort_1, stable_sort, (sorts<in_place, by::less>), a.first, a.last)                                        \
  f(sort_by_key_1, sort_by_key, (sorts<in_place_with_values, by::less>), a.first, a.last, a.values)                  \
  f(stable_sort_by_key_1, stable_sort_by_key, (sorts<in_place_with_values, by::less>), a.first, a.last, a.values)    \
  f(sort_copy_1, sort_copy, (sorts<to_out, by::less>), a.first, a.last, a.out)                                       \
  f(stable_sort_copy_1, stable_sort_copy, (sorts<to_out, by::less>), a.first, a.last, a.out)                         \
  f(sort_by_key_copy_1, sort_by_key_copy, (sorts<to_both_outs, by::less>),                                           \
    a.first, a.last, a.values, a.out, a.values_out)                                                                  \
  f(stable_sort_by_key_copy_1, stable_sort_by_key_copy, (sorts<to_both_outs, by::less>),                             \
    a.first, a.last, a.values, a.out, a.values_out)                                                                  \
  f(argsort_1, argsort, (sorts<to_indices, by::less>), a.first, a.last, a.indices)                                   \
  f(sort_with_indices_1, sort_with_indices, (sorts<in_place_with_indices, by::less>), a.first, a.last, a.indices)    \
  f(merge_1, merge, (merges<to_out, by::less>), a.first, a.middle, a.middle, a.last, a.out)                          \
  f(merge_by_key_1, merge_by_key, (merges<to_both_outs, by::less>),                                                  \
    a.first, a.middle, a.middle, a.last, a.values, a.middle_values, a.out, a.values_out)                             \
  f(reduce_1, reduce, (reduces<result::returned, with::nothing>), a.first, a.last)                                   \
  f(reduce_2, reduce, (reduces<result::returned, with::init>), a.first, a.last, a.init)                              \
  f(reduce_into_1, reduce_into, (reduces<result::written, with::nothing>), a.first, a.last, a.total)                 \
  f(reduce_into_2, reduce_into, (reduces<result::written, with::init>), a.first, a.last, a.total, a.init)            \
  f(inclusive_scan_1, inclusive_scan, (scans<scan::inclusive, with::nothing>), a.first, a.last, a.out)               \
  f(inclusive_scan_2, inclusive_scan, (scans<scan::inclusive, with::op>), a.first, a.last, a.out, a.op)              \
  f(exclusive_scan_1, exclusive_scan, (scans<scan::exclusive, with::nothing>), a.first, a.last, a.out)               \
  f(exclusive_scan_2, exclusive_scan, (scans<scan::exclusive, with::init>), a.first, a.last, a.out, a.init)          \
  f(transform_inclusive_scan_1, transform_inclusive_scan, (scans<scan::inclusive, with::op, transformed>),           \
    a.first, a.last, a.out, a.unary, a.op)                                                                           \
  f(inclusive_scan_with_total_1, inclusive_scan_with_total, (scans_with_total<scan::inclusive, with::nothing>),      \
    a.first, a.last, a.out, a.total)                                                                                 \
  f(inclusive_scan_with_total_2, inclusive_scan_with_total, (scans_with_total<scan::inclusive, with::op>),           \
    a.first, a.last, a.out, a.total, a.op)                                                                           \
  f(exclusive_scan_with_total_1, exclusive_scan_with_total, (scans_with_total<scan::exclusive, with::nothing>),      \
    a.first, a.last, a.out, a.total)                                                                                 \
  f(exclusive_scan_with_total_2, exclusive_scan_with_total, (scans_with_total<scan::exclusive, with::init>),         \
    a.first, a.last, a.out, a.total, a.init)                                                                         \
  f(transform_inclusive_scan_with_total_1, transform_inclusive_scan_with_total,                                      \
    (scans_with_total<scan::inclusive, with::op, transformed>), a.first, a.last, a.out, a.total, a.unary, a.op)
// clang-format on

#define MGPU_TEST_OVERLOAD(type, function, kind, ...)              \
  struct type : MGPU_TEST_KIND kind {                              \
    static constexpr char const* name = "mgpu::" #function;        \
    template <class Arguments, class... Policy>                    \
    static auto run(Arguments const& a, Policy const&... policy) { \
      return mgpu::function(policy..., __VA_ARGS__);               \
    }                                                              \
  };
#define MGPU_TEST_FUNCTION(function, ...) MGPU_TEST_OVERLOAD(function, function, __VA_ARGS__)
#define MGPU_TEST_KIND(...) __VA_ARGS__
#define MGPU_TEST_LISTED(type, ...) std::tuple<call_of::type>,

namespace call_of {
MGPU_TEST_FUNCTIONS(MGPU_TEST_FUNCTION)
MGPU_TEST_SHORT_OVERLOADS(MGPU_TEST_OVERLOAD)
}  // namespace call_of

template <class... Lists>
using joined = decltype(std::tuple_cat(std::declval<Lists>()...));
using sort_functions = joined<MGPU_TEST_SORTS(MGPU_TEST_LISTED) std::tuple<>>;
using merge_functions = joined<MGPU_TEST_MERGES(MGPU_TEST_LISTED) std::tuple<>>;
using reduce_functions = joined<MGPU_TEST_REDUCTIONS(MGPU_TEST_LISTED) std::tuple<>>;
using functions = joined<MGPU_TEST_FUNCTIONS(MGPU_TEST_LISTED) std::tuple<>>;
using all_overloads = joined<functions, MGPU_TEST_SHORT_OVERLOADS(MGPU_TEST_LISTED) std::tuple<>>;

}  // namespace test
