// Changes standard input, limits and rights of the process for the length of a test.
#pragma once

#include "core/file_descriptor.hpp"
#include "tests/catch.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace duomap::test {

// "some text\n", compressed by the gzip and zstd programs.
inline constexpr std::string_view gzip_text(
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x2b\xce\xcf\x4d\x55\x28\x49\xad\x28\xe1\x02\x00\xbc\xe6\x2c\x19"
    "\x0a\x00\x00\x00",
    30);
inline constexpr std::string_view zstd_text("\x28\xb5\x2f\xfd\x00\x58\x51\x00\x00some text\n", 19);

/// Makes a descriptor standard input as long as the object lives.
class redirected {
 public:
  explicit redirected(const file_descriptor& file) : before_(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)) {
    if (file) {
      REQUIRE(::dup2(file.get(), STDIN_FILENO) == STDIN_FILENO);
    } else {
      ::close(STDIN_FILENO);
    }
  }
  redirected(const redirected&) = delete;
  redirected& operator=(const redirected&) = delete;
  ~redirected() {
    if (before_) {
      ::dup2(before_.get(), STDIN_FILENO);
    } else {
      ::close(STDIN_FILENO);
    }
  }

 private:
  file_descriptor before_;
};

/// The reading end of a pipe that holds a text and has no writer any more.
[[nodiscard]] inline file_descriptor pipe_with(std::string_view text) {
  int ends[2];
  REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
  file_descriptor out(ends[0]);
  const file_descriptor in(ends[1]);
  REQUIRE(::write(in.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  return out;
}

/// A thread that opens a FIFO, which waits for its reader, then writes the text and closes the FIFO.
[[nodiscard]] inline std::thread writer_of(const std::string& fifo, std::string text) {
  return std::thread([fifo, text = std::move(text)] {
    const file_descriptor in(::open(fifo.c_str(), O_WRONLY | O_CLOEXEC));
    std::string_view left = text;
    while (!left.empty()) {
      const ssize_t count = ::write(in.get(), left.data(), left.size());
      if (count <= 0) {
        return;
      }
      left.remove_prefix(static_cast<std::size_t>(count));
    }
  });
}

/// Sets the limit of open files as long as the object lives.
class descriptor_limit {
 public:
  explicit descriptor_limit(rlim_t count) {
    REQUIRE(::getrlimit(RLIMIT_NOFILE, &before_) == 0);
    rlimit lower = before_;
    lower.rlim_cur = count;
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &lower) == 0);
  }
  descriptor_limit(const descriptor_limit&) = delete;
  descriptor_limit& operator=(const descriptor_limit&) = delete;
  ~descriptor_limit() { ::setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

/// Limits the address space to `more` bytes above today's use, as long as the object lives.
class address_space_limit {
 public:
  explicit address_space_limit(std::uint64_t more) {
    std::uint64_t pages = 0;
    REQUIRE(std::ifstream("/proc/self/statm") >> pages);
    REQUIRE(::getrlimit(RLIMIT_AS, &before_) == 0);
    rlimit lower = before_;
    lower.rlim_cur = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) + more;
    REQUIRE(::setrlimit(RLIMIT_AS, &lower) == 0);
  }
  address_space_limit(const address_space_limit&) = delete;
  address_space_limit& operator=(const address_space_limit&) = delete;
  ~address_space_limit() { ::setrlimit(RLIMIT_AS, &before_); }

 private:
  rlimit before_{};
};

/// Drops root's right to read everything as long as the object lives; `works` is false if that fails.
class unprivileged {
 public:
  unprivileged() : works(::geteuid() != 0 || ::seteuid(65'534) == 0) {}
  unprivileged(const unprivileged&) = delete;
  unprivileged& operator=(const unprivileged&) = delete;
  ~unprivileged() {
    if (::getuid() == 0 && ::seteuid(0) != 0) {
      std::abort();
    }
  }

  bool works;
};

}  // namespace duomap::test
