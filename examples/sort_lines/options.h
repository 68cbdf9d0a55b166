// Reads the command line of sort_lines.
#pragma once
#include <charconv>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

inline constexpr char usage[] =
    R"(usage: sort_lines [--key=N] [--reverse] [--output=FILE] [--device=auto|gpu|host] FILE
Sorts the lines of FILE by their bytes, as `LC_ALL=C sort -s` does.
  --key=N        by the number in column N instead, as `LC_ALL=C sort -s -n -k N,N`
  --reverse      largest first; equal lines keep their order
  --output=FILE  write there instead of to standard output; may be the input file, as nothing is written before all
                 is sorted
  --device=WHERE sort on the gpu or on the host's CPU; auto, the default, is the GPU if there is one
  --piece=BYTES  how much of FILE is copied to the GPU and sorted while the next is read; 64000000 is the default
  --help         print this
Lines may be of any length, but on a GPU one thread compares two of them: where many have a megabyte in common, or one
is larger than that, the CPU is faster.
)";

struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class device_choice { automatic, gpu, host };

struct options {
  std::string input;
  std::string output;     // standard output if it is empty
  std::uint64_t key = 0;  // the column, of which the first is 1; 0 is the whole line
  bool reverse = false;
  device_choice device = device_choice::automatic;
  std::uint64_t piece = 64000000;
  bool help = false;
};

inline std::uint64_t parse_positive(std::string const& option, std::string_view word) {
  std::uint64_t number = 0;
  auto const [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size() || number == 0)
    throw usage_error(option + " wants a number from 1 on, not '" + std::string(word) + "'");
  return number;
}

inline device_choice parse_device(std::string_view word) {
  if (word == "auto") return device_choice::automatic;
  if (word == "gpu") return device_choice::gpu;
  if (word == "host") return device_choice::host;
  throw usage_error("--device wants auto, gpu or host, not '" + std::string(word) + "'");
}

inline options parse_options(int argc, char** argv) {
  options result;
  for (int i = 1; i < argc; ++i) {
    std::string_view const word = argv[i];
    // Tells whether the word is this option, and gets its value.
    std::string_view value;
    auto const is = [&](std::string_view option) {
      if (word.substr(0, option.size()) != option) return false;
      value = word.substr(option.size());
      return true;
    };
    if (word == "--help") {
      result.help = true;
    } else if (word == "--reverse") {
      result.reverse = true;
    } else if (is("--key=")) {
      result.key = parse_positive("--key", value);
    } else if (is("--piece=")) {
      result.piece = parse_positive("--piece", value);
    } else if (is("--device=")) {
      result.device = parse_device(value);
    } else if (is("--output=")) {
      if (value.empty()) throw usage_error("--output wants a file");
      result.output = value;
    } else if (is("-")) {
      throw usage_error("unknown option '" + std::string(word) + "'");
    } else if (word.empty() || !result.input.empty()) {
      throw usage_error(word.empty() ? "the file's name is empty" : "one file only");
    } else {
      result.input = word;
    }
  }
  if (result.input.empty() && !result.help) throw usage_error("which file?");
  return result;
}
