// Does the whole job on the CPU, for machines without a GPU.
#pragma once
#include <mgpu/execution_policy.h>
#include <mgpu/sort.h>
#include <cstdint>
#include <new>
#include <string>
#include <vector>
#include "line.h"
#include "number.h"
#include "options.h"
#include "report.h"
#include "text_file.h"

// Returns the whole file, with a newline added at the end if it lacks one.
inline std::string read_text(std::string const& path) {
  input_file file(path);
  std::string text;
  if (file.size() >= text.max_size()) throw std::bad_alloc();
  text.reserve(file.size() + 1);  // all at once, so that a file too large for the memory fails before it is read
  std::vector<char> piece(std::size_t{1} << 20);
  while (std::size_t const count = file.read(piece.data(), piece.size())) text.append(piece.data(), count);
  if (!text.empty() && text.back() != '\n') text.push_back('\n');
  return text;
}

inline void sort_on_host(options const& wanted) {
  std::string const text = read_text(wanted.input);
  auto const* const bytes = reinterpret_cast<unsigned char const*>(text.data());
  std::vector<line> lines;
  for (std::size_t begin = 0; begin < text.size(); begin = text.find('\n', begin) + 1)
    lines.push_back(make_line(bytes, begin));

  auto const start = now();
  if (wanted.key == 0) {
    mgpu::stable_sort(mgpu::host, lines.begin(), lines.end(), in_direction<line_less>{{bytes}, wanted.reverse});
  } else {
    std::vector<number> keys;
    keys.reserve(lines.size());
    for (line const& l : lines) keys.push_back(parse_number(bytes, l.offset, wanted.key));
    mgpu::stable_sort_by_key(mgpu::host, keys.begin(), keys.end(), lines.begin(),
                             in_direction<number_less>{{bytes}, wanted.reverse});
  }
  auto const end = now();

  output_file file(wanted.output);
  for (line const& l : lines) file.write(text.data() + l.offset, text.find('\n', l.offset) + 1 - l.offset);
  file.finish();

  report_sort("CPU", lines.size(), text.size(), "sort", seconds(start, end));
}
