// Where a call's scratch memory comes from: allocators, resources, the caller's buffer of exactly the size asked for; and
// that calls which need none ask for none.
#include <mgpu/merge.h>
#include <mgpu/sort.h>
#include <support/items.h>
#include <support/memory.h>
#include <support/tunings.h>
#include <thrust/mr/memory_resource.h>
#include <cstdint>
#include <functional>
#include <new>
#include <tuple>
#include <vector>

BOOST_AUTO_TEST_SUITE(scratch, *boost::unit_test::precondition(test::can_run{}))

namespace {

using test::small_sort;
constexpr std::size_t tile = small_sort::tile_items;

// Sorts some tiles under the policy.
template <class Policy>
void check_sort(Policy const& policy) {
  auto const input = test::keys<std::int32_t>(test::pattern::random, 5 * tile + 3);
  test::buffer<std::int32_t> keys(input);
  mgpu::sort(policy, keys.begin(), keys.end());
  BOOST_TEST(
      test::same_bytes(keys.get(), test::permuted(input, test::stable_order<std::int32_t>(input, std::less<>{}))));
}

void check_counts(test::memory_counts const& counts, int calls) {
  BOOST_TEST(counts.allocations == calls);
  BOOST_TEST(counts.frees == calls);
  BOOST_TEST(!counts.mismatch);
}

// One call in the three ways a test needs: under a policy, whether its result is right, whether nothing has changed.
struct sort_int {
  std::vector<std::int32_t> input;
  test::buffer<std::int32_t> keys;
  explicit sort_int(std::size_t count) : input(test::keys<std::int32_t>(test::pattern::random, count)), keys(input) {}
  template <class Policy>
  void run(Policy const& policy) {
    mgpu::sort(policy, keys.begin(), keys.end());
  }
  bool done() const {
    return bool(
        test::same_bytes(keys.get(), test::permuted(input, test::stable_order<std::int32_t>(input, std::less<>{}))));
  }
  bool untouched() const { return bool(test::same_bytes(keys.get(), input)); }
};

struct sort_large_values {
  using large = test::item<200, 4>;
  std::vector<std::int32_t> input;
  std::vector<large> value_input;
  test::buffer<std::int32_t> keys;
  test::buffer<large> values;
  explicit sort_large_values(std::size_t count)
      : input(test::keys<std::int32_t>(test::pattern::few_distinct, count)),
        value_input(test::numbered<large>(count)),
        keys(input),
        values(value_input) {}
  template <class Policy>
  void run(Policy const& policy) {
    mgpu::sort_by_key(policy, keys.begin(), keys.end(), values.begin());
  }
  bool done() const {
    auto const order = test::stable_order<std::int32_t>(input, std::less<>{});
    return bool(test::same_bytes(keys.get(), test::permuted(input, order))) &&
           bool(test::same_bytes(values.get(), test::permuted(value_input, order)));
  }
  bool untouched() const {
    return bool(test::same_bytes(keys.get(), input)) && bool(test::same_bytes(values.get(), value_input));
  }
};

struct arg_sort {
  std::vector<std::int32_t> input;
  std::vector<std::uint32_t> before;
  test::buffer<std::int32_t> keys;
  test::buffer<std::uint32_t> indices;
  explicit arg_sort(std::size_t count)
      : input(test::keys<std::int32_t>(test::pattern::few_distinct, count)),
        before(count, 77),
        keys(input),
        indices(before) {}
  template <class Policy>
  void run(Policy const& policy) {
    mgpu::argsort(policy, keys.begin(), keys.end(), indices.begin());
  }
  bool done() const {
    auto const order = test::stable_order<std::int32_t>(input, std::less<>{});
    return bool(test::same_bytes(indices.get(), std::vector<std::uint32_t>(order.begin(), order.end())));
  }
  bool untouched() const {
    return bool(test::same_bytes(keys.get(), input)) && bool(test::same_bytes(indices.get(), before));
  }
};

struct copy_large_keys {
  using large = test::item<200, 4>;
  std::vector<large> input;
  std::vector<large> before;
  test::buffer<large> keys;
  test::buffer<large> out;
  explicit copy_large_keys(std::size_t count)
      : input(test::keys<large>(test::pattern::few_distinct, count)),
        before(test::numbered<large>(count)),
        keys(input),
        out(before) {}
  template <class Policy>
  void run(Policy const& policy) {
    mgpu::sort_copy(policy, keys.begin(), keys.end(), out.begin(), test::by_key{});
  }
  bool done() const {
    auto const order = test::stable_order<large>(input, test::by_key{});
    return bool(test::same_bytes(out.get(), test::permuted(input, order))) &&
           bool(test::same_bytes(keys.get(), input));
  }
  bool untouched() const {
    return bool(test::same_bytes(keys.get(), input)) && bool(test::same_bytes(out.get(), before));
  }
};

using calls = std::tuple<sort_int, sort_large_values, arg_sort, copy_large_keys>;

}  // namespace

BOOST_AUTO_TEST_CASE(allocators) {
  test::memory_counts counts;
  auto const small = mgpu::par.with_tuning(small_sort{});
  test::pinned_allocator pinned(counts);
  check_sort(small(pinned));
  check_counts(counts, 1);
  check_sort(small(test::counting_allocator(counts)));
  check_counts(counts, 2);
  test::counting_allocator const unchanging(counts);
  check_sort(small(unchanging));
  check_counts(counts, 3);
  test::counting_resource resource(counts);
  check_sort(small(&resource));
  check_counts(counts, 4);
}

BOOST_AUTO_TEST_CASE(resource_of_thrust) {
  struct cuda_resource final : thrust::mr::memory_resource<void*> {
    test::memory_counts counts;
    void* do_allocate(std::size_t bytes, std::size_t) override {
      void* memory = nullptr;
      test::require(cudaMalloc(&memory, bytes));
      ++counts.allocations;
      return memory;
    }
    void do_deallocate(void* memory, std::size_t, std::size_t) override {
      ++counts.frees;
      cudaFree(memory);
    }
  };
  cuda_resource resource;
  check_sort(mgpu::par.with_tuning(small_sort{})(&resource));
  check_counts(resource.counts, 1);
}

BOOST_AUTO_TEST_CASE(attaching_in_any_order) {
  test::memory_counts counts;
  test::counting_allocator allocator(counts);
  test::stream const stream;
  check_sort(mgpu::par.on(stream)(allocator).with_tuning(small_sort{}));
  check_sort(mgpu::par(allocator).on(stream).with_tuning(small_sort{}));
  check_sort(mgpu::par.with_tuning(small_sort{})(allocator).on(stream));
  check_sort(mgpu::par(allocator).with_tuning(small_sort{}).on(stream));
  check_sort(mgpu::par.with_tuning(small_sort{}).on(stream)(allocator));
  check_counts(counts, 5);
  auto const all = mgpu::par(allocator).on(stream).with_tuning(small_sort{});
  BOOST_TEST(all.stream() == static_cast<cudaStream_t>(stream));
  BOOST_TEST(all.blocking());
  BOOST_TEST(!mgpu::par_nosync(allocator).on(stream).blocking());
  // The policy that something is attached to stays as it was.
  check_sort(mgpu::par.with_tuning(small_sort{}));
  check_counts(counts, 5);
}

// The smaller half of the contract: nothing to do or one tile, nothing allocated.
BOOST_AUTO_TEST_CASE(none_up_to_a_tile) {
  test::memory_counts counts;
  test::counting_allocator allocator(counts);
  auto const small = mgpu::par.with_tuning(small_sort{});
  for (std::size_t const count : {std::size_t{0}, std::size_t{1}, tile - 1, tile}) {
    BOOST_TEST_CONTEXT(count << " items") {
      sort_int call(count);
      std::size_t bytes = 1;
      call.run(small.query_scratch(bytes));
      BOOST_TEST(bytes == 0u);
      call.run(small(allocator));
      BOOST_TEST(call.done());
      call.run(small.with_scratch(nullptr, 0));
      BOOST_TEST(call.done());

      std::size_t merge_bytes = 1;
      test::buffer<std::int32_t> out(count);
      auto const middle = call.keys.begin() + count / 2;
      mgpu::sort(mgpu::par, call.keys.begin(), middle);
      mgpu::sort(mgpu::par, middle, call.keys.end());
      auto const merge = [&](auto const& policy) {
        mgpu::merge(policy, call.keys.begin(), middle, middle, call.keys.end(), out.begin());
      };
      merge(mgpu::par.with_tuning(test::merge_tuning<64, 5>{}).query_scratch(merge_bytes));
      BOOST_TEST(merge_bytes == 0u);
      merge(mgpu::par.with_tuning(test::merge_tuning<64, 5>{})(allocator));
    }
  }
  BOOST_TEST(counts.allocations == 0);
  sort_int more(tile + 1);
  std::size_t bytes = 0;
  more.run(small.query_scratch(bytes));
  BOOST_TEST(bytes > 0u);
  more.run(small(allocator));
  BOOST_TEST(counts.allocations == 1);
}

// No keys, no values, no outputs of any kind: 0 bytes.
BOOST_AUTO_TEST_CASE_TEMPLATE(none_for_empty_ranges, Call, calls) {
  Call call(0);
  std::size_t bytes = 1;
  call.run(mgpu::par.query_scratch(bytes));
  BOOST_TEST(bytes == 0u);
  test::empty_allocator none;
  BOOST_CHECK_NO_THROW(call.run(mgpu::par(none)));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(query_is_exact, Call, calls) {
  for (std::size_t const count : {tile + 1, 2 * tile, 5 * tile + 3}) {
    BOOST_TEST_CONTEXT(count << " items") {
      auto const small = mgpu::par.with_tuning(small_sort{});
      Call call(count);
      std::size_t bytes = 0;
      call.run(small.query_scratch(bytes));
      BOOST_TEST(call.untouched());
      BOOST_REQUIRE(bytes > 0u);

      test::buffer<unsigned char> memory(bytes);
      BOOST_CHECK_THROW(call.run(small.with_scratch(memory.begin(), bytes - 1)), std::bad_alloc);
      BOOST_TEST(call.untouched());
      BOOST_CHECK_THROW(call.run(small.with_scratch(nullptr, 0)), std::bad_alloc);
      BOOST_TEST(call.untouched());
      test::empty_allocator none;
      BOOST_CHECK_THROW(call.run(small(none)), std::bad_alloc);
      BOOST_TEST(call.untouched());

      call.run(small.with_scratch(memory.begin(), bytes));
      BOOST_TEST(call.done());
    }
  }
}

// A buffer of the size asked for is enough wherever it starts, and nothing beside it is written.
BOOST_AUTO_TEST_CASE(scratch_at_any_address) {
  auto const small = mgpu::par.with_tuning(small_sort{});
  for (std::size_t const shift : {1, 7, 255}) {
    sort_large_values call(4 * tile);
    std::size_t bytes = 0;
    call.run(small.query_scratch(bytes));
    std::vector<unsigned char> const pattern(bytes + 2 * shift, 0x5C);
    test::buffer<unsigned char> memory(pattern);
    call.run(small.with_scratch(memory.begin() + shift, bytes));
    BOOST_TEST(call.done());
    auto const after = memory.get();
    auto const is_pattern = [](unsigned char byte) { return byte == 0x5C; };
    BOOST_TEST(std::all_of(after.begin(), after.begin() + shift, is_pattern));
    BOOST_TEST(std::all_of(after.end() - shift, after.end(), is_pattern));
  }
}

BOOST_AUTO_TEST_CASE(query_of_a_merge_is_exact) {
  auto const small = mgpu::par.with_tuning(test::small_merge{});
  auto const input = test::keys<std::int32_t>(test::pattern::sorted, 1000);
  test::buffer<std::int32_t> a(input);
  test::buffer<std::int32_t> b(input);
  std::vector<std::int32_t> const before(2000, -7);
  test::buffer<std::int32_t> out(before);
  auto const run = [&](auto const& policy) {
    mgpu::merge(policy, a.begin(), a.end(), b.begin(), b.end(), out.begin());
  };
  std::size_t bytes = 0;
  run(small.query_scratch(bytes));
  BOOST_REQUIRE(bytes > 0u);
  BOOST_TEST(test::same_bytes(out.get(), before));
  test::buffer<unsigned char> memory(bytes);
  BOOST_CHECK_THROW(run(small.with_scratch(memory.begin(), bytes - 1)), std::bad_alloc);
  BOOST_TEST(test::same_bytes(out.get(), before));
  run(small.with_scratch(memory.begin(), bytes));
  std::vector<std::int32_t> expected(2000);
  std::merge(input.begin(), input.end(), input.begin(), input.end(), expected.begin());
  BOOST_TEST(test::same_bytes(out.get(), expected));
}

// The pool can be emptied and used again, and its bound set.
BOOST_AUTO_TEST_CASE(pool) {
  auto const small = mgpu::par.with_tuning(small_sort{});
  check_sort(small);
  mgpu::release_scratch();
  check_sort(small);
  mgpu::keep_scratch(0);
  check_sort(small);
  mgpu::keep_scratch(std::uint64_t{1} << 30);
  check_sort(small);
  mgpu::release_scratch();
  mgpu::release_scratch();
}

BOOST_AUTO_TEST_SUITE_END()
