// Sorts numbers that lie on several GPUs, and sums them up: on all GPUs of this machine, with a thread for each; or with
// a process for each GPU, on one machine or on many. Then each process is told its rank by RANK, how many there are by
// WORLD_SIZE, and its GPU by LOCAL_RANK, as torchrun does, or as mpirun does by variables of its own; NCCL's id goes
// from rank 0 to the others by a file that is not there yet, in a folder that all of them see:
//
//   sort_on_all_gpus
//   torchrun --nproc-per-node 8 --nnodes 2 --node-rank 0 --master-addr first --no-python sort_on_all_gpus /shared/id
//   mpirun -n 16 -N 8 sort_on_all_gpus /shared/id
#include <mgpu/distributed.h>
#include <cuda_runtime.h>
#include <nccl.h>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

void check(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}
void check(ncclResult_t result) {
  if (result != ncclSuccess) throw std::runtime_error(ncclGetErrorString(result));
}

// This says what a stretch of numbers begins and ends with, and whether it is in order. Joined, the ranks' tell whether
// all numbers are, from rank to rank, too.
struct stretch {
  std::uint32_t first, last;
  bool in_order;
};
struct to_stretch {
  __host__ __device__ stretch operator()(std::uint32_t x) const { return {x, x, true}; }
};
struct join {
  __host__ __device__ stretch operator()(stretch const& a, stretch const& b) const {
    return {a.first, b.last, a.in_order && b.in_order && a.last <= b.first};
  }
};

// A rank's numbers, on its device. Each rank has another number of numbers, and keeps it.
struct share {
  std::uint32_t* items;
  std::size_t count;
};
share make_share(int rank) {
  std::size_t const count = 1000000 + static_cast<std::size_t>(rank) * 1000;
  std::vector<std::uint32_t> numbers(count);
  std::mt19937 random(static_cast<std::uint32_t>(rank));
  for (auto& x : numbers) x = static_cast<std::uint32_t>(random());
  std::uint32_t* items = nullptr;
  check(cudaMalloc(&items, count * sizeof(*items)));
  check(cudaMemcpy(items, numbers.data(), count * sizeof(*items), cudaMemcpyHostToDevice));
  return {items, count};
}

// Runs one rank, on the current device.
void run(ncclComm_t comm, int rank, share const& mine) {
  std::uint32_t* const items = mine.items;
  std::size_t const count = mine.count;
  auto const ranks = mgpu::par.over(comm);
  auto const before = mgpu::reduce(ranks, items, items + count, std::uint64_t{0});
  // The ranks of one machine write to each other in the memory of a team. For a single sort, mgpu::sort(ranks, ...) does.
  std::size_t bytes = 0;
  mgpu::sort(mgpu::par.query_scratch(bytes).over(comm), items, items + count);
  mgpu::team team(comm, bytes);
  mgpu::sort(mgpu::par.over(team), items, items + count);
  team.close();
  auto const after = mgpu::reduce(ranks, items, items + count, std::uint64_t{0});
  stretch const whole =
      mgpu::transform_reduce(ranks, items, items + count, to_stretch{}, stretch{0, 0, true}, join{});
  if (!whole.in_order || before != after) throw std::runtime_error("the numbers are not sorted");
  if (rank == 0) std::printf("Sorted: the sum is %llu\n", static_cast<unsigned long long>(after));
}

int number_of(char const* variable, char const* mpi_variable) {
  char const* text = std::getenv(variable);
  if (text == nullptr) text = std::getenv(mpi_variable);
  return text == nullptr ? -1 : std::atoi(text);
}

// Returns NCCL's id, which rank 0 makes and writes to the file.
ncclUniqueId shared_id(int rank, std::string const& file) {
  ncclUniqueId id{};
  if (rank == 0) {
    check(ncclGetUniqueId(&id));
    std::string const unfinished = file + ".part";
    std::ofstream(unfinished, std::ios::binary).write(id.internal, sizeof(id.internal));
    if (std::rename(unfinished.c_str(), file.c_str()) != 0) throw std::runtime_error("cannot write " + file);
  } else {
    while (!std::ifstream(file, std::ios::binary).read(id.internal, sizeof(id.internal))) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
  return id;
}

void run_process(int rank, std::string const& file) {
  check(cudaSetDevice(number_of("LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK")));
  ncclComm_t comm = nullptr;
  check(ncclCommInitRank(&comm, number_of("WORLD_SIZE", "OMPI_COMM_WORLD_SIZE"), shared_id(rank, file), rank));
  share const mine = make_share(rank);
  run(comm, rank, mine);
  check(ncclCommDestroy(comm));
  check(cudaFree(mine.items));
  if (rank == 0) static_cast<void>(std::remove(file.c_str()));
}

void run_threads(int devices) {
  std::vector<ncclComm_t> comms(static_cast<std::size_t>(devices));
  check(ncclCommInitAll(comms.data(), devices, nullptr));
  // Memory is allocated before any rank runs, and freed after all: else it may wait for another rank.
  std::vector<share> shares;
  for (int rank = 0; rank < devices; ++rank) {
    check(cudaSetDevice(rank));
    shares.push_back(make_share(rank));
  }
  std::vector<std::thread> threads;
  for (std::size_t rank = 0; rank < comms.size(); ++rank) {
    threads.emplace_back([&, rank] {
      try {
        check(cudaSetDevice(static_cast<int>(rank)));
        run(comms[rank], static_cast<int>(rank), shares[rank]);
        check(ncclCommDestroy(comms[rank]));
      } catch (std::exception const& error) {
        std::fprintf(stderr, "sort_on_all_gpus: rank %zu: %s\n", rank, error.what());
        std::_Exit(1);  // the other threads would wait for this one
      }
    });
  }
  for (auto& each : threads) each.join();
  for (share const& each : shares) check(cudaFree(each.items));
}

}  // namespace

int main(int argc, char** argv) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("Skipped: there is no GPU to sort on\n");
    return 77;
  }
  try {
    int const rank = number_of("RANK", "OMPI_COMM_WORLD_RANK");
    if (rank >= 0 && argc > 1) {
      run_process(rank, argv[1]);
    } else {
      run_threads(devices);
    }
  } catch (std::exception const& error) {
    std::fprintf(stderr, "sort_on_all_gpus: %s\n", error.what());
    return 1;
  }
}
