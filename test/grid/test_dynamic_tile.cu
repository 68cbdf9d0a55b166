// By next_tile and take_tile each tile is taken exactly once, whatever the order of blocks, and a block takes its
// tiles in ascending order.
#include <support/schedules.h>
#include <mgpu/detail/grid/dynamic_tile.cuh>
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <support/device.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <vector>

BOOST_AUTO_TEST_SUITE(dynamic_tile, *boost::unit_test::precondition(test::can_run{}))

namespace {

constexpr unsigned threads = 64;
constexpr int by_ticket_alone = -1;  // for static_rounds

struct storage {
  std::int64_t tile;
};

// Each thread of a block counts the tiles that the block takes. A block raises the flag if it does not take them in
// ascending order, or takes others than those that follow from its rank where all are to follow from it.
__global__ void count_kernel(std::uint64_t* ticket, std::int64_t num_tiles, int static_rounds, std::uint32_t* counts,
                             std::uint32_t* flag) {
  namespace simt = mgpu::detail::simt;
  auto& shared = simt::shared<storage>();
  std::int64_t const num_blocks = simt::block_count();
  std::int64_t last = -1;
  for (int round = 0;; ++round) {
    if (simt::thread_rank() == 0) {
      if (static_rounds == by_ticket_alone) {
        std::int64_t const taken = mgpu::detail::take_tile(*ticket);
        shared.tile = taken < num_tiles ? taken : -1;
      } else {
        shared.tile = mgpu::detail::next_tile(ticket, num_tiles, round, static_rounds);
      }
    }
    simt::sync_block();
    std::int64_t const tile = shared.tile;
    if (tile < 0) return;
    bool const follows = static_rounds > 0 && (round == 0 || num_tiles <= num_blocks * static_rounds);
    bool const is_right = tile > last && tile < num_tiles &&
                          (!follows || tile == static_cast<std::int64_t>(simt::block_rank()) + round * num_blocks);
    if (!is_right) simt::store_relaxed(*flag, std::uint32_t{1});
    simt::add_relaxed<std::uint32_t>(counts[tile], 1);
    last = tile;
    simt::sync_block();  // the next tile overwrites this one
  }
}

// Runs the kernel; the ticket is left out where none is to be needed.
void check(unsigned num_blocks, std::size_t num_tiles, int static_rounds) {
  test::buffer<std::uint64_t> ticket(std::vector<std::uint64_t>{0});
  test::buffer<std::uint32_t> counts(std::vector<std::uint32_t>(num_tiles, 0));
  test::buffer<std::uint32_t> flag(std::vector<std::uint32_t>{0});
  bool const needs_ticket = static_rounds == by_ticket_alone || num_tiles > num_blocks * std::size_t(static_rounds);
  test::run_kernel(count_kernel, num_blocks, threads, sizeof(storage), needs_ticket ? ticket.begin() : nullptr,
                   static_cast<std::int64_t>(num_tiles), static_rounds, counts.begin(), flag.begin());
  BOOST_TEST_CONTEXT(num_blocks << " blocks, " << num_tiles << " tiles, " << static_rounds << " static rounds") {
    BOOST_TEST(counts.get() == std::vector<std::uint32_t>(num_tiles, threads), boost::test_tools::per_element());
    BOOST_TEST(flag.get()[0] == 0u);
    // Each tile that a block does not have by its rank is one ticket, and so is each block's end.
    if (needs_ticket) {
      std::size_t const of_ranks = static_rounds == by_ticket_alone ? 0 : num_blocks;
      BOOST_TEST(ticket.get()[0] == num_tiles - of_ranks + num_blocks);
    } else {
      BOOST_TEST(ticket.get()[0] == 0u);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_tile_once) {
  test::for_each_schedule(200, [](std::uint32_t seed) {
    unsigned const blocks = 1 + seed % 9;
    std::size_t const tiles = 1 + seed * 7919 % 60;
    check(blocks, tiles, by_ticket_alone);
    for (int const static_rounds : {1, 3}) check(blocks, tiles, static_rounds);
  });
}

// The counts lie around the number of tiles up to which no ticket is taken, and there are more blocks than tiles.
BOOST_AUTO_TEST_CASE(edges) {
  for (int const static_rounds : {1, 2, 5}) {
    for (unsigned const blocks : {1u, 4u, 7u}) {
      std::size_t const most = blocks * static_cast<unsigned>(static_rounds);
      for (std::size_t const tiles : {std::size_t{1}, most - 1, most, most + 1}) {
        if (tiles > 0) check(blocks, tiles, static_rounds);
      }
    }
  }
  check(7, 3, by_ticket_alone);
}

BOOST_AUTO_TEST_SUITE_END()
