// block_reduce, by an operator that does not commute, in blocks of every number of warps.
#include <mgpu/detail/block/reduce.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <support/device.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <vector>

BOOST_AUTO_TEST_SUITE(block_reduce, *boost::unit_test::precondition(test::can_run{}))

namespace {

// The composition of functions x -> factor * x + summand modulo 2^32.
struct function {
  std::uint32_t factor;
  std::uint32_t summand;
};
struct compose {
  __host__ __device__ function operator()(function const& a, function const& b) const {
    return {a.factor * b.factor, a.summand * b.factor + b.summand};
  }
};

constexpr int max_warps = 32;
struct storage {
  function warps[max_warps];
};

// Twice in the same shared memory.
__global__ void reduce_kernel(function const* values, function* results) {
  namespace simt = mgpu::detail::simt;
  auto& shared = simt::shared<storage>();
  unsigned const thread = simt::thread_rank();
  compose op;
  for (unsigned round = 0; round < 2; ++round) {
    function const value = values[round * simt::threads_per_block() + thread];
    function const result = mgpu::detail::block_reduce<max_warps>(value, shared.warps, op);
    if (thread == 0) results[round] = result;
    simt::sync_block();
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_number_of_warps) {
  for (unsigned warps = 1; warps <= max_warps; ++warps) {
    BOOST_TEST_CONTEXT(warps << " warps") {
      unsigned const threads = warps * mgpu::detail::threads_per_warp;
      std::vector<function> values;
      for (std::uint32_t i = 0; i < 2 * threads; ++i) values.push_back({2 * i + 3, i * 2654435761u});
      test::buffer<function> in(values), out(2);
      test::run_kernel(reduce_kernel, 1, threads, sizeof(storage), static_cast<function const*>(in.begin()),
                       out.begin());
      std::vector<function> const results = out.get();
      for (unsigned round = 0; round < 2; ++round) {
        function expected = values[round * threads];
        for (unsigned i = 1; i < threads; ++i) expected = compose{}(expected, values[round * threads + i]);
        BOOST_TEST(results[round].factor == expected.factor);
        BOOST_TEST(results[round].summand == expected.summand);
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
