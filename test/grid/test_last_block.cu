// is_last_block tells one block of a launch that it is the last, and that block sees what all others have done.
#include <support/schedules.h>
#include <mgpu/detail/grid/last_block.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <support/device.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <vector>

BOOST_AUTO_TEST_SUITE(last_block, *boost::unit_test::precondition(test::can_run{}))

namespace {

constexpr unsigned threads = 64;
struct storage {
  bool is_last;
};

// Each thread leaves a word; the last block adds up all of them.
__global__ void sum_kernel(std::uint64_t* blocks_done, std::uint32_t* words, std::uint32_t* sums,
                           std::uint32_t* last) {
  namespace simt = mgpu::detail::simt;
  auto& shared = simt::shared<storage>();
  unsigned const thread = simt::thread_rank();
  unsigned const num_words = simt::block_count() * threads;
  words[simt::block_rank() * threads + thread] = simt::block_rank() * threads + thread + 1;
  if (!mgpu::detail::is_last_block(*blocks_done, shared.is_last)) return;
  std::uint32_t sum = 0;
  for (unsigned i = thread; i < num_words; i += threads) sum += words[i];
  sums[thread] = sum;
  if (thread == 0) last[simt::block_rank()] = 1;
}

}  // namespace

BOOST_AUTO_TEST_CASE(one_block_sees_all) {
  test::for_each_schedule(200, [](std::uint32_t seed) {
    unsigned const blocks = 1 + seed % 12;
    test::buffer<std::uint64_t> done(std::vector<std::uint64_t>{0});
    test::buffer<std::uint32_t> words(blocks * threads), sums(threads);
    test::buffer<std::uint32_t> last(std::vector<std::uint32_t>(blocks, 0));
    test::run_kernel(sum_kernel, blocks, threads, sizeof(storage), done.begin(), words.begin(), sums.begin(),
                     last.begin());
    std::uint32_t sum = 0, told = 0;
    for (std::uint32_t const each : sums.get()) sum += each;
    for (std::uint32_t const each : last.get()) told += each;
    BOOST_TEST(sum == blocks * threads * (blocks * threads + 1) / 2);
    BOOST_TEST(told == 1u);
  });
}

BOOST_AUTO_TEST_SUITE_END()
