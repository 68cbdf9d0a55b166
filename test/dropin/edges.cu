// Thrust and mgpu agree at the edges: ranges of no and of one item, types of accumulators, the order of floats,
// allocations that fail, and what only the host can have. Where they differ the inputs here keep out of the way:
//   reduce; inclusive scans with an init  Thrust accumulates in what the operator returns of an item and the init,
//                                         mgpu in the type of the init: here items are of that type, or narrower
//   reduce without an init                begins with T(0) in Thrust, with T() in mgpu: here numbers
//   sort, sort_by_key                     promise to be stable in mgpu alone: here equal keys carry equal values
//   NaNs, and -0.0, on the host           go by their bits in Thrust, as std::stable_sort has it in mgpu: here they
//                                         are sorted on the device alone
#include <dropin/program.h>
#include <thrust/functional.h>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>

namespace edges {

using dropin::policy;
using dropin::show;
using dropin::show_value;
using dropin::vector;

// Calls all that can be called on `size` items, which is 0, 1, or less than none (scans alone).
void few_items(std::string const& what, int size) {
  std::vector<int> const three = {5, 6, 7};
  vector<int> const in(three.begin(), three.end());
  vector<int> out(three.begin(), three.end());
  vector<int> more(three.begin(), three.end());
  auto const first = in.begin();
  auto const last = in.begin() + size;
  auto const inclusive_end = algo::inclusive_scan(policy, first, last, out.begin(), 10, thrust::plus<int>());
  show(what + " inclusive_scan", out);
  show_value(what + " inclusive_scan end", inclusive_end - out.begin());
  auto const exclusive_end = algo::exclusive_scan(policy, first, last, out.begin(), 11);
  show(what + " exclusive_scan", out);
  show_value(what + " exclusive_scan end", exclusive_end - out.begin());
  if (size < 0) return;
  algo::sort(policy, out.begin(), out.begin() + size);
  algo::stable_sort_by_key(policy, out.begin(), out.begin() + size, more.begin(), thrust::greater<int>());
  show(what + " sorted keys", out);
  show(what + " sorted values", more);
  show_value(what + " reduce", algo::reduce(policy, first, last));
  show_value(what + " reduce init", algo::reduce(policy, first, last, 3.5));
  show_value(what + " transform_reduce",
             algo::transform_reduce(policy, first, last, thrust::negate<int>(), 4, thrust::plus<int>()));
  auto const scan_end =
      algo::transform_inclusive_scan(policy, first, last, out.begin(), thrust::negate<int>(), thrust::plus<int>());
  show_value(what + " scan end", scan_end - out.begin());
  show_value(what + " merge end", algo::merge(policy, first, last, first, first, out.begin()) - out.begin());
  show(what + " out", out);
}

// Shows the type that is accumulated in, where it is too narrow, or wider than the items.
void accumulators() {
  auto const numbers = dropin::drawn<std::uint8_t>(5000, 256);
  vector<std::uint8_t> const bytes(numbers.begin(), numbers.end());
  vector<int> out(bytes.size());
  vector<double> halves(bytes.size());
  auto const first = bytes.begin();
  auto const last = bytes.end();
  show_value("bytes", algo::reduce(policy, first, last));
  show_value("bytes to int", algo::reduce(policy, first, last, 0));
  show_value("bytes to 64 bits", algo::reduce(policy, first, last, std::int64_t{-1}));
  show_value("bytes to double", algo::reduce(policy, first, last, 0.5));
  algo::inclusive_scan(policy, first, last, out.begin());
  show("inclusive_scan of bytes to int", out);
  algo::inclusive_scan(policy, first, last, out.begin(), 5, thrust::plus<int>());
  show("inclusive_scan with an int", out);
  algo::exclusive_scan(policy, first, last, out.begin());
  show("exclusive_scan of bytes to int", out);
  algo::exclusive_scan(policy, first, last, out.begin(), 0);
  show("exclusive_scan with an int", out);
  algo::exclusive_scan(policy, first, last, halves.begin(), 0.5);
  show("exclusive_scan with a double", halves);
}

void floats() {
  std::vector<float> numbers = {0.0f, -0.0f, 1.0f, -1.0f, -0.0f, 0.0f, std::numeric_limits<float>::infinity()};
  numbers.push_back(-numbers.back());
  numbers.push_back(std::numeric_limits<float>::denorm_min());
#if defined(__CUDACC__)
  for (int i = 0; i < 5000; ++i) {
    float const nan = std::copysign(std::numeric_limits<float>::quiet_NaN(), i % 3 == 0 ? -1.0f : 1.0f);
    numbers.push_back(i % 7 == 0 ? nan : i % 2 == 0 ? 0.0f : -0.0f);
  }
  auto const places = dropin::numbered(static_cast<int>(numbers.size()));
  vector<float> keys(numbers.begin(), numbers.end());
  vector<int> values(places.begin(), places.end());
  algo::stable_sort_by_key(policy, keys.begin(), keys.end(), values.begin());
  show("floats ascending", keys);
  show("floats ascending, places", values);
  algo::stable_sort_by_key(policy, keys.begin(), keys.end(), values.begin(), thrust::greater<float>());
  show("floats descending", keys);
  show("floats descending, places", values);
#endif
  vector<float> const items(numbers.begin(), numbers.begin() + 6);
  show_value("sum of floats", algo::reduce(policy, items.begin(), items.end(), -0.0f));
}

void failed_allocation() {
#if defined(__CUDACC__)
  struct empty_allocator {
    using value_type = char;
    char* allocate(std::ptrdiff_t) { throw std::bad_alloc(); }
    void deallocate(char*, std::size_t) {}
  } empty;
  auto const numbers = dropin::drawn();
  vector<int> keys(numbers.begin(), numbers.end());
  try {
    algo::sort(thrust::cuda::par(empty), keys.begin(), keys.end());
    std::printf("sorted without memory\n");
  } catch (std::bad_alloc const&) {
    std::printf("std::bad_alloc\n");
  }
  show("keys after a failed allocation", keys);
#endif
}

[[maybe_unused]] bool longer(std::string const& a, std::string const& b) { return a.size() > b.size(); }

// On the host alone there are arrays, items that own memory, and plain functions.
void host_alone() {
  int array[] = {3, 1, 2};
  algo::sort(std::begin(array), std::end(array));
  show_value("array", array[0] * 100 + array[1] * 10 + array[2]);
#if !defined(__CUDACC__)  // nvcc warns of Thrust's code on items like these
  std::vector<std::string> words = {"pear", "fig", "apple", "kiwi"};
  algo::stable_sort(words.begin(), words.end(), longer);
  std::printf("by length: %s\n", algo::reduce(words.begin(), words.end(), std::string("words")).c_str());
  algo::sort(thrust::host, words.begin(), words.end());
  std::printf("by letters: %s\n", algo::reduce(thrust::host, words.begin(), words.end(), std::string()).c_str());
#endif
}

DROPIN_PROGRAM(edges) {
  few_items("none", 0);
  few_items("one", 1);
#if defined(__CUDACC__)
  few_items("less than none", -1);
#endif
  accumulators();
  floats();
  failed_allocation();
  host_alone();
}

}  // namespace edges
