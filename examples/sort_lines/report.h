// Tells the user on standard error how far the program is, and at the end how fast it was.
#pragma once
#include <unistd.h>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

using clock_time = std::chrono::steady_clock::time_point;

inline clock_time now() { return std::chrono::steady_clock::now(); }

inline double seconds(clock_time from, clock_time to) { return std::chrono::duration<double>(to - from).count(); }

// Shows a line that is written over while the work goes on, if somebody looks at it.
class progress_line {
 public:
  progress_line() = default;
  progress_line(progress_line const&) = delete;
  progress_line& operator=(progress_line const&) = delete;
  ~progress_line() {
    if (width_ > 0) std::fprintf(stderr, "\r%*s\r", width_, "");
  }

  // Says how much of it all is done, or only how much where it is not known what all is.
  void show(char const* doing, std::uint64_t done, std::uint64_t all) {
    if (!is_seen_) return;
    int const per_cent = all == 0 ? 0 : static_cast<int>(100. * static_cast<double>(done) / static_cast<double>(all));
    std::string const part = all == 0 ? "" : " (" + std::to_string(per_cent) + " %)";
    int const width = std::fprintf(stderr, "\rsort_lines: %s %llu MB%s", doing,
                                   static_cast<unsigned long long>(done / 1000000), part.c_str());
    if (width < width_) std::fprintf(stderr, "%*s", width_ - width, "");
    if (width > width_) width_ = width;
  }

 private:
  bool is_seen_ = isatty(STDERR_FILENO) != 0;
  int width_ = 0;
};

// Says who sorted how much, and how fast. `doing` ends in what took so many seconds.
inline void report_sort(std::string const& device, std::uint64_t lines, std::uint64_t bytes, char const* doing,
                        double took) {
  std::fprintf(stderr, "sort_lines: device: %s\n", device.c_str());
  std::fprintf(stderr, "sort_lines: %llu lines, %llu bytes\n", static_cast<unsigned long long>(lines),
               static_cast<unsigned long long>(bytes));
  if (lines == 0) return;
  std::fprintf(stderr, "sort_lines: %s %.3f ms, %.1f million lines/s, %.1f MB/s\n", doing, took * 1e3,
               static_cast<double>(lines) / took * 1e-6, static_cast<double>(bytes) / took * 1e-6);
}
