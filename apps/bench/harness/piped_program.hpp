// Another program, or this one, measured as a user runs it: from its start until all its output is read.
// host only
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace duomap::apps {

/// What one run of a program took and wrote.
struct piped_run {
  double seconds = 0;            ///< by the clock
  double processor_seconds = 0;  ///< of all its threads, the kernel's work for them included
  std::uint64_t rows = 0;        ///< newlines on standard output
  int status = 0;                ///< exit status
  bool stopped = false;          ///< it was ended because it took longer than it may
};

/// @throws error when the program at `path` ended with a greater status
void require_status(const piped_run& ended, const std::string& path, int most = 0);

/// Where a program is that people install, as the shell would find it; empty when it is not there.
[[nodiscard]] std::string find_program(const std::string& name);

/// Runs the program at `path` with arguments[0] as its name, its output read through a pipe, its errors
/// thrown away, in the C locale. One that has not closed its output after `most_seconds` is killed.
/// @throws error when it cannot be started or is ended by a signal of somebody else
[[nodiscard]] piped_run run_piped(const std::string& path, const std::vector<std::string>& arguments,
                                  double most_seconds = std::numeric_limits<double>::infinity());

}  // namespace duomap::apps
