// bench_distributed measures mgpu's calls over several GPUs of one host, and the same on one of them, which stands in the
// place of a peer. Both clocks run from when all ranks begin, with their items there, until all have their result.
#include <sorts.cuh>
#include <harness/data.cuh>
#include <harness/libraries.cuh>
#include <harness/ranks.h>
#include <mgpu/distributed.h>

namespace perf {

namespace {

// --- The items of each rank
struct part {
  std::int64_t n;
  std::int64_t first;  // of the whole
  memory keys, values, results;
};
using parts = std::vector<part>;
parts& parts_of(job& of) { return *static_cast<parts*>(of.elsewhere.get()); }

template <class Result, class Item>
memory memory_for(std::int64_t n) {
  return std::is_same_v<Item, none> ? nullptr : device_memory(static_cast<std::size_t>(n) * sizeof(Result));
}

template <class Key, class Value, class Result>
void allocate_parts(job& of, ranks& on) {
  auto made = std::make_shared<parts>(static_cast<std::size_t>(on.count()));
  std::int64_t first = 0;
  for (int rank = 0; rank < on.count(); ++rank) {
    std::int64_t const last = of.data.n * (rank + 1) / on.count();
    on.on_device(rank, [&] {
      (*made)[static_cast<std::size_t>(rank)] = {last - first, first, memory_for<Key, Key>(last - first),
                                                 memory_for<Value, Value>(last - first),
                                                 memory_for<Result, Result>(last - first)};
    });
    first = last;
  }
  of.elsewhere = made;
}

template <class T>
void copy_part(T* to, T const* from, std::int64_t n) {
  check(cudaMemcpy(to, from, static_cast<std::size_t>(n) * sizeof(T), cudaMemcpyDefault), "cudaMemcpy");
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");  // as the host need not wait for copies between devices
}

// These make a call together: so many GPUs, over a communicator, or by a team.
struct gpus {
  int count;
  bool are_a_team;

  std::string name_of(char const* algorithm) const {
    return std::string(algorithm) + "_over_" + std::to_string(count) + "_gpus" + (are_a_team ? "_by_team" : "");
  }
};

// Returns what a candidate does on several GPUs: run(policy, part) is the call of a rank.
template <class Key, class Value, class Result, class Run>
candidate on_gpus(gpus on, Run run) {
  auto const on_all = [on, run](job& of, auto make_call) {
    ranks::of(on.count).run([&](int number, rank_of_gpus& rank) {
      part& mine = parts_of(of)[static_cast<std::size_t>(number)];
      make_call(rank, [&](auto const& policy) { run(policy, mine); });
    });
  };
  candidate found;
  found.library = "mgpu";
  found.num_gpus = on.count;
  found.prepare = [on, on_all](job& of) {
    allocate_parts<Key, Value, Result>(of, ranks::of(on.count));
    if (on.are_a_team) on_all(of, [](rank_of_gpus& rank, auto call) { rank.make_team(call); });
  };
  found.call = [on, on_all](job& of) {
    on_all(of, [on](rank_of_gpus& rank, auto call) { on.are_a_team ? rank.by_team(call) : rank.over_comm(call); });
    return of.data.work;
  };
  found.enqueue = found.call;
  return found;
}

// Returns what one of so many GPUs does. It keeps its scratch memory, as those of several do.
template <class Run>
candidate on_one_gpu(gpus of_these, Run run) {
  candidate found = with_mgpu(run);
  found.library = "one_gpu";
  found.num_gpus = of_these.count;
  found.prepare = [prepare = found.prepare](job& of) {
    mgpu::keep_scratch(~std::uint64_t{0});
    prepare(of);
  };
  return found;
}

// --- Sorts
template <class Key, class Value, class... Comp>
struct sort_of {};
using sorts = std::tuple<sort_of<u32, none>, sort_of<u32, none, custom>, sort_of<u32, u32>, sort_of<u64, none>,
                         sort_of<u8, none>, sort_of<u16, none>>;

template <class Key, class Value, class... Comp>
problem problem_of(sort_of<Key, Value, Comp...>, gpus on) {
  problem of{on.name_of(std::is_same_v<Value, none> ? "sort" : "sort_by_key"), name_of(Key{}), name_of(Value{}),
             sizeof...(Comp) == 0 ? "natural" : "custom", sizeof(Key) + bytes_of<Value>};
  of.generate = generate_to_be_sorted<Key, Value, true>;
  of.candidates.push_back(on_one_gpu(on, [](auto const& policy, job& of) {
    columns const work = of.data.work;
    mgpu_sort(policy, as<Key>(work.keys), of.data.n, as<Value>(work.values), Comp{}...);
    return work;
  }));
  candidate found = on_gpus<Key, Value, none>(on, [](auto const& policy, part& mine) {
    mgpu_sort(policy, as<Key>(mine.keys.get()), mine.n, as<Value>(mine.values.get()), Comp{}...);
  });
  auto const copy_each = [](job& of, auto copy) {
    for (part& each : parts_of(of)) {
      copy(as<Key>(each.keys.get()), as<Key>(of.data.work.keys) + each.first, each.n);
      if constexpr (!std::is_same_v<Value, none>) {
        copy(as<Value>(each.values.get()), as<Value>(of.data.work.values) + each.first, each.n);
      }
    }
  };
  found.scatter = [copy_each](job& of) {
    copy_each(of, [](auto* there, auto* here, std::int64_t n) { copy_part(there, here, n); });
  };
  found.gather = [copy_each](job& of) {
    copy_each(of, [](auto* there, auto* here, std::int64_t n) { copy_part(here, there, n); });
  };
  of.candidates.push_back(found);
  of.distributions = {distribution::uniform,       distribution::distinct_16, distribution::entropy_0,
                      distribution::entropy_0_201, distribution::zipf,        distribution::sorted};
  return of;
}

// --- Scans and reductions, which are verified by their last result
template <bool is_scan>
struct sum_of {};
using sums = std::tuple<sum_of<true>, sum_of<false>>;

template <bool is_scan>
problem problem_of(sum_of<is_scan>, gpus on) {
  problem of{on.name_of(is_scan ? "exclusive_scan" : "reduce"), "u32", "none", "plus", sizeof(u32)};
  of.generate = [](distribution from, std::int64_t n, cudaStream_t stream) {
    input data = generate_columns<u32, none, u32>(from, n, is_scan ? n : 1, 0, stream);
    u64 const sum = sum_on_gpu(is_scan ? n - 1 : n, stream,
                               [keys = as<u32>(data.in.keys)] __device__(std::int64_t i) { return keys[i]; });
    data.verify = [n, sum](columns result, bool, cudaStream_t) -> std::string {
      u32 found = 0;
      copy_part(&found, as<u32>(result.keys) + (is_scan ? n - 1 : 0), 1);
      return found == static_cast<u32>(sum) ? "" : "the last result is not the sum";
    };
    return data;
  };
  auto const call = [](auto const& policy, u32 const* keys, std::int64_t n, u32* results) {
    if constexpr (is_scan) {
      mgpu::exclusive_scan(policy, keys, keys + n, results);
    } else {
      mgpu::reduce_into(policy, keys, keys + n, results);
    }
  };
  of.candidates.push_back(on_one_gpu(on, [call](auto const& policy, job& of) {
    call(policy, as<u32>(of.data.in.keys), of.data.n, as<u32>(of.data.work.keys));
    return of.data.work;
  }));
  candidate found = on_gpus<u32, none, u32>(on, [call](auto const& policy, part& mine) {
    call(policy, as<u32>(mine.keys.get()), mine.n, as<u32>(mine.results.get()));
  });
  found.prepare = [prepare = found.prepare](job& of) {
    prepare(of);
    for (part& each : parts_of(of)) {
      copy_part(as<u32>(each.keys.get()), as<u32>(of.data.in.keys) + each.first, each.n);
    }
  };
  found.gather = [](job& of) {
    part& last = parts_of(of).back();
    copy_part(as<u32>(of.data.work.keys) + (is_scan ? of.data.n - 1 : 0),
              as<u32>(last.results.get()) + (is_scan ? last.n - 1 : 0), 1);
  };
  of.candidates.push_back(found);
  of.distributions = {distribution::uniform};
  return of;
}

template <class List>
bool add_all(bool by_team) {
  for (int const num_gpus : {2, 4, 8}) {
    add_problems(List{}, [num_gpus, by_team](auto what) {
      problem of = problem_of(what, gpus{num_gpus, by_team});
      for (std::int64_t n = std::int64_t{1} << 20; n <= std::int64_t{1} << 31; n *= 2) of.sizes.push_back(n);
      of.by_default = [bytes = of.item_bytes](distribution from, std::int64_t n) {
        std::int64_t const large = (std::int64_t{1} << 31) / static_cast<std::int64_t>(bytes);
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

}  // namespace perf
