// Items with a copy constructor and an assignment of their own, as keys, as values, and accumulated, in every function:
// they are only ever copied from items, and only assigned to items.
#include <support/calls.h>
#include <support/device.h>
#include <support/self_copying.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <tuple>

namespace test {

// Its operator* is not const, as algorithms need not call it on a const iterator.
template <class T>
struct unsteady_iterator {
  using difference_type = std::ptrdiff_t;
  using value_type = T;
  using pointer = T*;
  using reference = T&;
  using iterator_category = std::random_access_iterator_tag;

  T* it;
  __host__ __device__ T& operator*() { return *it; }
  __host__ __device__ friend unsteady_iterator operator+(unsteady_iterator a, std::ptrdiff_t distance) {
    return {a.it + distance};
  }
  __host__ __device__ friend std::ptrdiff_t operator-(unsteady_iterator a, unsteady_iterator b) {
    return a.it - b.it;
  }
  friend bool operator==(unsteady_iterator a, unsteady_iterator b) { return a.it == b.it; }
  friend bool operator!=(unsteady_iterator a, unsteady_iterator b) { return a.it != b.it; }
};
}  // namespace test

BOOST_AUTO_TEST_SUITE(self_copying_items, *boost::unit_test::precondition(test::can_run{}))

namespace {

using number = test::self_copying<20, 4>;
using odd = test::self_copying<11, 1>;     // of single bytes
using wide = test::self_copying<48, 16>;   // larger than keys and values that are moved in every pass
using large = test::self_copying<160, 8>;  // larger than keys whose comparisons are inlined

struct behind_unsteady_iterators : test::items_of<number, std::uint32_t> {
  template <class T>
  static auto input(T* it) {
    return test::unsteady_iterator<T>{it};
  }
  template <class T>
  static auto output(T* it) {
    return test::unsteady_iterator<T>{it};
  }
};

template <class Functions, class Data>
void check(std::size_t count) {
  test::for_each_call<Functions, Data>(count, [](auto& call) {
    call.run(test::policy);
    BOOST_TEST(call.done());
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(every_function, Function, test::functions) {
  for (std::size_t const count : {0, 1, 2, 33, 5000}) {
    check<std::tuple<Function>, test::items_of<number, odd>>(count);
  }
}

// Few items make many tiles, so that values go from block to block.
using accumulating = std::tuple<test::call_of::reduce, test::call_of::reduce_into, test::call_of::inclusive_scan,
                                test::call_of::exclusive_scan_with_total>;
BOOST_AUTO_TEST_CASE_TEMPLATE(many_tiles, Function, accumulating) {
  using call = test::tuned_call<Function, test::items_of<number, number>>;
  call each(20 * call::tile + 3);
  each.run(test::policy);
  BOOST_TEST(each.done());
}

using keys_of_any_size = std::tuple<test::items_of<odd, std::uint32_t>, test::items_of<wide, odd>,
                                    test::items_of<large, wide>, test::items_of<std::uint32_t, large>>;
BOOST_AUTO_TEST_CASE_TEMPLATE(keys_and_values, Data, keys_of_any_size) {
  using functions = std::tuple<test::call_of::sort_by_key, test::call_of::argsort, test::call_of::merge_by_key>;
  for (std::size_t const count : {2, 1000}) check<functions, Data>(count);
}

using functions_by_iterator = std::tuple<test::call_of::reduce_into, test::call_of::inclusive_scan_with_total,
                                         test::call_of::transform_exclusive_scan, test::call_of::merge>;
#if !defined(MGPU_TEST_HOST)  // whose algorithms are std's, which ask for whole iterators
BOOST_AUTO_TEST_CASE(unsteady_iterators) { check<functions_by_iterator, behind_unsteady_iterators>(1000); }
#endif

BOOST_AUTO_TEST_SUITE_END()
