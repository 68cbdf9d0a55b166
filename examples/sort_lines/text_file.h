// Reads and writes files of text piece by piece.
#pragma once
#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>

struct close_file {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using owned_file = std::unique_ptr<std::FILE, close_file>;

[[noreturn]] inline void throw_file_error(std::string const& path) {
  throw std::runtime_error(path + ": " + std::strerror(errno));
}

// A program may be started without standard streams. A file must not be opened in the place of one, as what is meant for
// that stream would then go to the file. So what is not open becomes a stream that can neither be read nor written.
inline void hold_standard_streams() {
  for (int const descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) != -1) continue;
    // The lowest one that is free is taken.
    static_cast<void>(open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY));
  }
}

class input_file {
 public:
  explicit input_file(std::string const& path) : path_(path), file_(std::fopen(path.c_str(), "rb")) {
    if (!file_) throw_file_error(path_);
    std::setvbuf(file_.get(), nullptr, _IONBF, 0);  // what is read in large pieces need not be copied once more
    std::error_code no_size;
    auto const size = std::filesystem::file_size(path, no_size);
    if (!no_size) size_ = size;
  }

  // Returns the file's size, or 0 if it has none, as a pipe.
  std::uint64_t size() const { return size_; }

  // Reads as many bytes, or what there is up to the end. Returns how many these are.
  std::size_t read(char* bytes, std::size_t count) {
    std::size_t const got = std::fread(bytes, 1, count, file_.get());
    if (std::ferror(file_.get())) throw_file_error(path_);
    return got;
  }

 private:
  std::string path_;
  owned_file file_;
  std::uint64_t size_ = 0;
};

class output_file {
 public:
  // Writes to standard output if the path is empty.
  explicit output_file(std::string const& path)
      : path_(path.empty() ? "standard output" : path),
        opened_(path.empty() ? nullptr : std::fopen(path.c_str(), "wb")),
        file_(path.empty() ? stdout : opened_.get()) {
    if (!file_) throw_file_error(path_);
  }

  void write(char const* bytes, std::size_t count) {
    if (std::fwrite(bytes, 1, count, file_) != count) throw_file_error(path_);
  }

  // Closes the file, and throws if not all is where it should be: the disk may be full, which some file systems tell
  // only now.
  void finish() {
    static_cast<void>(opened_.release());
    if (std::fclose(file_) != 0) throw_file_error(path_);
  }

 private:
  std::string path_;
  owned_file opened_;
  std::FILE* file_;
};
