// Sorts and merges run on the CPU, in every build and without a GPU, by mgpu::host, Thrust's host policies, and
// iterators of the host without a policy. Keys need not be trivially copyable there, and comparators may throw.
#include <support/calls.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/zip_iterator.h>
#include <boost/test/unit_test.hpp>
#include <thrust/pair.h>
#include <thrust/partition.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(host_policies)

namespace {

std::vector<int> random_ints(std::size_t count, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::vector<int> made(count);
  for (int& item : made) item = static_cast<int>(random() % 1000) - 500;
  return made;
}

std::vector<int> sorted(std::vector<int> items) {
  std::stable_sort(items.begin(), items.end());
  return items;
}

struct host_ints : test::items_of<int> {
  template <class T>
  using memory = test::host_memory<T>;
  static std::vector<int> keys(std::size_t count, std::uint32_t seed) { return random_ints(count, seed); }
  static int init() { return 5; }
};

// Checks every function with these leading arguments: a policy or nothing.
template <class... Policy>
void check_all(Policy const&... policy) {
  for (std::size_t const count : {0, 1, 2, 1000}) {
    test::for_each_call<test::all_overloads, host_ints>(count, [&](auto& call) {
      call.run(policy...);
      BOOST_TEST(call.done());
    });
  }
}

// These bits are NaNs, zeros, infinities and numbers, of both signs. They have the order that <mgpu/sort.h>
// documents: by sign and magnitude, so that zeros are equal and NaNs outermost.
constexpr std::uint32_t special_floats[] = {0x7FC00000, 0xFFC00000, 0x7FC00005, 0xFFC00005, 0,          0x80000000, 1,
                                            0x7F800000, 0xFF800000, 0x3F800000, 0xC0000000, 0x7F7FFFFF, 0xFF7FFFFF};
std::int64_t place_of(std::uint32_t bits) {
  auto const magnitude = static_cast<std::int64_t>(bits & 0x7FFFFFFF);
  return bits == magnitude ? magnitude : -magnitude;
}

// Makes a Key of a float, or of the same integer and a float.
template <class Key, class Comp>
void check_floats(bool descending, Comp comp) {
  for (std::size_t const count : {8, 100, 3000}) {
    std::vector<Key> input;
    std::vector<std::int64_t> places;
    for (int const draw : random_ints(count)) {
      std::uint32_t const bits = special_floats[(draw + 500) % std::size(special_floats)];
      float key;
      std::memcpy(&key, &bits, sizeof(key));
      if constexpr (std::is_arithmetic_v<Key>) {
        input.emplace_back(key);
      } else {
        input.emplace_back(-3, key);
      }
      places.push_back(descending ? -place_of(bits) : place_of(bits));
    }
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return places[a] < places[b]; });

    auto sorted_alone = input, keys = input;
    std::vector<std::uint32_t> from(count);
    mgpu::sort(mgpu::host, sorted_alone.begin(), sorted_alone.end(), comp);
    mgpu::sort_with_indices(mgpu::host, keys.begin(), keys.end(), from.begin(), comp);
    BOOST_TEST(from == order);
    for (std::size_t i = 0; i < count; ++i) {
      BOOST_REQUIRE(std::memcmp(&sorted_alone[i], &input[order[i]], sizeof(Key)) == 0);
      BOOST_REQUIRE(std::memcmp(&keys[i], &input[order[i]], sizeof(Key)) == 0);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(mgpu_host) { check_all(mgpu::host); }
BOOST_AUTO_TEST_CASE(thrust_host) { check_all(thrust::host); }
BOOST_AUTO_TEST_CASE(thrust_seq) { check_all(thrust::seq); }
BOOST_AUTO_TEST_CASE(no_policy) { check_all(); }

BOOST_AUTO_TEST_CASE(negative_ints) {
  std::vector<int> keys{3, -1, 2, -5, 0};
  mgpu::sort(mgpu::host, keys.begin(), keys.end());
  BOOST_TEST((keys == std::vector<int>{-5, -1, 0, 2, 3}));
  keys = {3, -1, 2, -5, 0};
  mgpu::sort(thrust::host, keys.begin(), keys.end());
  BOOST_TEST((keys == std::vector<int>{-5, -1, 0, 2, 3}));
}

BOOST_AUTO_TEST_CASE(nans_and_zeros) {
  using pair = std::pair<std::int64_t, double>;
  check_floats<float>(false, cuda::std::less<>{});
  check_floats<float>(false, std::less<float>{});
  check_floats<float>(true, std::greater<>{});
  check_floats<double>(false, std::less<>{});
  check_floats<double>(true, cuda::std::greater<double>{});
  check_floats<pair>(false, std::less<>{});
  check_floats<pair>(true, std::greater<pair>{});
  check_floats<cuda::std::pair<int, float>>(true, cuda::std::greater<>{});
}

BOOST_AUTO_TEST_CASE(any_random_access_iterators) {
  auto const input = random_ints(1000);
  std::deque<int> keys(input.begin(), input.end());
  mgpu::sort(mgpu::host, keys.begin(), keys.end());
  auto const expected = sorted(input);
  BOOST_TEST(std::equal(keys.begin(), keys.end(), expected.begin(), expected.end()));
}

BOOST_AUTO_TEST_CASE(keys_and_values_that_own_memory) {
  std::vector<std::string> keys;
  std::vector<std::vector<int>> values;
  auto const input = random_ints(500);
  for (int const item : input) {
    keys.push_back("a string too long to lie within its object " + std::to_string(item));
    values.push_back({item, 1, 2, 3});
  }
  auto expected = keys;
  std::stable_sort(expected.begin(), expected.end());
  mgpu::sort_by_key(mgpu::host, keys.begin(), keys.end(), values.begin());
  BOOST_TEST(keys == expected);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    BOOST_REQUIRE_EQUAL(values[i].size(), 4u);
    BOOST_REQUIRE(keys[i] == "a string too long to lie within its object " + std::to_string(values[i][0]));
  }

  auto numbers = input;
  mgpu::sort_by_key(mgpu::host, numbers.begin(), numbers.end(), keys.begin());
  BOOST_TEST(numbers == sorted(input));
  std::sort(keys.begin(), keys.end());
  BOOST_TEST(keys == expected);
}

BOOST_AUTO_TEST_CASE(comparators_that_are_lambdas_with_state) {
  auto const input = random_ints(1000);
  auto keys = input;
  std::size_t calls = 0;
  mgpu::sort(mgpu::host, keys.begin(), keys.end(), [&calls](int a, int b) {
    ++calls;
    return a > b;
  });
  auto expected = input;
  std::stable_sort(expected.begin(), expected.end(), std::greater<>{});
  BOOST_TEST(keys == expected);
  BOOST_TEST(calls > 0u);
}

// Whichever comparison throws, the exception is the caller's own, and the keys and values are as they were.
BOOST_AUTO_TEST_CASE(a_comparator_that_throws) {
  auto const input = random_ints(300);
  for (std::size_t const when : {1, 2, 50, 299, 1000}) {
    BOOST_TEST_CONTEXT("comparison " << when) {
      std::size_t calls = 0;
      auto const comp = [&](int a, int b) {
        if (++calls == when) throw std::runtime_error("no more");
        return a < b;
      };
      auto keys = input;
      BOOST_CHECK_EXCEPTION(mgpu::sort(mgpu::host, keys.begin(), keys.end(), comp), std::runtime_error,
                            [](auto const& error) { return std::string(error.what()) == "no more"; });
      BOOST_TEST(keys == input);

      calls = 0;
      std::vector<std::uint32_t> places(input.size());
      std::iota(places.begin(), places.end(), 0u);
      auto values = places;
      BOOST_CHECK_THROW(mgpu::sort_by_key(mgpu::host, keys.begin(), keys.end(), values.begin(), comp),
                        std::runtime_error);
      BOOST_TEST(keys == input);
      BOOST_TEST(values == places);

      auto const check_outputs = [&](auto sort) {
        calls = 0;
        std::vector<int> out(600, -7);
        std::vector<std::uint32_t> values_out(600, 7);
        BOOST_CHECK_THROW(sort(out.begin(), values_out.begin()), std::runtime_error);
        BOOST_TEST((out == std::vector<int>(600, -7)));
        BOOST_TEST((values_out == std::vector<std::uint32_t>(600, 7)));
      };
      check_outputs([&](auto out, auto) { mgpu::sort_copy(mgpu::host, keys.begin(), keys.end(), out, comp); });
      check_outputs([&](auto, auto out) { mgpu::argsort(mgpu::host, keys.begin(), keys.end(), out, comp); });
      if (when > 299) continue;  // a merge of twice 300 items may need no more
      auto const run = sorted(input);
      check_outputs([&](auto out, auto) {
        mgpu::merge(mgpu::host, run.begin(), run.end(), run.begin(), run.end(), out, comp);
      });
      check_outputs([&](auto out, auto values_out) {
        mgpu::merge_by_key(mgpu::host, run.begin(), run.end(), run.begin(), run.end(), places.begin(), places.begin(),
                           out, values_out, comp);
      });
    }
  }
}

BOOST_AUTO_TEST_CASE(zip_iterators) {
  auto const first_input = random_ints(800);
  auto const second_input = random_ints(800, 3);
  auto first = first_input;
  auto second = second_input;
  auto const rows = thrust::make_zip_iterator(first.begin(), second.begin());
  mgpu::sort(mgpu::host, rows, rows + 800);
  std::vector<std::pair<int, int>> expected;
  for (std::size_t i = 0; i < 800; ++i) expected.emplace_back(first_input[i], second_input[i]);
  std::stable_sort(expected.begin(), expected.end());
  for (std::size_t i = 0; i < 800; ++i) {
    BOOST_REQUIRE_EQUAL(first[i], expected[i].first);
    BOOST_REQUIRE_EQUAL(second[i], expected[i].second);
  }
}

// Where mgpu has the algorithm, mgpu does it: Thrust's own sort would leave what it had moved by then.
BOOST_AUTO_TEST_CASE(algorithms_of_thrust_take_the_policy) {
  auto const input = random_ints(1000);
  auto keys = input;
  thrust::sort(mgpu::host, keys.begin(), keys.end());
  BOOST_TEST(keys == sorted(input));
  keys = input;
  std::size_t calls = 0;
  auto const fails = [&](int a, int b) { return ++calls == 5000 ? throw std::runtime_error("no more") : a < b; };
  BOOST_CHECK_THROW(thrust::stable_sort(mgpu::host, keys.begin(), keys.end(), fails), std::runtime_error);
  BOOST_TEST(keys == input);

  auto expected = input;
  auto const is_even = [](int x) { return x % 2 == 0; };
  auto const twice = [](int x) { return 2 * x; };
  std::transform(expected.begin(), expected.end(), expected.begin(), twice);
  thrust::transform(mgpu::host, input.begin(), input.end(), keys.begin(), twice);
  BOOST_TEST(keys == expected);

  expected = keys = input;
  std::stable_partition(expected.begin(), expected.end(), is_even);
  thrust::stable_partition(mgpu::host, keys.begin(), keys.end(), is_even);  // in temporary memory
  BOOST_TEST(keys == expected);
}

BOOST_AUTO_TEST_SUITE_END()
