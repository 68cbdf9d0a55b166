// What becomes of calls over ranks when something fails: every rank comes back, and a lack of memory on one rank is
// told to all. This is for the stand-in for NCCL only.
#include <mgpu/distributed.h>
#include <distributed/nccl_stand_in.h>
#include <distributed/outcomes.h>
#include <distributed/small_buckets.h>
#include <emulator/emulator.h>
#include <emulator/runtime.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/pool.h>
#include <mgpu/detail/runtime/result_slot.h>
#include <mgpu/detail/runtime/scratch.h>
#include <support/device.h>
#include <support/failures.h>
#include <support/items.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(distributed_errors)

namespace {

namespace nccl = test::nccl;
using test::came;
using test::num_of;
using test::what_came;
namespace runtime = mgpu::emulator::runtime;

constexpr int num_ranks = 3;
constexpr std::size_t num_items = 3000;

// A call over ranks, with what each has, and whether a rank without memory tells the others.
struct call {
  std::string name;
  std::function<void(ncclComm_t, test::buffer<std::uint32_t>&)> run;
  bool leaves_items = false;  // if a rank has no memory
};

// Teams outlive the ranks: one whose call has thrown may still be written in.
std::vector<std::unique_ptr<mgpu::team>>& teams() {
  static std::vector<std::unique_ptr<mgpu::team>> made;
  return made;
}
template <class Local>
void sort_by_team(Local const& local, ncclComm_t comm, test::buffer<std::uint32_t>& items) {
  std::size_t bytes = 0;
  mgpu::sort(local.query_scratch(bytes).over(comm), items.begin(), items.end());
  teams().push_back(std::make_unique<mgpu::team>(comm, bytes));
  mgpu::team& team = *teams().back();
  mgpu::sort(local.over(team), items.begin(), items.end());
  team.close();
}

std::vector<call> calls() {
  return {
      {"mgpu::sort",
       [](ncclComm_t comm, auto& items) { mgpu::sort(mgpu::par.over(comm), items.begin(), items.end()); }, true},
      {"mgpu::sort",  // by buckets
       [](ncclComm_t comm, auto& items) {
         mgpu::sort(mgpu::par.with_tuning(test::small_buckets{}).over(comm), items.begin(), items.end());
       },
       true},
      {"mgpu::(sort|team|team::close)",  // in runs and by buckets
       [](ncclComm_t comm, auto& items) { sort_by_team(mgpu::par, comm, items); }, true},
      {"mgpu::(sort|team|team::close)",
       [](ncclComm_t comm, auto& items) { sort_by_team(mgpu::par.with_tuning(test::small_buckets{}), comm, items); },
       true},
      {"mgpu::sort",  // of bytes, which are counted
       [](ncclComm_t comm, auto& items) {
         auto* const bytes = reinterpret_cast<std::uint8_t*>(items.begin());
         mgpu::sort(mgpu::par.over(comm), bytes, bytes + items.size());
       },
       true},
      {"mgpu::reduce",
       [](ncclComm_t comm, auto& items) { mgpu::reduce(mgpu::par.over(comm), items.begin(), items.end()); }, true},
      {"mgpu::reduce_into",
       [](ncclComm_t comm, auto& items) {
         mgpu::reduce_into(mgpu::par.over(comm), items.begin(), items.end(), items.begin());
       },
       true},
      {"mgpu::inclusive_scan",
       [](ncclComm_t comm, auto& items) {
         mgpu::inclusive_scan(mgpu::par.over(comm), items.begin(), items.end(), items.begin());
       }},
  };
}

std::vector<std::uint32_t> items_of(int rank) {
  return test::keys<std::uint32_t>(test::pattern::random, num_items, static_cast<std::uint32_t>(rank + 1));
}

// This tells what came of a call on all ranks, and whether the runtime never made the call that was to fail.
struct outcome : nccl::report {
  bool is_failure_pending;
};

// Makes a call on all ranks; `before` comes once all have their items, on the rank whose turn it is first.
outcome run(
    call const& made, nccl::options chosen, std::function<void()> before = [] {},
    std::vector<std::vector<std::uint32_t>>* after = nullptr) {
  std::vector<std::unique_ptr<test::buffer<std::uint32_t>>> items;
  for (int rank = 0; rank < num_ranks; ++rank) {
    items.push_back(std::make_unique<test::buffer<std::uint32_t>>(items_of(rank)));
  }
  chosen.num_ranks = num_ranks;
  before();
  auto report = nccl::run_ranks(
      chosen, [&](ncclComm_t comm, int rank) { made.run(comm, *items[static_cast<std::size_t>(rank)]); });
  teams().clear();
  bool const is_failure_pending = runtime::failure_pending();
  runtime::fail_at(0);
  runtime::fail_allocation_at(0);
  if (after != nullptr) {
    for (auto const& each : items) after->push_back(each->get());
  }
  return {report, is_failure_pending};
}

}  // namespace

BOOST_AUTO_TEST_CASE(one_of_the_calls_sorts_by_buckets) {
  BOOST_TEST(run(calls()[1], {}).is_clean());
  BOOST_TEST(mgpu::emulator::last_kernel().find("joined_finish") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(each_call_of_nccl_fails) {
  for (call const& made : calls()) {
    BOOST_TEST(run(made, {}).is_clean());
    for (int rank = 0; rank < num_ranks; ++rank) {
      std::uint64_t k = 1;
      for (;; ++k) {
        BOOST_TEST_CONTEXT(made.name << ", call " << k << " of rank " << rank) {
          nccl::options chosen;
          chosen.seed = k;
          chosen.failing_rank = rank;
          chosen.failing_call = k;
          auto const before = runtime::live();
          auto const report = run(made, chosen);
          auto const after = runtime::live();
          mgpu::release_scratch();
          BOOST_TEST(report.fault == "");
          BOOST_TEST(test::same(before, after));
          if (report.calls[static_cast<std::size_t>(rank)] < k) {
            BOOST_TEST(report.is_clean());
            break;
          }
          BOOST_TEST((what_came(report.errors[static_cast<std::size_t>(rank)], made.name) == came::nccl_error));
          BOOST_TEST(num_of(came::back, report, made.name) + num_of(came::nccl_error, report, made.name) ==
                     num_ranks);
        }
        if (k > 200) break;
      }
      BOOST_TEST(k >= 5);
      BOOST_TEST(k < 200);
    }
  }
}

BOOST_AUTO_TEST_CASE(each_call_of_the_runtime_fails) {
  for (call const& made : calls()) {
    run(made, {});  // makes what is kept for values to come back through
    std::uint64_t k = 1;
    for (;; ++k) {
      BOOST_TEST_CONTEXT(made.name << ", call " << k) {
        nccl::options chosen;
        chosen.seed = k;
        auto const before = runtime::live();
        auto const report = run(made, chosen, [&] { runtime::fail_at(k, cudaErrorUnknown); });
        BOOST_TEST(report.fault == "");
        BOOST_TEST(test::same(before, runtime::live()));
        BOOST_TEST(cudaGetLastError() == cudaSuccess);
        if (report.is_failure_pending) {
          BOOST_TEST(report.is_clean());
          break;
        }
        BOOST_TEST(num_of(came::cuda_error, report, made.name) >= 1);
        BOOST_TEST(num_of(came::otherwise, report, made.name) == 0);
        BOOST_TEST(num_of(came::out_of_memory, report, made.name) + num_of(came::cuda_error, report, made.name) +
                       num_of(came::nccl_error, report, made.name) + num_of(came::back, report, made.name) ==
                   num_ranks);
      }
      if (k > 2000) break;
    }
    BOOST_TEST(k >= 20);
    BOOST_TEST(k < 2000);
  }
}

// One rank has no memory: all throw, and a sort has written nothing.
BOOST_AUTO_TEST_CASE(no_memory_on_one_rank) {
  for (call const& made : calls()) {
    run(made, {});
    for (std::uint64_t k = 1; k <= num_ranks; ++k) {
      BOOST_TEST_CONTEXT(made.name << ", allocation " << k) {
        nccl::options chosen;
        chosen.seed = k;
        std::vector<std::vector<std::uint32_t>> after;
        auto const report = run(
            made, chosen, [&] { runtime::fail_allocation_at(k); }, &after);
        BOOST_TEST(report.fault == "");
        BOOST_TEST(num_of(came::out_of_memory, report, made.name) == num_ranks);
        if (!made.leaves_items) continue;
        for (int rank = 0; rank < num_ranks; ++rank) {
          BOOST_TEST((after[static_cast<std::size_t>(rank)] == items_of(rank)));
        }
      }
    }
  }
}

// Nothing is allocated once the ranks have begun, which is when they can no longer tell each other: not for the cuts of
// so many ranks either, which want more pinned memory than is taken at least.
BOOST_AUTO_TEST_CASE(no_memory_among_many_ranks) {
  constexpr int many_ranks = 19;
  for (std::uint64_t const k : {2, 20, 25, 38}) {
    BOOST_TEST_CONTEXT("allocation " << k) {
      std::vector<std::unique_ptr<test::buffer<std::uint32_t>>> items;
      for (std::uint32_t rank = 0; rank < many_ranks; ++rank) {
        items.push_back(std::make_unique<test::buffer<std::uint32_t>>(
            test::keys<std::uint32_t>(test::pattern::random, 20, rank + 1)));
      }
      nccl::options chosen;
      chosen.num_ranks = many_ranks;
      runtime::fail_allocation_at(k);
      auto const report = nccl::run_ranks(chosen, [&](ncclComm_t comm, int rank) {
        auto& mine = *items[static_cast<std::size_t>(rank)];
        mgpu::sort(mgpu::par.over(comm), mine.begin(), mine.end());
      });
      bool const has_failed = !runtime::failure_pending();
      runtime::fail_allocation_at(0);
      BOOST_TEST(report.fault == "");
      BOOST_TEST(num_of(has_failed ? came::out_of_memory : came::back, report, "mgpu::sort") == many_ranks);
    }
  }
}

// A scan that does not wait can tell others nothing: they wait until the communicator fails.
BOOST_AUTO_TEST_CASE(no_memory_without_waiting) {
  call const made{"mgpu::inclusive_scan", [](ncclComm_t comm, auto& items) {
                    mgpu::inclusive_scan(mgpu::par_nosync.over(comm), items.begin(), items.end(), items.begin());
                  }};
  run(made, {});
  auto const report = run(made, {}, [] { runtime::fail_allocation_at(1); });
  BOOST_TEST(report.fault == "");
  BOOST_TEST(num_of(came::out_of_memory, report, made.name) == 1);
  BOOST_TEST(num_of(came::nccl_error, report, made.name) == num_ranks - 1);
}

// Pinned memory that work in flight may still write to is not used again.
BOOST_AUTO_TEST_CASE(memory_in_use_after_an_exception) {
  mgpu::detail::scratch_of source(mgpu::detail::pool_scratch{});
  mgpu::detail::device_call const made("a test", cudaStreamLegacy, false, source);
  for (bool const is_busy : {false, true}) {
    void* used = nullptr;
    try {
      mgpu::detail::result_slot const slot(made, 8);
      used = slot.memory();
      runtime::busy_for(is_busy ? 1 : 0);
      throw std::runtime_error("planted");
    } catch (std::runtime_error const&) {
    }
    mgpu::detail::result_slot const next(made, 8);
    BOOST_TEST((next.memory() == used) == !is_busy);
  }
  BOOST_TEST(cudaGetLastError() == cudaSuccess);
}

// What the ranks call does not fit together, which is found out by the first exchange.
BOOST_AUTO_TEST_CASE(items_of_different_sizes) {
  nccl::options chosen;
  chosen.num_ranks = 2;
  auto const report = nccl::run_ranks(chosen, [](ncclComm_t comm, int rank) {
    test::buffer<std::uint64_t> items(std::vector<std::uint64_t>(100, 1));
    if (rank == 0) {
      mgpu::sort(mgpu::par.over(comm), items.begin(), items.end());
    } else {
      auto* const narrow = reinterpret_cast<std::uint32_t*>(items.begin());
      mgpu::sort(mgpu::par.over(comm), narrow, narrow + 100);
    }
  });
  BOOST_TEST(report.fault == "");
  BOOST_TEST(num_of(came::cuda_error, report, "mgpu::sort") == 2);
}

BOOST_AUTO_TEST_CASE(captured_sort) {
  auto const report = nccl::run_ranks({}, [](ncclComm_t comm, int) {
    test::buffer<std::uint32_t> items(items_of(0));
    cudaStream_t stream = nullptr;
    test::require(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    test::require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    struct ending {
      cudaStream_t stream;
      ~ending() {
        cudaGraph_t graph = nullptr;
        static_cast<void>(cudaStreamEndCapture(stream, &graph));
        if (graph != nullptr) static_cast<void>(cudaGraphDestroy(graph));
        static_cast<void>(cudaStreamDestroy(stream));
      }
    } const scope{stream};
    mgpu::sort(mgpu::par_nosync.on(stream).over(comm), items.begin(), items.end());
  });
  BOOST_TEST(num_of(came::cuda_error, report, "mgpu::sort") == 1);
}

BOOST_AUTO_TEST_SUITE_END()
