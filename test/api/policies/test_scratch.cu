// Where a call's scratch memory comes from: allocators, resources, the caller's buffer of exactly the size asked for; and
// that calls which need none ask for none.
#include <support/calls.h>
#include <support/items.h>
#include <support/memory.h>
#include <support/tunings.h>
#include <thrust/mr/memory_resource.h>
#include <algorithm>
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

// Every function, and sorts that go by index.
using large = test::item<200, 4>;
using functions = test::tuned_calls_of<test::functions>;
using with_large_values = test::tuned_call<test::call_of::sort_by_key, test::items_of<std::uint32_t, large>>;
using calls =
    test::joined<functions,
                 std::tuple<with_large_values,
                            test::tuned_call<test::call_of::sort_copy,
                                             test::items_of<large, std::uint32_t, test::operators<test::by_key>>>>>;

template <class Call>
std::size_t bytes_for(Call& call) {
  std::size_t bytes = 12345;
  call.run(mgpu::par.query_scratch(bytes));
  return bytes;
}

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
BOOST_AUTO_TEST_CASE_TEMPLATE(none_up_to_a_tile, Call, functions) {
  for (std::size_t const count : {std::size_t{0}, std::size_t{1}, Call::tile - 1, Call::tile}) {
    BOOST_TEST_CONTEXT(Call::name << " of " << count << " items") {
      Call call(count);
      BOOST_TEST(bytes_for(call) == 0u);
      BOOST_TEST(call.untouched());
      test::empty_allocator none;
      BOOST_CHECK_NO_THROW(call.run(mgpu::par(none)));
      BOOST_TEST(call.done());
      call.refill();
      call.run(mgpu::par.with_scratch(nullptr, 0));
      BOOST_TEST(call.done());
    }
  }
}

// No keys, no values, no outputs of any kind: 0 bytes.
BOOST_AUTO_TEST_CASE_TEMPLATE(none_for_empty_ranges, Call, calls) {
  Call call(0);
  BOOST_TEST(bytes_for(call) == 0u);
  test::empty_allocator none;
  BOOST_CHECK_NO_THROW(call.run(mgpu::par(none)));
  BOOST_TEST(call.done());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(query_is_exact, Call, calls) {
  for (std::size_t const count : {Call::tile + 1, 2 * Call::tile, 5 * Call::tile + 3}) {
    BOOST_TEST_CONTEXT(Call::name << " of " << count << " items") {
      Call call(count);
      std::size_t const bytes = bytes_for(call);
      BOOST_TEST(call.untouched());
      BOOST_REQUIRE(bytes > 0u);

      test::buffer<unsigned char> memory(bytes);
      BOOST_CHECK_THROW(call.run(mgpu::par.with_scratch(memory.begin(), bytes - 1)), std::bad_alloc);
      BOOST_TEST(call.untouched());
      BOOST_CHECK_THROW(call.run(mgpu::par.with_scratch(nullptr, 0)), std::bad_alloc);
      BOOST_TEST(call.untouched());
      test::empty_allocator none;
      BOOST_CHECK_THROW(call.run(mgpu::par(none)), std::bad_alloc);
      BOOST_TEST(call.untouched());

      call.run(mgpu::par.with_scratch(memory.begin(), bytes));
      BOOST_TEST(call.done());
      test::memory_counts counts;
      test::counting_allocator allocator(counts);
      call.refill();
      call.run(mgpu::par(allocator));
      BOOST_TEST(call.done());
      check_counts(counts, 1);
      BOOST_TEST(counts.bytes == bytes);
    }
  }
}

// A buffer of the size asked for is enough wherever it starts, whatever it holds, and nothing beside it is written.
BOOST_AUTO_TEST_CASE_TEMPLATE(scratch_at_any_address, Call, calls) {
  for (std::size_t const shift : {1, 7, 255}) {
    Call call(4 * Call::tile);
    std::size_t const bytes = bytes_for(call);
    std::vector<unsigned char> const pattern(bytes + 2 * shift, 0x5C);
    test::buffer<unsigned char> memory(pattern);
    for (int what_the_first_left = 0; what_the_first_left < 2; ++what_the_first_left) {
      call.refill();
      call.run(mgpu::par.with_scratch(memory.begin() + shift, bytes));
      BOOST_TEST(call.done());
    }
    auto const after = memory.get();
    auto const is_pattern = [](unsigned char byte) { return byte == 0x5C; };
    BOOST_TEST(std::all_of(after.begin(), after.begin() + shift, is_pattern));
    BOOST_TEST(std::all_of(after.end() - shift, after.end(), is_pattern));
  }
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
