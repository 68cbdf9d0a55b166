// The operator& of items, and of functions, need not give their address.
#include <mgpu/mgpu.h>
#include <support/items.h>
#include <support/tunings.h>
#include <support/scans.h>
#include <support/device.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace hidden_types {

template <std::size_t words>
struct hidden {
  std::uint32_t number;
  std::uint32_t rest[words - 1];

  static hidden make(std::uint32_t number) {
    hidden made{number, {}};
    for (std::uint32_t& word : made.rest) word = ++number;
    return made;
  }
  void operator&() const = delete;
  __host__ __device__ friend bool operator<(hidden const& a, hidden const& b) { return a.number < b.number; }
  __host__ __device__ friend bool operator==(hidden const& a, hidden const& b) { return a.number == b.number; }
};
struct hidden_less {
  void operator&() const = delete;
  template <class T>
  __host__ __device__ bool operator()(T const& a, T const& b) const {
    return a < b;
  }
};
struct hidden_sum {
  void operator&() const = delete;
  template <class T>
  __host__ __device__ T operator()(T const& a, T const& b) const {
    T sum = a;
    sum.number += b.number;
    return sum;
  }
};
using item = hidden<3>;
using declared = hidden<2>;
using large = hidden<50>;

template <class T>
std::vector<T> hidden_items(std::size_t count) {
  std::vector<T> items;
  for (std::uint32_t const number : test::keys<std::uint32_t>(test::pattern::few_distinct, count))
    items.push_back(T::make(number));
  return items;
}

}  // namespace hidden_types

template <>
struct mgpu::radix_key<hidden_types::declared> {
  __host__ __device__ static std::uint32_t of(hidden_types::declared const& key) { return key.number; }
};

using namespace hidden_types;

BOOST_AUTO_TEST_SUITE(hidden_addresses, *boost::unit_test::precondition(test::can_run{}))

constexpr std::size_t count = 1500;

template <class Key, class Value, class Policy, class Comp>
void check_sort(Policy const& policy, Comp comp) {
  auto const input = hidden_items<Key>(count);
  std::vector<Value> numbered;
  for (std::uint32_t i = 0; i < count; ++i) numbered.push_back(Value::make(i));
  auto const order = test::stable_order<Key>(input, [](Key const& a, Key const& b) { return a < b; });
  test::buffer<Key> keys(input);
  test::buffer<Value> values(numbered);
  mgpu::sort_by_key(policy, keys.begin(), keys.end(), values.begin(), comp);
  BOOST_TEST(test::same_bytes(keys.get(), test::permuted(input, order)));
  BOOST_TEST(test::same_bytes(values.get(), test::permuted(numbered, order)));
}

BOOST_AUTO_TEST_CASE(sorts) {
  check_sort<item, item>(test::tuned(test::small_sort{}), hidden_less{});
  check_sort<item, large>(test::tuned(test::small_sort{}), hidden_less{});
  check_sort<large, item>(test::policy, hidden_less{});
  check_sort<declared, item>(test::policy, cuda::std::less<>{});
  check_sort<declared, declared>(test::policy, hidden_less{});
}

BOOST_AUTO_TEST_CASE(merges) {
  std::size_t const half = count / 2;
  std::vector<item> sorted;
  std::vector<large> numbered;
  for (std::uint32_t i = 0; i < count; ++i) {
    sorted.push_back(item::make(i));
    numbered.push_back(large::make(i));
  }
  test::buffer<item> keys(sorted), keys_out(count);
  test::buffer<large> values(numbered), values_out(count);
  mgpu::merge_by_key(test::tuned(test::small_merge{}), keys.begin(), keys.begin() + half, keys.begin() + half,
                     keys.end(), values.begin(), values.begin() + half, keys_out.begin(), values_out.begin(),
                     hidden_less{});
  BOOST_TEST(test::same_bytes(keys_out.get(), sorted));
  BOOST_TEST(test::same_bytes(values_out.get(), numbered));
}

template <class T>
void check_sums() {
  auto const input = hidden_items<T>(count);
  auto sums = input;
  for (std::size_t i = 1; i < count; ++i) sums[i] = hidden_sum{}(sums[i - 1], input[i]);
  T const init = T::make(0);
  test::buffer<T> items(input), out(count), total(1);
  auto const reduced = mgpu::reduce(test::policy, items.begin(), items.end(), init, hidden_sum{});
  BOOST_TEST(reduced.number == sums.back().number);
  mgpu::reduce_into(test::policy, items.begin(), items.end(), total.begin(), init, hidden_sum{});
  BOOST_TEST(total.get()[0].number == sums.back().number);
  auto const scan = [&](auto const& policy) {
    mgpu::inclusive_scan_with_total(policy, items.begin(), items.end(), out.begin(), total.begin(), hidden_sum{});
    BOOST_TEST(test::same_bytes(out.get(), sums));
    BOOST_TEST(total.get()[0].number == sums.back().number);
    mgpu::exclusive_scan(policy, items.begin(), items.end(), out.begin(), init, hidden_sum{});
    BOOST_TEST(out.get()[count - 1].number == sums[count - 2].number);
  };
  scan(test::tuned(test::plain_scan{}));
  scan(test::tuned(test::pipelined_scan{}));
}

BOOST_AUTO_TEST_CASE(sums) {
  check_sums<declared>();
  check_sums<item>();
  check_sums<large>();
}

#if !defined(__CUDACC__)
// A vector's iterators stand for its memory, which only the emulator's device has too.
BOOST_AUTO_TEST_CASE(vectors) {
  auto items = hidden_items<item>(count);
  auto const order = test::stable_order<item>(items, hidden_less{});
  auto const sorted = test::permuted(items, order);
  mgpu::sort(test::policy, items.begin(), items.end(), hidden_less{});
  BOOST_TEST(test::same_bytes(items, sorted));
}
#endif

BOOST_AUTO_TEST_SUITE_END()
