// bench_reduce measures reductions of mgpu, Thrust and CUB; operations.h says which.
#include <operations.h>
#include <harness/data.cuh>
#include <harness/libraries.cuh>
#include <mgpu/reduce.h>
#include <cub/device/device_reduce.cuh>
#include <thrust/reduce.h>

namespace perf {

namespace {

// --- Inputs
// A call writes its one result alone, so the next call finds the input where this one left it, which for inputs of up
// to its size is the L2 cache.
template <class Reduction>
input generate_to_be_reduced(distribution from, std::int64_t n, cudaStream_t stream) {
  using Sum = typename Reduction::Sum;
  input data = generate_columns<typename Reduction::Key, none, Sum>(from, n, 1, 0, stream);
  data.on_host = pinned_memory(sizeof(Sum));
  Sum const expected = reference<Reduction>(from, n);
  data.verify = [expected](columns result, bool keeps_order, cudaStream_t stream) -> std::string {
    Sum found{};
    check(cudaMemcpyAsync(&found, result.keys, sizeof(found), cudaMemcpyDefault, stream), "cudaMemcpyAsync");
    check(cudaStreamSynchronize(stream), "verification");
    bool const right = keeps_order ? found == expected : equal_but_for_order(found, expected);
    return right ? "" : "not what the CPU makes of the same items";
  };
  return data;
}

// --- Libraries, which on the wall clock run until the host has the value
template <class Reduction>
auto first_of(job const& of) {
  return iterator_over<typename Reduction::Access>(as<typename Reduction::Key const>(of.data.in.keys));
}

template <class Sum>
columns on_host(Sum const& value, job& of) {
  *static_cast<Sum*>(of.data.on_host.get()) = value;
  return {of.data.on_host.get(), nullptr};
}

template <class Reduction>
std::vector<candidate> libraries() {
  using Op = typename Reduction::Op;
  using Sum = typename Reduction::Sum;
  auto const mgpu_reduce_into = [](auto const& policy, job& of) {
    auto const first = first_of<Reduction>(of);
    mgpu::reduce_into(policy, first, first + of.data.n, as<Sum>(of.data.work.keys), initial<Sum>(), Op{});
    return of.data.work;
  };
  auto const mgpu_reduce = [](job& of) {
    auto const first = first_of<Reduction>(of);
    return on_host(mgpu::reduce(mgpu::par.on(of.stream), first, first + of.data.n, initial<Sum>(), Op{}), of);
  };
  // Thrust only ever returns a value, so the device clock contains its way to the host.
  auto const thrust_reduce = [](auto const& policy, job& of) {
    auto const first = first_of<Reduction>(of);
    return on_host(thrust::reduce(policy, first, first + of.data.n, initial<Sum>(), Op{}), of);
  };
  auto const cub_reduce = [](void* temp, std::size_t& bytes, auto n, job& of) {
    Sum* const result = as<Sum>(of.data.work.keys);
    check(cub::DeviceReduce::Reduce(temp, bytes, first_of<Reduction>(of), result, n, Op{}, initial<Sum>(), of.stream),
          "CUB");
    return of.data.work;
  };

  std::vector<candidate> found = {with_mgpu(mgpu_reduce_into)};
  found.front().call = mgpu_reduce;
  // The peers ask for an operator that commutes, and reorder the items. With one that does not they still show what
  // that is worth, and their name says so.
  add_peers<u32, u64>(found, thrust_reduce, cub_reduce, commutes<Op> ? "" : "_unordered");
  for (candidate& each : found) {
    each.keeps_order = commutes<Op> || each.library == "mgpu";
    if (each.library.rfind("cub", 0) != 0) continue;
    each.call = and_wait([enqueue = each.enqueue](job& of) {
      void* const value = of.data.on_host.get();
      check(cudaMemcpyAsync(value, enqueue(of).keys, sizeof(Sum), cudaMemcpyDeviceToHost, of.stream),
            "cudaMemcpyAsync");
      return columns{value, nullptr};
    });
  }
  return found;
}

[[maybe_unused]] bool const added = add_problems(reductions{}, [](auto reduction_of) {
  using Reduction = decltype(reduction_of);
  constexpr bool is_main = std::is_same_v<Reduction, reduction<u32, plus>>;
  return one_pass_problem<Reduction>("reduce", generate_to_be_reduced<Reduction>, libraries<Reduction>(), is_main);
});

}  // namespace

}  // namespace perf
