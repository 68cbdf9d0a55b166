// Scans of structs of several sizes and alignments are right by operators that do not commute; one struct has no
// default constructor.
#include <support/scans.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

BOOST_AUTO_TEST_SUITE(scan_structs, *boost::unit_test::precondition(test::can_run{}))

namespace {

// Of two structs it takes the first entry of the left one, the second of the right one, and the sums of the others.
template <class Word, int n, int alignment>
struct alignas(alignment) entries {
  Word at[n];
  static entries make(std::size_t number, std::uint32_t seed = 1) {
    entries made;
    for (int i = 0; i < n; ++i) made.at[i] = static_cast<Word>((number * 31 + seed + i) * 0x9E3779B97F4A7C15u >> 11);
    return made;
  }
};
struct join_entries {
  template <class Word, int n, int alignment>
  __host__ __device__ entries<Word, n, alignment> operator()(entries<Word, n, alignment> const& a,
                                                             entries<Word, n, alignment> b) const {
    b.at[0] = a.at[0];
    for (int i = 2; i < n; ++i) b.at[i] = static_cast<Word>(a.at[i] + b.at[i]);
    return b;
  }
};

using wide = entries<std::uint32_t, 4, 4>;
struct as_wide {
  __host__ __device__ wide operator()(std::uint32_t x) const { return {{x, x + 1, x + 2, x + 3}}; }
};

using tunings = std::tuple<test::plain_scan, test::pipelined_scan, test::clustered_scan>;

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(without_default_constructor, Selector, tunings) {
  test::check_scans_around_tiles<Selector>(test::affine(3, 5), test::compose{});
}
BOOST_AUTO_TEST_CASE_TEMPLATE(sixteen_bytes, Selector, tunings) {
  test::check_scans_around_tiles<Selector>(test::matrix<2>::make(999), test::multiply{});
}

// Structs that are aligned to less than their size move in words; those that are aligned to 2 bytes, or to all of
// their size, do not.
template <class Entries>
void check_entries() {
  test::check_scans_around_tiles<test::plain_scan>(Entries::make(999), join_entries{});
  test::check_scans_around_tiles<test::pipelined_scan>(Entries::make(999), join_entries{});
}
BOOST_AUTO_TEST_CASE(six_bytes_aligned_to_2) { check_entries<entries<std::uint16_t, 3, 2>>(); }
BOOST_AUTO_TEST_CASE(twelve_bytes_aligned_to_4) { check_entries<entries<std::uint32_t, 3, 4>>(); }
BOOST_AUTO_TEST_CASE(sixteen_bytes_aligned_to_8) { check_entries<entries<std::uint64_t, 2, 8>>(); }
BOOST_AUTO_TEST_CASE(sixteen_bytes_aligned_to_16) { check_entries<entries<std::uint64_t, 2, 16>>(); }
BOOST_AUTO_TEST_CASE(twenty_four_bytes_aligned_to_8) { check_entries<entries<std::uint16_t, 12, 8>>(); }
BOOST_AUTO_TEST_CASE(forty_eight_bytes_aligned_to_16) { check_entries<entries<std::uint64_t, 6, 16>>(); }

// Where the input's or the output's items are no T, they cannot move as its words.
BOOST_AUTO_TEST_CASE_TEMPLATE(converted, Selector, tunings) {
  for (std::size_t const count : test::scan_sizes(Selector::tile_items)) {
    if (count == 0) continue;
    auto const numbers = test::make_items<std::uint32_t>(count);
    std::vector<wide> items;
    for (std::uint32_t const number : numbers) items.push_back(as_wide{}(number));
    test::guarded_items<std::uint32_t> in(numbers, 1);
    test::guarded_items<wide> out(count, 1);
    mgpu::transform_inclusive_scan(test::tuned(Selector{}), in.begin(), in.end(), out.begin(), as_wide{},
                                   join_entries{});
    BOOST_TEST(out.holds(test::scan_one_by_one<wide>(items, {}, join_entries{}).inclusive));
  }
}

BOOST_AUTO_TEST_SUITE_END()
