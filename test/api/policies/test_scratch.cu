// A call takes its scratch memory from an allocator, a resource, or the caller's buffer of exactly the size asked
// for, and asks for none where it needs none.
#include <support/items.h>
#include <support/scratch.h>
#include <support/tunings.h>
#include <thrust/mr/memory_resource.h>
#include <cstdint>
#include <functional>
#include <tuple>

BOOST_AUTO_TEST_SUITE(scratch, *boost::unit_test::precondition(test::can_run{}))

namespace {

using test::check_counts;
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

// These are calls of every function, and sorts that go by index.
using large = test::item<200, 4>;
using functions = test::tuned_calls_of<test::functions>;
using with_large_values = test::tuned_call<test::call_of::sort_by_key, test::items_of<std::uint32_t, large>>;
using calls =
    test::joined<functions,
                 std::tuple<with_large_values,
                            test::tuned_call<test::call_of::sort_copy,
                                             test::items_of<large, std::uint32_t, test::operators<test::by_key>>>>>;

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

BOOST_AUTO_TEST_CASE_TEMPLATE(none_up_to_a_tile, Call, functions) { test::check_none_up_to_a_tile<Call>(); }

// An empty range needs none, whichever columns the call has.
BOOST_AUTO_TEST_CASE_TEMPLATE(none_for_empty_ranges, Call, calls) { test::check_needs_no_scratch<Call>(0); }

BOOST_AUTO_TEST_CASE_TEMPLATE(query_is_exact, Call, calls) {
  for (std::size_t const count : {Call::tile + 1, 2 * Call::tile, 5 * Call::tile + 3}) {
    test::check_query_is_exact<Call>(count);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(scratch_at_any_address, Call, calls) {
  test::check_scratch_at_any_address<Call>(4 * Call::tile, 0x5C);
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
