// bench_reduce measures reductions of mgpu, Thrust and CUB; operations.h says which.
#include <operations.cuh>
#include <harness/libraries.cuh>
#include <mgpu/reduce.h>
#include <cub/device/device_reduce.cuh>
#include <thrust/reduce.h>

using namespace perf;

namespace {

// On the wall clock libraries run until the host has the value. Thrust only ever returns it, so for Thrust the device
// clock contains its way to the host, too.
[[maybe_unused]] bool const added = add_problems(reductions{}, [](auto reduction_of) {
  using Reduction = decltype(reduction_of);
  using Op = typename Reduction::Op;
  using Sum = typename Reduction::Sum;
  auto const reduce_to_host = [](auto const& policy, job& of) {
    using thrust::reduce;
    auto const first = items_of<Reduction>(of);
    of.result = &of.data.on_host;
    *as<Sum>(of.result->keys) = reduce(policy, first, first + of.data.n, initial<Sum>(), Op{});
  };
  auto const mgpu_reduce_into = [](auto const& policy, job& of) {
    auto const first = items_of<Reduction>(of);
    mgpu::reduce_into(policy, first, first + of.data.n, as<Sum>(of.result->keys), initial<Sum>(), Op{});
  };
  auto const cub_reduce = [](void* temp, std::size_t& bytes, auto n, job& of) {
    auto const first = items_of<Reduction>(of);
    return cub::DeviceReduce::Reduce(temp, bytes, first, as<Sum>(of.result->keys), n, Op{}, initial<Sum>(), stream());
  };

  problem of = one_pass_problem<Reduction>("reduce", generate_to_be_reduced<Reduction>);
  candidate mgpu = with_mgpu(mgpu_reduce_into);
  mgpu.call = [=](job& of) { reduce_to_host(mgpu::par.on(stream()), of); };
  // The peers ask for an operator that commutes, and reorder the items. With one that does not they still show what
  // that is worth, and their name says so.
  of.candidates = with_peers<u32, u64>(mgpu, reduce_to_host, cub_reduce, commutes<Op> ? "" : "_unordered");
  for (candidate& each : of.candidates) {
    each.keeps_order = commutes<Op> || each.library == "mgpu";
    if (each.call) continue;
    each.call = [enqueue = each.enqueue](job& of) {  // which for CUB is to copy the value
      enqueue(of);
      copy_async(of.data.on_host.keys.get(), of.result->keys.get(), sizeof(Sum));
      wait_for_stream();
      of.result = &of.data.on_host;
    };
  }
  return of;
});

}  // namespace
