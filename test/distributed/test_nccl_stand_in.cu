// The stand-in for NCCL does what NCCL does, and tells what NCCL would leave to hang or to corrupt.
#include <distributed/nccl_stand_in.h>
#include <boost/test/unit_test.hpp>
#include <stdexcept>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(nccl_stand_in)

namespace {

namespace nccl = test::nccl;

void expect(ncclResult_t result) {
  if (result != ncclSuccess) throw std::runtime_error("NCCL failed");
}

nccl::report run(int num_ranks, std::uint64_t seed, std::function<void(ncclComm_t, int)> const& body) {
  nccl::options chosen;
  chosen.num_ranks = num_ranks;
  chosen.seed = seed;
  return nccl::run_ranks(chosen, body);
}

bool names(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_AUTO_TEST_CASE(gathers) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    int const num_ranks = 1 + static_cast<int>(seed % 8);
    auto const report = run(num_ranks, seed, [&](ncclComm_t comm, int rank) {
      for (int round = 0; round < 3; ++round) {
        std::vector<int> all(static_cast<std::size_t>(num_ranks), -1);
        int const mine = rank * 10 + round;
        expect(ncclAllGather(&mine, all.data(), 1, ncclInt32, comm, nullptr));
        for (int r = 0; r < num_ranks; ++r) {
          if (all[static_cast<std::size_t>(r)] != r * 10 + round) throw std::runtime_error("gathered something else");
        }
      }
    });
    BOOST_TEST(report.is_clean());
  }
}

// Each rank sends to all, itself included, before it receives from any.
BOOST_AUTO_TEST_CASE(exchanges) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    int const num_ranks = 1 + static_cast<int>(seed % 8);
    auto const report = run(num_ranks, seed, [&](ncclComm_t comm, int rank) {
      std::vector<int> out(static_cast<std::size_t>(num_ranks));
      std::vector<int> in(static_cast<std::size_t>(num_ranks), -1);
      expect(ncclGroupStart());
      for (int peer = 0; peer < num_ranks; ++peer) {
        auto const place = static_cast<std::size_t>(peer);
        out[place] = rank * 100 + peer;
        expect(ncclSend(&out[place], 1, ncclInt32, peer, comm, nullptr));
        expect(ncclRecv(&in[place], 1, ncclInt32, peer, comm, nullptr));
      }
      expect(ncclGroupEnd());
      for (int peer = 0; peer < num_ranks; ++peer) {
        if (in[static_cast<std::size_t>(peer)] != peer * 100 + rank)
          throw std::runtime_error("received something else");
      }
    });
    BOOST_TEST(report.is_clean());
  }
}

BOOST_AUTO_TEST_CASE(order_follows_from_the_seed) {
  auto const order = [](std::uint64_t seed) {
    std::vector<int> ranks;
    run(4, seed, [&](ncclComm_t comm, int rank) {
      for (int round = 0; round < 4; ++round) {
        ranks.push_back(rank);
        char mine = 0, all[4];
        expect(ncclAllGather(&mine, all, 1, ncclInt8, comm, nullptr));
      }
    });
    return ranks;
  };
  BOOST_TEST((order(1) == order(1)));
  BOOST_TEST((order(1) != order(2) || order(1) != order(3)));
}

BOOST_AUTO_TEST_CASE(deadlock) {
  auto const report = run(3, 1, [](ncclComm_t comm, int rank) {
    char mine = 0, all[3];
    if (rank != 1) expect(ncclAllGather(&mine, all, 1, ncclInt8, comm, nullptr));
  });
  BOOST_TEST(names(report.fault, "deadlock"));
  BOOST_TEST(names(report.fault, "rank 0 in ncclAllGather of 1 bytes"));
  BOOST_TEST(!report.is_clean());
}

BOOST_AUTO_TEST_CASE(sends_in_a_ring_without_a_group) {
  auto const report = run(2, 1, [](ncclComm_t comm, int rank) {
    char mine = 0;
    expect(ncclSend(&mine, 1, ncclInt8, 1 - rank, comm, nullptr));
    expect(ncclRecv(&mine, 1, ncclInt8, 1 - rank, comm, nullptr));
  });
  BOOST_TEST(names(report.fault, "deadlock"));
  BOOST_TEST(names(report.fault, "ncclSend to rank 0"));
}

BOOST_AUTO_TEST_CASE(sizes_that_differ) {
  auto const sends = run(2, 1, [](ncclComm_t comm, int rank) {
    int items[4] = {};
    if (rank == 0) expect(ncclSend(items, 3, ncclInt32, 1, comm, nullptr));
    if (rank == 1) expect(ncclRecv(items, 4, ncclInt32, 0, comm, nullptr));
  });
  BOOST_TEST(names(sends.fault, "rank 0 sends 12 bytes, and rank 1 receives 16"));
  auto const collectives = run(2, 1, [](ncclComm_t comm, int rank) {
    int items[4] = {}, all[8];
    expect(ncclAllGather(items, all, static_cast<std::size_t>(1 + rank), ncclInt32, comm, nullptr));
  });
  BOOST_TEST(names(collectives.fault, "ncclAllGather of 4 bytes"));
  BOOST_TEST(names(collectives.fault, "ncclAllGather of 8 bytes"));
}

BOOST_AUTO_TEST_CASE(sums) {
  std::vector<std::vector<std::uint64_t>> words(3);
  auto const report = run(3, 1, [&](ncclComm_t comm, int rank) {
    auto& mine = words[static_cast<std::size_t>(rank)];
    mine = {static_cast<std::uint64_t>(rank), std::uint64_t{1} << 40};
    expect(ncclAllReduce(mine.data(), mine.data(), 2, ncclUint64, ncclSum, comm, nullptr));
  });
  BOOST_TEST(report.is_clean());
  for (auto const& each : words) BOOST_TEST((each == std::vector<std::uint64_t>{3, std::uint64_t{3} << 40}));
}

BOOST_AUTO_TEST_CASE(a_call_that_fails) {
  nccl::options chosen;
  chosen.num_ranks = 2;
  chosen.failing_rank = 1;
  chosen.failing_call = 2;
  std::vector<int> reached(2, 0);
  auto const report = nccl::run_ranks(chosen, [&](ncclComm_t comm, int rank) {
    char mine = 0, all[2];
    for (int round = 0; round < 3; ++round) {
      expect(ncclAllGather(&mine, all, 1, ncclInt8, comm, nullptr));
      ++reached[static_cast<std::size_t>(rank)];
    }
  });
  BOOST_TEST(report.fault == "");
  BOOST_TEST((report.errors[0] != nullptr && report.errors[1] != nullptr));
  BOOST_TEST(reached[1] == 1);
  BOOST_TEST(reached[0] == 1);
  BOOST_TEST(report.calls[1] == 2);
}

BOOST_AUTO_TEST_SUITE_END()
