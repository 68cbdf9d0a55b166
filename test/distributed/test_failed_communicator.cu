// Calls over ranks throw if their communicator fails while the device works. This is for the stand-in for NCCL only.
#include <mgpu/distributed.h>
#include <distributed/nccl_stand_in.h>
#include <distributed/outcomes.h>
#include <emulator/runtime.h>
#include <support/device.h>
#include <support/items.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(failed_communicator)

namespace {

namespace nccl = test::nccl;
namespace runtime = mgpu::emulator::runtime;
using test::came;
using test::num_of;

std::vector<std::uint32_t> items_of(int rank) {
  return test::keys<std::uint32_t>(test::pattern::random, 3000, static_cast<std::uint32_t>(rank + 1));
}

}  // namespace

// A rank waits for work that does not end, as the communicator has failed.
BOOST_AUTO_TEST_CASE(while_waiting) {
  nccl::options chosen;
  chosen.num_ranks = 1;
  auto const report = nccl::run_ranks(chosen, [](ncclComm_t comm, int) {
    test::buffer<std::uint32_t> items(items_of(0));
    runtime::busy_for(3);  // a stream that is busy for a while is waited for
    mgpu::reduce(mgpu::par.over(comm), items.begin(), items.end());
    struct failing {
      ncclComm_t comm;
      ~failing() { runtime::busy_for(0); }
    } const scope{comm};
    runtime::busy_for(~std::uint64_t{0});
    mgpu::reduce(mgpu::par.over(comm), items.begin(), items.end(), 0u, [=](std::uint32_t a, std::uint32_t b) {
      nccl::fail_communicator(comm);  // while the device works
      return a + b;
    });
  });
  BOOST_TEST((test::what_came(report.errors[0], "mgpu::reduce") == came::nccl_error));
  BOOST_TEST(cudaGetLastError() == cudaSuccess);
}

// The stream of a rank ends, but because the communicator has failed: what came of it is no result. The last call of the
// function that the user gave is the last that happens on the device.
BOOST_AUTO_TEST_CASE(at_the_end) {
  std::uint64_t num_calls = 0, last_call = 0;
  auto const count_call = [&](ncclComm_t comm) {
    if (++num_calls == last_call) nccl::fail_communicator(comm);
  };
  struct failing_call {
    std::string name;
    std::function<void(ncclComm_t, test::buffer<std::uint32_t>&)> run;
  };
  for (failing_call const &made : std::vector<failing_call>{
           {"mgpu::sort",
            [&](ncclComm_t comm, auto&items) {
              mgpu::sort(mgpu::par.over(comm), items.begin(), items.end(), [=](std::uint32_t a, std::uint32_t b) {
                count_call(comm);
                return a < b;
              });
            }},
           {"mgpu::reduce",
            [&](ncclComm_t comm, auto&items) {
              mgpu::reduce(mgpu::par.over(comm), items.begin(), items.end(), 0u,
                           [=](std::uint32_t a, std::uint32_t b) {
                             count_call(comm);
                             return a + b;
                           });
            }},
           {"mgpu::exclusive_scan",
            [&](ncclComm_t comm, auto&items) {
              mgpu::exclusive_scan(mgpu::par.over(comm), items.begin(), items.end(), items.begin(), 0u,
                                   [=](std::uint32_t a, std::uint32_t b) {
                                     count_call(comm);
                                     return a + b;
                                   });
            }},
       }) {
    nccl::options chosen;
    chosen.num_ranks = 2;
    last_call = 0;
    for (bool const fails : {false, true}) {
      num_calls = 0;
      auto const report = nccl::run_ranks(chosen, [&](ncclComm_t comm, int rank) {
        test::buffer<std::uint32_t> items(items_of(rank));
        made.run(comm, items);
      });
      if (!fails) {
        BOOST_TEST(report.is_clean());
        last_call = num_calls;
      } else {
        BOOST_TEST_CONTEXT(made.name) {
          BOOST_TEST(last_call > 0);
          BOOST_TEST(num_of(came::nccl_error, report, made.name) == 1);  // of the rank that was the last to end
          BOOST_TEST(num_of(came::back, report, made.name) == 1);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
