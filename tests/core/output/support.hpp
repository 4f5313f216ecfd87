// Helpers for tests of the output and of the command line: files, pipes, captured descriptors.
#pragma once

#include "core/file_descriptor.hpp"
#include "core/output/byte_sink.hpp"
#include "tests/core/input/support.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace duomap::test {

inline std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The names in a folder, sorted.
inline std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.push_back(entry.path().filename().native());
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// The two ends of a pipe.
struct pipe_ends {
  file_descriptor read;
  file_descriptor write;

  pipe_ends() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) {
      throw std::runtime_error("no pipe");
    }
    read = file_descriptor(ends[0]);
    write = file_descriptor(ends[1]);
  }

  /// Closes the write end, then reads until no writer is left.
  std::string drain() {
    write = file_descriptor();
    std::string text;
    char buffer[4096];
    for (ssize_t count = 0; (count = ::read(read.get(), buffer, sizeof buffer)) > 0;) {
      text.append(buffer, static_cast<std::size_t>(count));
    }
    return text;
  }
};

/// Ignores a signal as long as the object lives.
class ignored_signal {
 public:
  explicit ignored_signal(int signal) : signal_(signal), before_(std::signal(signal, SIG_IGN)) {}
  ignored_signal(const ignored_signal&) = delete;
  ignored_signal& operator=(const ignored_signal&) = delete;
  ~ignored_signal() { std::signal(signal_, before_); }

 private:
  int signal_;
  void (*before_)(int);
};

/// Calls `write` with a sink over an empty file, and returns the file's content afterwards.
inline std::string written(const std::function<void(byte_sink&)>& write) {
  const temporary_folder folder;
  const std::string path = folder.write("out", "");
  const file_descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  byte_sink sink(file.get(), "the file");
  write(sink);
  sink.flush();
  return content(path);
}

/// How a child process ended, and its standard error. A child whose body returns has status 0.
struct child_end {
  bool exited = false;
  int status = -1;  ///< exit status, or the signal that ended it
  std::string error_output;
};

inline child_end in_child(const std::function<void()>& body) {
  pipe_ends error_output;
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(error_output.write.get(), STDERR_FILENO);
    try {
      body();
    } catch (...) {
      ::_exit(99);
    }
    ::_exit(0);
  }
  child_end end;
  end.error_output = error_output.drain();
  int status = 0;
  ::waitpid(child, &status, 0);
  end.exited = WIFEXITED(status);
  end.status = end.exited ? WEXITSTATUS(status) : WTERMSIG(status);
  return end;
}

}  // namespace duomap::test
