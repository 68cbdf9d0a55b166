// Reads a text, finds its lines, and writes them out again.
#pragma once
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "line.h"

struct close_file {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using owned_file = std::unique_ptr<std::FILE, close_file>;

[[noreturn]] inline void throw_file_error(std::string const& path) {
  throw std::runtime_error(path + ": " + std::strerror(errno));
}

inline unsigned char const* bytes_of(std::string const& text) {
  return reinterpret_cast<unsigned char const*>(text.data());
}

// Returns the whole file, with a newline added at the end if it lacks one.
inline std::string read_text(std::string const& path) {
  owned_file const file(std::fopen(path.c_str(), "rb"));
  if (!file) throw_file_error(path);

  std::string text;
  std::error_code no_size;  // a pipe has none: the text then grows as it comes
  auto const size = std::filesystem::file_size(path, no_size);
  if (!no_size) {
    if (size >= text.max_size()) throw std::bad_alloc();
    text.reserve(size + 1);  // all at once, so that a file too large for the memory fails before it is read
  }
  std::vector<char> chunk(std::size_t(1) << 20);
  while (std::size_t const count = std::fread(chunk.data(), 1, chunk.size(), file.get()))
    text.append(chunk.data(), count);
  if (std::ferror(file.get())) throw_file_error(path);

  if (!text.empty() && text.back() != '\n') text.push_back('\n');
  return text;
}

inline std::vector<line> find_lines(std::string const& text) {
  std::vector<line> lines;
  for (std::size_t begin = 0; begin < text.size(); begin = text.find('\n', begin) + 1)
    lines.push_back(make_line(bytes_of(text), begin));
  return lines;
}

// Writes to standard output if the path is empty.
inline void write_lines(std::string const& path, std::string const& text, std::vector<line> const& lines) {
  std::string const name = path.empty() ? "standard output" : path;
  owned_file const opened(path.empty() ? nullptr : std::fopen(path.c_str(), "wb"));
  std::FILE* const file = path.empty() ? stdout : opened.get();
  if (!file) throw_file_error(name);

  for (line const& l : lines) {
    std::size_t const size = text.find('\n', l.offset) + 1 - l.offset;
    if (std::fwrite(text.data() + l.offset, 1, size, file) != size) throw_file_error(name);
  }
  if (std::fflush(file) != 0) throw_file_error(name);  // the disk may be full
}
