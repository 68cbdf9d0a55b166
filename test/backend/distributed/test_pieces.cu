// Pieces of runs begin where NCCL is fast, and lie where they do not touch each other; cuts fit together. There are more
// items than 2^32, of which none is touched.
#include <mgpu/detail/backend/distributed/cut_table.h>
#include <mgpu/detail/backend/distributed/cut_window.h>
#include <mgpu/detail/backend/distributed/pieces.h>
#include <support/items.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

BOOST_AUTO_TEST_SUITE(pieces)

namespace {

using mgpu::detail::cut_table;
using mgpu::detail::cut_window;
using mgpu::detail::piece_grid;
using mgpu::detail::run_piece;

template <class T>
T* at(std::uintptr_t address) {
  return reinterpret_cast<T*>(address);
}

template <class T>
void check_type() {
  std::mt19937_64 random(sizeof(T));
  for (int round = 0; round < 500; ++round) {
    // The runs of some ranks, at addresses that T may have. Each is as long as the output, or nearly.
    int const num_ranks = 1 + static_cast<int>(random() % 5);
    std::int64_t const most = round % 2 == 0 ? 300 : std::int64_t{5} << 31;
    std::vector<std::uintptr_t> addresses;
    std::vector<piece_grid<T>> grids;
    std::vector<run_piece> pieces;
    std::int64_t num_items = 0;
    for (int rank = 0; rank < num_ranks; ++rank) {
      addresses.push_back((std::uintptr_t{1} << 40) + random() % 64 * alignof(T));
      grids.push_back(piece_grid<T>::of(at<T>(addresses.back())));
      auto const begin = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most));
      pieces.push_back({rank, begin, 1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most))});
      num_items += pieces.back().count;
    }
    auto* const memory = at<T>(std::uintptr_t{1} << 44);
    auto const arriving = mgpu::detail::lay_out_pieces<T>(pieces, grids, memory);
    BOOST_REQUIRE_EQUAL(arriving.size(), pieces.size());
    T const* end = memory;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      auto const& piece = arriving[i];
      BOOST_TEST(piece.from == pieces[i].from);
      BOOST_TEST(piece.begin >= 0);
      BOOST_TEST(piece.begin <= pieces[i].begin);
      BOOST_TEST(pieces[i].begin - piece.begin < 2 * piece_grid<T>::step);
      BOOST_TEST(piece.begin + piece.count == pieces[i].begin + pieces[i].count);
      BOOST_TEST(piece.items - piece.memory == pieces[i].begin - piece.begin);
      BOOST_TEST(piece.bytes() == static_cast<std::size_t>(piece.count) * sizeof(T));
      // It begins at such a place, or with the run, or there is no such place.
      auto const address = addresses[i] + static_cast<std::uintptr_t>(piece.begin) * sizeof(T);
      bool const can_be_aligned = grids[i].first > 0 || addresses[i] % 128 == 0;
      BOOST_TEST((address % 128 == 0 || piece.begin == 0 || !can_be_aligned));
      BOOST_TEST(reinterpret_cast<std::uintptr_t>(piece.memory) % 128 == 0);
      BOOST_TEST((piece.memory >= end));
      end = piece.memory + piece.count;
    }
    BOOST_TEST(end - memory <= mgpu::detail::received_items<T>(num_items, num_ranks));
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(whose_size_divides_128_bytes) {
  check_type<std::uint8_t>();
  check_type<std::uint32_t>();
  check_type<std::uint64_t>();
  check_type<test::item<16, 4>>();
}
BOOST_AUTO_TEST_CASE(of_other_sizes) {
  check_type<test::item<12, 4>>();
  check_type<test::item<24, 8>>();
  check_type<test::item<48, 4>>();
  check_type<test::item<200, 8>>();
}

BOOST_AUTO_TEST_CASE(table_of_many_items) {
  std::int64_t const many = std::int64_t{3} << 31;
  std::vector<std::int64_t> const counts{many, 0, many + 5};
  cut_table table(counts);
  for (int rank = 0; rank < 3; ++rank) {
    for (int from = 0; from < 3; ++from) {
      BOOST_TEST(table.count(rank, from) == (rank == from ? counts[static_cast<std::size_t>(from)] : 0));
    }
  }
  cut_window const fitting[] = {{7, 7}, {0, 0}, {many - 7, many - 7}, {7, 7}, {0, 0}, {many - 7, many - 7}};
  table.set(fitting);
  BOOST_TEST(table.count(0, 0) == 7);
  BOOST_TEST(table.count(0, 2) == many - 7);
  BOOST_TEST(table.count(1, 0) + table.count(1, 1) + table.count(1, 2) == 0);
  BOOST_TEST(table.begin(2, 0) == 7);
  BOOST_TEST(table.count(2, 0) == many - 7);
  BOOST_TEST(table.count(2, 2) == 12);

  // Windows that are not empty, cuts behind the end, or in the wrong order, or of another number of items.
  std::vector<std::vector<cut_window>> const wrong{
      {{7, 8}, {0, 0}, {many - 7, many - 7}, {7, 7}, {0, 0}, {many - 7, many - 7}},
      {{many + 1, many + 1}, {0, 0}, {-1, -1}, {many, many}, {0, 0}, {0, 0}},
      {{8, 8}, {0, 0}, {many - 8, many - 8}, {7, 7}, {0, 0}, {many - 7, many - 7}},
      {{7, 7}, {0, 0}, {many - 7, many - 7}, {7, 7}, {0, 0}, {many - 6, many - 6}}};
  for (auto const& windows : wrong) {
    table.set(fitting);
    table.set(windows.data());
    BOOST_TEST(table.count(0, 0) == many);
    BOOST_TEST(table.count(2, 2) == many + 5);
  }
}

BOOST_AUTO_TEST_SUITE_END()
