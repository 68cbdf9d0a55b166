// bench_text measures the sort of lines of text by the comparator of the example sort_lines, which follows pointers into the
// text, in the GPU's memory, where the first seven bytes of two lines are alike.
#include <sorts.cuh>
#include <harness/data.cuh>
#include <harness/text.h>
#include <sort_lines/line.h>

namespace perf {

namespace {

__global__ void write_lines_kernel(unsigned char* text, line* lines, std::int64_t n) {
  for (std::int64_t i = first_item(); i < n; i += item_stride()) {
    u64 const offset = static_cast<u64>(i) * bytes_of_slot;
    write_line(text + offset, static_cast<u64>(i), static_cast<u64>(n));
    lines[i] = make_line(text, offset);
  }
}

// The text lies where other inputs have their values.
line_less less_of(input const& data) { return {as<unsigned char const>(data.in.values)}; }

// A function of its own: nvcc does not give a kernel of a lambda within a lambda one name in host and device code.
u64 misplaced_lines(line const* lines, std::int64_t n, line_less less, cudaStream_t stream) {
  auto const breach = [=] __device__(std::int64_t i) {
    line const a = lines[i], b = lines[i + 1];
    return less(b, a) || (!less(a, b) && a.offset >= b.offset) ? 1 : 0;
  };
  return sum_on_gpu(n - 1, stream, breach);
}

input generate_lines(distribution, std::int64_t n, cudaStream_t stream) {
  input data = allocate_columns<line, none>(n, n, 0);
  data.in_place = true;
  data.owners.push_back(device_memory(static_cast<std::size_t>(n) * bytes_of_slot));
  data.in.values = data.owners.back().get();
  write_lines_kernel<<<num_blocks, threads_per_block, 0, stream>>>(as<unsigned char>(data.in.values),
                                                                   as<line>(data.in.keys), n);
  check(cudaGetLastError(), "write_lines_kernel");
  u64 const hash = hash_of_items<line, none>({data.in.keys, nullptr}, n, stream);
  data.verify = [n, hash, less = less_of(data)](columns result, bool, cudaStream_t stream) -> std::string {
    // The comparator follows what says where a line is, so that is looked at first.
    if (hash_of_items<line, none>(result, n, stream) != hash) return "lines are missing, doubled or altered";
    bool const is_sorted = misplaced_lines(as<line const>(result.keys), n, less, stream) == 0;
    return is_sorted ? "" : "lines stand before one that belongs before them";
  };
  return data;
}

[[maybe_unused]] bool const added = add_problems(std::tuple<line>{}, [](line) {
  problem of{"sort", "line", "none", "custom", sizeof(line) + bytes_of_slot, generate_lines};
  of.candidates = candidates_for_sorting<line, none>([](job const& of) { return less_of(of.data); });
  of.distributions = {distribution::uniform};
  of.by_default = [](distribution, std::int64_t n) { return n >= std::int64_t{1} << 16 && is_even_power(n); };
  return of;
});

}  // namespace

}  // namespace perf
