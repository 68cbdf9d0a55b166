// bench_distributed measures mgpu's calls over several GPUs of one host, and the same on one of them, which stands in
// the place of a peer. Both clocks run from when all ranks begin, with their items there, until all have their
// result.
#include <operations.cuh>
#include <sorts.cuh>
#include <mgpu/distributed.h>
#include <nccl.h>
#include <atomic>
#include <exception>
#include <map>
#include <thread>

using namespace perf;

namespace {

// --- Ranks
struct rank {
  int number;
  ncclComm_t comm;
  cudaStream_t stream = nullptr;
  std::unique_ptr<mgpu::team> team{};  // is made anew for each row that needs one
  std::exception_ptr error{};
};

// These are the first GPUs of the machine, each with a thread. The threads spin, so that all begin at once.
class ranks {
 public:
  // Returns those of so many GPUs, which are made once and kept, as NCCL takes long to. They keep their scratch
  // memory, too.
  static ranks& of(int count) {
    static auto* const made = new std::map<int, std::unique_ptr<ranks>>;
    auto& found = (*made)[count];
    if (found == nullptr) found.reset(new ranks(count));
    return *found;
  }

  // Calls body(rank) for all ranks at once, each in its thread with its device, and returns when all are back.
  void run(std::function<void(rank&)> body) {
    body_ = std::move(body);
    num_back_ = 0;
    ++round_;
    while (num_back_ != ranks_.size()) {
    }
    for (rank& each : ranks_) {
      if (each.error) std::rethrow_exception(std::exchange(each.error, nullptr));
    }
  }

 private:
  explicit ranks(int count) {
    std::vector<ncclComm_t> comms(count);
    ncclResult_t const status = ncclCommInitAll(comms.data(), count, nullptr);
    if (status != ncclSuccess) throw std::runtime_error(std::string("NCCL: ") + ncclGetErrorString(status));
    for (int number = 0; number < count; ++number) ranks_.push_back({number, comms[number]});
    for (rank& each : ranks_) std::thread([this, &each] { serve(each); }).detach();
    run([](rank& mine) {
      check(cudaSetDevice(mine.number), "cudaSetDevice");
      check(cudaStreamCreateWithFlags(&mine.stream, cudaStreamNonBlocking), "cudaStreamCreate");
      mgpu::keep_scratch(~std::uint64_t{0});
    });
  }

  void serve(rank& mine) {
    for (std::uint64_t done = 0;; ++done) {
      while (round_ == done) std::this_thread::yield();
      try {
        body_(mine);
      } catch (...) {
        mine.error = std::current_exception();
      }
      ++num_back_;
    }
  }

  std::vector<rank> ranks_;
  std::function<void(rank&)> body_;
  std::atomic<std::uint64_t> round_{0};
  std::atomic<std::size_t> num_back_{0};
};

// --- Problems, and their calls: by one GPU, or by a rank for its share
using sorts = std::tuple<sort_of<u32, none>, sort_of<u32, none, custom>, sort_of<u32, u32>, sort_of<u64, none>,
                         sort_of<u8, none>, sort_of<u16, none>>;
using prefix_sums = exclusive<u32, plus>;
using sum = reduction<u32, plus>;
using sums = std::tuple<prefix_sums, sum>;

template <class Key, class Value, class... Comp>
auto call_of(sort_of<Key, Value, Comp...>) {
  return [](auto const& policy, columns, std::int64_t n, columns out) {
    sort_columns<Key, Value>(policy, out, n, Comp{}...);
  };
}
problem problem_of(prefix_sums) {
  return make_problem<u32>("exclusive_scan", "plus", generate_to_be_scanned<prefix_sums>);
}
auto call_of(prefix_sums) {
  return [](auto const& policy, columns in, std::int64_t n, columns out) {
    scan_columns<prefix_sums>(policy, in, n, out);
  };
}
problem problem_of(sum) { return make_problem<u32>("reduce", "plus", generate_to_be_reduced<sum>); }
auto call_of(sum) {
  return [](auto const& policy, columns in, std::int64_t n, columns out) {
    mgpu::reduce_into(policy, as<u32>(in.keys), as<u32>(in.keys) + n, as<u32>(out.keys));
  };
}

// --- Candidates
// This is a rank's share of the items, and of the results, which a sort puts in their place.
struct share {
  std::int64_t first, n;
  memory keys, values, results;
};
using shares = std::vector<share>;
shares& shares_of(job& of) { return *static_cast<shares*>(of.more.get()); }

share allocate_share(input const& whole, int number, int count) {
  std::int64_t const first = whole.n * number / count;
  std::int64_t const n = whole.n * (number + 1) / count - first;
  memory const keys = device_memory(whole.key_bytes / whole.n * n);
  memory const values = device_memory(whole.value_bytes / whole.n * n);
  return {first, n, keys, values, whole.in_place ? keys : device_memory(whole.key_bytes / whole.n * n)};
}

// Returns what so many GPUs do together, over a communicator, or by a team.
template <class Call>
candidate on_gpus(int count, bool by_team, Call call) {
  // Makes the call, with the policy that policy_of(rank) returns.
  auto const call_by = [=](job& of, auto policy_of) {
    ranks::of(count).run([&](rank& mine) {
      share const& items = shares_of(of)[mine.number];
      columns const in = {items.keys.get(), items.values.get()};
      call(policy_of(mine), in, items.n, columns{items.results.get(), in.values});
    });
  };
  // Makes the shares, and the team, which has as much memory as the call needs.
  auto const prepare = [=](job& of) {
    ranks& all = ranks::of(count);
    of.more = std::make_shared<shares>(count);
    all.run([&](rank& mine) { shares_of(of)[mine.number] = allocate_share(of.data, mine.number, count); });
    if (!by_team) return;
    std::vector<std::size_t> bytes(count);
    call_by(of,
            [&](rank& mine) { return mgpu::par.on(mine.stream).query_scratch(bytes[mine.number]).over(mine.comm); });
    all.run([&](rank& mine) {
      if (mine.team) mine.team->close();
      mine.team = std::make_unique<mgpu::team>(mine.comm, bytes[mine.number]);
    });
  };

  candidate found;
  found.library = "mgpu";
  found.num_gpus = count;
  found.enqueue = found.call = [=](job& of) {
    if (by_team) {
      call_by(of, [](rank& mine) { return mgpu::par.on(mine.stream).over(*mine.team); });
    } else {
      call_by(of, [](rank& mine) { return mgpu::par.on(mine.stream).over(mine.comm); });
    }
  };
  found.scatter = [=](job& of) {
    if (of.more == nullptr) prepare(of);
    input const& whole = of.data;
    std::size_t const key = whole.key_bytes / whole.n, value = whole.value_bytes / whole.n;
    for (share const& each : shares_of(of)) {
      copy_async(each.keys.get(), as<char>(whole.in.keys) + each.first * key, each.n * key);
      copy_async(each.values.get(), as<char>(whole.in.values) + each.first * value, each.n * value);
    }
    wait_for_stream();
  };
  found.gather = [](job& of) {
    input const& whole = of.data;
    std::size_t const result = whole.result_bytes / whole.n, value = whole.value_bytes / whole.n;
    for (share const& each : shares_of(of)) {
      // A reduction has one result, which each rank has.
      std::size_t const bytes = result == 0 ? whole.result_bytes : each.n * result;
      copy_async(as<char>(whole.work.keys) + each.first * result, each.results.get(), bytes);
      copy_async(as<char>(whole.work.values) + each.first * value, each.values.get(), each.n * value);
    }
    wait_for_stream();
  };
  return found;
}

// Returns what one of so many GPUs does. It keeps its scratch memory, as those of several do.
template <class Call>
candidate on_one_gpu(int count, Call call) {
  candidate found =
      with_mgpu([call](auto const& policy, job& of) { call(policy, of.data.in, of.data.n, of.data.work); });
  found.library = "one_gpu";
  found.num_gpus = count;
  found.scatter = [](job&) { mgpu::keep_scratch(~std::uint64_t{0}); };
  return found;
}

// --- Rows
template <class Kinds>
bool add_all(bool by_team) {
  for (int const num_gpus : {2, 4, 8}) {
    add_problems(Kinds{}, [=](auto kind) {
      problem of = problem_of(kind);
      of.algorithm += "_over_" + std::to_string(num_gpus) + "_gpus" + (by_team ? "_by_team" : "");
      of.candidates = {on_one_gpu(num_gpus, call_of(kind)), on_gpus(num_gpus, by_team, call_of(kind))};
      of.distributions = {distribution::uniform};
      if constexpr (std::is_same_v<Kinds, sorts>) {
        of.distributions = {distribution::uniform,       distribution::distinct_16, distribution::entropy_0,
                            distribution::entropy_0_201, distribution::zipf,        distribution::sorted};
      }
      of.sizes = powers_of_two(1 << 20, std::int64_t{1} << 31);
      of.by_default = [bytes = of.item_bytes](distribution from, std::int64_t n) {
        std::int64_t const large = (std::int64_t{1} << 31) / bytes;
        if (from != distribution::uniform) return bytes == sizeof(u32) && n == large;
        return n >= large && n <= 4 * large;
      };
      return of;
    });
  }
  return true;
}
[[maybe_unused]] bool const added = add_all<sorts>(false) && add_all<sums>(false) && add_all<sorts>(true);

}  // namespace
