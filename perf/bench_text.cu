// bench_text measures the sort of lines of text by the comparator of the example sort_lines, which follows pointers
// into the text, in the GPU's memory, where the first seven bytes of two lines are alike.
#include <sorts.cuh>
#include <sort_lines/line.h>

using namespace perf;

namespace {

// The text lies where other inputs have their values.
line_less less_of(input const& data) { return {as<unsigned char const>(data.in.values)}; }

// Equal lines are in order if they stand as in the text.
struct less_or_earlier {
  line_less less;

  __host__ __device__ bool operator()(line const& a, line const& b) const {
    return less(a, b) || (!less(b, a) && a.offset < b.offset);
  }
};

input generate_lines(distribution, std::int64_t n) {
  input data{n, allocate_columns(n * sizeof(line), 0), allocate_columns(n * sizeof(line), 0), true};
  data.in.values = device_memory(n * bytes_of_slot);
  auto* const text = as<unsigned char>(data.in.values);
  fill_column<line>(data.in.keys, n, [=] __device__(u64 i) -> line {
    write_line(text + i * bytes_of_slot, i, n);
    return make_line(text, i * bytes_of_slot);
  });
  expect_sorted<line, none>(data, less_or_earlier{less_of(data)});
  return data;
}

[[maybe_unused]] bool const added = add_problems(std::tuple<line>{}, [](line) {
  problem of{"sort", "line", "none", "custom", sizeof(line) + bytes_of_slot, generate_lines};
  of.candidates = candidates_for_sorting<line, none>([](job const& of) { return less_of(of.data); });
  of.add_inputs({distribution::uniform},
                [](distribution, std::int64_t n) { return n >= 1 << 16 && is_even_power(n); });
  return of;
});

}  // namespace
