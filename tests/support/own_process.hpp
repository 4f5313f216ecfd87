// Runs a test case in a process of its own, so that other tests are safe from its changes to a device, or
// from the end of the process.
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

/// `name`: of a hidden test case of this program, without a comma, which Catch2 would split it at.
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

/// That such a case passes.
inline void check_own_process(const std::string& name) {
  const ended_process ended = run_in_own_process(name);
  INFO(ended.output);
  CHECK(ended.status == 0);
}

}  // namespace duomap::test
