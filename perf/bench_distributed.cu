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
    static auto* const made = new std::map<int, ranks>;
    return made->try_emplace(count, count).first->second;
  }

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

problem problem_of(prefix_sums) {
  return make_problem<u32>("exclusive_scan", "plus", generate_to_be_scanned<prefix_sums>);
}
problem problem_of(sum) { return make_problem<u32>("reduce", "plus", generate_to_be_reduced<sum>); }

template <class Key, class Value, class... Comp, class Policy>
void call(sort_of<Key, Value, Comp...>, Policy const& policy, job& of) {
  sort_items(policy, as<Key>(of.data.work.keys), as<Value>(of.data.work.values), of.data.n, Comp{}...);
}
template <class Policy>
void call(prefix_sums, Policy const& policy, job& of) {
  scan_items<prefix_sums>(policy, of);
}
template <class Policy>
void call(sum, Policy const& policy, job& of) {
  mgpu::reduce_into(policy, items_of<sum>(of), items_of<sum>(of) + of.data.n, as<u32>(of.data.work.keys));
}

// --- Candidates
// This is a rank's share of an input, in its GPU's memory, and of which parts of the whole.
struct share {
  input data;
  columns of_input, of_result;
};
using shares = std::vector<share>;
shares& shares_of(job& of) { return *static_cast<shares*>(of.more.get()); }

share allocate_share(input const& whole, int number, int count) {
  std::int64_t const first = whole.n * number / count, last = whole.n * (number + 1) / count;
  auto const part_of = [&](columns const& all) -> columns {
    std::size_t const key = all.key_bytes / whole.n, value = all.value_bytes / whole.n;
    bool const is_one_result = key == 0;  // of a reduction, which each rank has
    return {tail_of(all.keys, first * key), tail_of(all.values, first * value),
            is_one_result ? all.key_bytes : (last - first) * key, (last - first) * value};
  };
  auto const allocate = [](columns const& like) { return allocate_columns(like.key_bytes, like.value_bytes); };
  columns const of_input = part_of(whole.in), of_result = part_of(whole.work), in = allocate(of_input);
  return {{last - first, in, whole.in_place ? in : allocate(of_result)}, of_input, of_result};
}

// Returns what so many GPUs do together, over a communicator, or by a team.
template <class Kind>
candidate on_gpus(int count, bool by_team, Kind kind) {
  // Makes the shares, and the team, which has as much memory as the call needs.
  auto const prepare = [=](job& of) {
    ranks& all = ranks::of(count);
    of.more = std::make_shared<shares>(count);
    all.run([&](rank& mine) { shares_of(of)[mine.number] = allocate_share(of.data, mine.number, count); });
    if (!by_team) return;
    all.run([&](rank& mine) {
      job of_rank{shares_of(of)[mine.number].data};
      std::size_t bytes = 0;
      call(kind, mgpu::par.on(mine.stream).query_scratch(bytes).over(mine.comm), of_rank);
      if (mine.team) mine.team->close();
      mine.team = std::make_unique<mgpu::team>(mine.comm, bytes);
    });
  };

  candidate found{"mgpu", {}};
  found.num_gpus = count;
  found.enqueue = found.call = [=](job& of) {
    ranks::of(count).run([&](rank& mine) {
      job of_rank{shares_of(of)[mine.number].data};
      auto const policy = mgpu::par.on(mine.stream);
      by_team ? call(kind, policy.over(*mine.team), of_rank) : call(kind, policy.over(mine.comm), of_rank);
    });
  };
  found.scatter = [=](job& of) {
    if (of.more == nullptr) prepare(of);
    for (share const& each : shares_of(of)) copy_async(each.data.in, each.of_input);
    wait_for_stream();
  };
  found.gather = [](job& of) {
    for (share const& each : shares_of(of)) copy_async(each.of_result, each.data.work);
    wait_for_stream();
  };
  return found;
}

// Returns what one of so many GPUs does. It keeps its scratch memory, as those of several do.
template <class Kind>
candidate on_one_gpu(int count, Kind kind) {
  candidate found = with_mgpu([kind](auto const& policy, job& of) { call(kind, policy, of); });
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
      of.candidates = {on_one_gpu(num_gpus, kind), on_gpus(num_gpus, by_team, kind)};
      std::vector<distribution> all = {distribution::uniform};
      if constexpr (std::is_same_v<Kinds, sorts>) {
        all = {distribution::uniform,       distribution::distinct_16, distribution::entropy_0,
               distribution::entropy_0_201, distribution::zipf,        distribution::sorted};
      }
      auto const by_default = [bytes = of.item_bytes](distribution from, std::int64_t n) {
        std::int64_t const large = (std::int64_t{1} << 31) / bytes;
        if (from != distribution::uniform) return bytes == sizeof(u32) && n == large;
        return n >= large && n <= 4 * large;
      };
      of.add_inputs(all, by_default, powers_of_two(1 << 20, std::int64_t{1} << 31));
      return of;
    });
  }
  return true;
}
[[maybe_unused]] bool const added = add_all<sorts>(false) && add_all<sums>(false) && add_all<sorts>(true);

}  // namespace
