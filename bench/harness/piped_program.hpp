// Times a program as a user runs it, from its start until all its output is read.
// host only
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace duomap::apps {

/// The times and the output of one run of a program.
struct piped_run {
  double seconds = 0;            ///< wall-clock time
  double processor_seconds = 0;  ///< of all its threads, including the kernel's work for them
  std::uint64_t rows = 0;        ///< newlines on standard output
  int status = 0;                ///< exit status
  bool stopped = false;          ///< it took longer than its limit and was killed
};

/// @throws error when the status of the program at `path` is greater than `most`
void require_status(const piped_run& ended, const std::string& path, int most = 0);

/// The path of an installed program, found in PATH as a shell does; empty when it is not there.
[[nodiscard]] std::string find_program(const std::string& name);

/// Runs the program at `path` in the C locale, with arguments[0] as its name. Reads its output through a pipe
/// and discards its errors. Kills it if it has not closed its output after `most_seconds`.
/// @throws error when it cannot be started, or a signal from elsewhere ends it
[[nodiscard]] piped_run run_piped(const std::string& path, const std::vector<std::string>& arguments,
                                  double most_seconds = std::numeric_limits<double>::infinity());

}  // namespace duomap::apps
