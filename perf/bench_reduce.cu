// bench_reduce: reductions of mgpu, Thrust and CUB; reduce_problems.h says which.
#include <reduce_problems.h>
#include <harness/data.cuh>
#include <harness/libraries.cuh>
#include <mgpu/reduce.h>
#include <cub/device/device_reduce.cuh>
#include <thrust/reduce.h>

namespace perf {

namespace {

// --- Inputs
// A call writes its one result alone, so the input is for the next call where this one left it: up to the size of the
// L2 cache, there.
template <class Reduction>
void generate_to_be_reduced(input& data, distribution from, std::int64_t n, cudaStream_t stream) {
  using Sum = typename Reduction::Sum;
  generate_columns<typename Reduction::Key, none, Sum>(data, from, n, 1, 0, stream);
  Sum const expected = reference<Reduction>(from, n);
  data.verify = [expected](columns result, bool keeps_order, cudaStream_t stream) -> std::string {
    Sum found{};
    check(cudaMemcpyAsync(&found, result.keys, sizeof(found), cudaMemcpyDefault, stream), "cudaMemcpyAsync");
    check(cudaStreamSynchronize(stream), "verification");
    bool const right = keeps_order ? found == expected : equal_but_for_order(found, expected);
    return right ? "" : "not what the CPU makes of the same items";
  };
}

// --- Libraries: on the wall clock, until the host has the value
template <class Reduction>
auto first_of(job const& of) {
  return iterator_over<typename Reduction::Access>(static_cast<typename Reduction::Key const*>(of.data.in.keys));
}

template <class Sum>
columns on_host(Sum const& value, job& of) {
  *static_cast<Sum*>(of.value.get()) = value;
  return {of.value.get(), nullptr};
}

template <class Reduction>
std::vector<candidate> libraries() {
  using Op = typename Reduction::Op;
  using Sum = typename Reduction::Sum;
  std::vector<candidate> found;
  found.push_back(with_mgpu([](auto const& policy, job& of) {
    auto const first = first_of<Reduction>(of);
    mgpu::reduce_into(policy, first, first + of.data.n, static_cast<Sum*>(of.data.work.keys), initial<Sum>(), Op{});
    return of.data.work;
  }));
  found.back().call = [](job& of) {
    auto const first = first_of<Reduction>(of);
    return on_host(mgpu::reduce(mgpu::par.on(of.stream), first, first + of.data.n, initial<Sum>(), Op{}), of);
  };
  if constexpr (has_peers) {
    // The others ask for an operator that commutes, and reorder the items. With one that does not they still show what
    // that is worth; their name says so.
    std::string const suffix = commutes<Op> ? "" : "_unordered";
    // It only ever returns a value, so the device clock contains its way to the host.
    auto const thrust_reduce = [](auto const& policy, job& of) {
      auto const first = first_of<Reduction>(of);
      return on_host(thrust::reduce(policy, first, first + of.data.n, initial<Sum>(), Op{}), of);
    };
    found.push_back(with_thrust(thrust_reduce, "thrust" + suffix));
    auto const cub_reduce = [](void* temp, std::size_t& bytes, auto n, job& of) {
      auto* const result = static_cast<Sum*>(of.data.work.keys);
      check(
          cub::DeviceReduce::Reduce(temp, bytes, first_of<Reduction>(of), result, n, Op{}, initial<Sum>(), of.stream),
          "CUB's reduce");
      return of.data.work;
    };
    for (candidate each :
         {with_cub<std::uint32_t>(cub_reduce, suffix), with_cub<std::uint64_t>(cub_reduce, suffix)}) {
      each.call = [enqueue = each.enqueue](job& of) {
        void* const value = of.value.get();
        void const* const result = enqueue(of).keys;
        check(cudaMemcpyAsync(value, result, sizeof(Sum), cudaMemcpyDeviceToHost, of.stream), "cudaMemcpyAsync");
        check(cudaStreamSynchronize(of.stream), "cudaStreamSynchronize");
        return columns{value, nullptr};
      };
      found.push_back(each);
    }
  }
  for (candidate& each : found) {
    each.keeps_order = commutes<Op> || each.library == "mgpu";
    each.prepare = [prepare = each.prepare](job& of) {
      prepare(of);
      of.value = pinned_memory(sizeof(Sum));
    };
  }
  return found;
}

// --- Rows
template <class Reduction>
problem reducing(Reduction) {
  using Key = typename Reduction::Key;
  problem of{"reduce",          name_of(Key{}), name_of(none{}),
             Reduction::name(), sizeof(Key),    generate_to_be_reduced<Reduction>};
  of.candidates = libraries<Reduction>();
  of.distributions = {distribution::summands};
  of.by_default = [](distribution, std::int64_t n) {
    return is_in_curve(sizeof(Key), n, std::is_same_v<Reduction, reduction<u32, plus>>);
  };
  return of;
}

[[maybe_unused]] bool const added = add_problems(reductions{}, [](auto of) { return reducing(of); });

}  // namespace

}  // namespace perf
