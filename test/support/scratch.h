// Each call takes exactly as much scratch memory as query_scratch tells. The checks want calls that have a tile, such
// as those of support/calls.h with a tuning.
#pragma once
#include <support/calls.h>
#include <support/memory.h>
#include <algorithm>
#include <cstddef>
#include <new>
#include <vector>

namespace test {

template <class Call>
std::size_t scratch_bytes(Call& call) {
  std::size_t bytes = 12345;
  call.run(mgpu::par.query_scratch(bytes));
  return bytes;
}

inline void check_counts(memory_counts const& counts, int calls) {
  BOOST_TEST(counts.allocations == calls);
  BOOST_TEST(counts.frees == calls);
  BOOST_TEST(!counts.mismatch);
}

template <class Call>
void check_needs_no_scratch(std::size_t count) {
  BOOST_TEST_CONTEXT(Call::name << " of " << count << " items") {
    Call call(count);
    BOOST_TEST(scratch_bytes(call) == 0u);
    BOOST_TEST(call.untouched());
    empty_allocator none;
    BOOST_CHECK_NO_THROW(call.run(mgpu::par(none)));
    BOOST_TEST(call.done());
    call.refill();
    BOOST_CHECK_NO_THROW(call.run(mgpu::par.with_scratch(nullptr, 0)));
    BOOST_TEST(call.done());
  }
}

template <class Call>
void check_none_up_to_a_tile() {
  for (std::size_t const count : {std::size_t{0}, std::size_t{1}, Call::tile - 1, Call::tile}) {
    check_needs_no_scratch<Call>(count);
  }
}

template <class Call>
void check_query_is_exact(std::size_t count) {
  BOOST_TEST_CONTEXT(Call::name << " of " << count << " items") {
    Call call(count);
    std::size_t const bytes = scratch_bytes(call);
    BOOST_TEST(call.untouched());
    BOOST_REQUIRE(bytes > 0u);

    buffer<unsigned char> memory(bytes);
    BOOST_CHECK_THROW(call.run(mgpu::par.with_scratch(memory.begin(), bytes - 1)), std::bad_alloc);
    BOOST_TEST(call.untouched());
    BOOST_CHECK_THROW(call.run(mgpu::par.with_scratch(nullptr, 0)), std::bad_alloc);
    BOOST_TEST(call.untouched());
    empty_allocator none;
    BOOST_CHECK_THROW(call.run(mgpu::par(none)), std::bad_alloc);
    BOOST_TEST(call.untouched());

    call.run(mgpu::par.with_scratch(memory.begin(), bytes));
    BOOST_TEST(call.done());
    memory_counts counts;
    counting_allocator allocator(counts);
    call.refill();
    call.run(mgpu::par(allocator));
    BOOST_TEST(call.done());
    check_counts(counts, 1);
    BOOST_TEST(counts.bytes == bytes);
  }
}

// A buffer of the size asked for is enough wherever it starts, whatever it holds, and nothing beside it is written.
template <class Call>
void check_scratch_at_any_address(std::size_t count, unsigned char fill) {
  for (std::size_t const shift : {1, 7, 255}) {
    BOOST_TEST_CONTEXT(Call::name << " with scratch memory at " << shift) {
      Call call(count);
      std::size_t const bytes = scratch_bytes(call);
      buffer<unsigned char> memory(std::vector<unsigned char>(bytes + 2 * shift, fill));
      for (int what_the_first_left = 0; what_the_first_left < 2; ++what_the_first_left) {
        call.refill();
        call.run(mgpu::par.with_scratch(memory.begin() + shift, bytes));
        BOOST_TEST(call.done());
      }
      auto const after = memory.get();
      auto const is_fill = [fill](unsigned char byte) { return byte == fill; };
      BOOST_TEST(std::all_of(after.begin(), after.begin() + shift, is_fill));
      BOOST_TEST(std::all_of(after.end() - shift, after.end(), is_fill));
    }
  }
}

}  // namespace test
