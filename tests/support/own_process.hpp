// Runs a test in a process of its own, because the test damages a device or ends its process.
#pragma once

#include "tests/catch.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <string>

namespace duomap::test {

struct ended_process {
  int status = -1;  ///< exit status; 128 and more: killed by a signal, or 124 after 120 seconds
  std::string output;
};

/// `name` is a hidden test of this program, without a comma, at which Catch2 would split the name.
[[nodiscard]] inline ended_process run_in_own_process(const std::string& name) {
  std::array<char, 4096> program{};
  REQUIRE(::readlink("/proc/self/exe", program.data(), program.size() - 1) > 0);
  const std::string command = "timeout 120 '" + std::string(program.data()) + "' '" + name + "' --rng-seed " +
                              std::to_string(seed()) + " 2>&1";
  ended_process ended;
  FILE* const pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::array<char, 4096> some{};
  while (const std::size_t count = std::fread(some.data(), 1, some.size(), pipe))
    ended.output.append(some.data(), count);
  const int status = ::pclose(pipe);
  if (WIFEXITED(status)) ended.status = WEXITSTATUS(status);
  return ended;
}

/// Checks that such a test passes.
inline void check_own_process(const std::string& name) {
  const ended_process ended = run_in_own_process(name);
  INFO(ended.output);
  CHECK(ended.status == 0);
}

}  // namespace duomap::test
