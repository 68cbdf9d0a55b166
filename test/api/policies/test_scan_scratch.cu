// Scratch memory of scans: none up to a tile, exactly what query_scratch says beyond, wherever it lies.
#include <support/memory.h>
#include <grid/scans.h>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cstdint>
#include <new>
#include <optional>
#include <tuple>
#include <vector>

BOOST_AUTO_TEST_SUITE(scan_scratch, *boost::unit_test::precondition(test::can_run{}))

namespace {

using cases = std::tuple<std::tuple<test::plain_scan, std::uint8_t>, std::tuple<test::pipelined_scan, std::uint64_t>,
                         std::tuple<test::plain_scan, test::matrix<4>>>;

struct add {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    if constexpr (std::is_arithmetic_v<T>) {
      return static_cast<T>(a + b);
    } else {
      return test::multiply{}(a, b);
    }
  }
};

template <class Case>
class scan_call {
  using selector = std::tuple_element_t<0, Case>;
  using item = std::tuple_element_t<1, Case>;

 public:
  explicit scan_call(std::size_t count)
      : items_(test::make_items<item>(count)),
        in_(items_),
        out_(items_),
        expected_(test::scan_one_by_one<item>(items_, std::optional<item>(), add{}).inclusive) {}
  template <class Policy>
  void run(Policy const& policy) {
    mgpu::inclusive_scan(policy.with_tuning(selector{}), in_.begin(), in_.end(), out_.begin(), add{});
  }
  bool untouched() const { return bool(out_.holds(items_)); }
  bool done() const { return bool(out_.holds(expected_)); }
  std::size_t query() {
    std::size_t bytes = 12345;
    run(mgpu::par.query_scratch(bytes));
    return bytes;
  }

  static constexpr std::size_t tile = selector::tile_items;

 private:
  std::vector<item> items_;
  test::guarded_items<item> in_;
  test::guarded_items<item> out_;
  std::vector<item> expected_;
};

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(none_up_to_a_tile, Case, cases) {
  using call_type = scan_call<Case>;
  for (std::size_t const count : {std::size_t{0}, std::size_t{1}, call_type::tile - 1, call_type::tile}) {
    call_type call(count);
    BOOST_TEST(call.query() == 0u);
    test::empty_allocator none;
    BOOST_CHECK_NO_THROW(call.run(mgpu::par(none)));
    BOOST_TEST(call.done());
    BOOST_CHECK_NO_THROW(call.run(mgpu::par.with_scratch(nullptr, 0)));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(query_is_exact, Case, cases) {
  using call_type = scan_call<Case>;
  for (std::size_t const count : {call_type::tile + 1, 2 * call_type::tile, 20 * call_type::tile + 3}) {
    BOOST_TEST_CONTEXT(count << " items") {
      call_type call(count);
      std::size_t const bytes = call.query();
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
      call.run(mgpu::par(allocator));
      BOOST_TEST(counts.allocations == 1);
      BOOST_TEST(counts.frees == 1);
      BOOST_TEST(counts.bytes == bytes);
      BOOST_TEST(!counts.mismatch);
    }
  }
}

// A buffer of the size asked for is enough wherever it starts, whatever it holds, and nothing beside it is written.
BOOST_AUTO_TEST_CASE_TEMPLATE(at_any_address, Case, cases) {
  using call_type = scan_call<Case>;
  for (std::size_t const shift : {1, 7, 255}) {
    call_type call(9 * call_type::tile + 1);
    std::size_t const bytes = call.query();
    unsigned char const fill = 0xFF;
    std::vector<unsigned char> const pattern(bytes + 2 * shift, fill);
    test::buffer<unsigned char> memory(pattern);
    call.run(mgpu::par.with_scratch(memory.begin() + shift, bytes));
    BOOST_TEST(call.done());
    call.run(mgpu::par.with_scratch(memory.begin() + shift, bytes));  // which now holds what the first call left
    BOOST_TEST(call.done());
    auto const after = memory.get();
    auto const is_fill = [](unsigned char byte) { return byte == fill; };
    BOOST_TEST(std::all_of(after.begin(), after.begin() + shift, is_fill));
    BOOST_TEST(std::all_of(after.end() - shift, after.end(), is_fill));
  }
}

BOOST_AUTO_TEST_SUITE_END()
