// Finds the program `duomap`, for benchmarks that start it as a process.
// host only
#pragma once

#include "apps/cli/other_program.hpp"

#include <string>

namespace duomap::apps {

/// The path of `duomap`: beside this program, or in ../../bin when installed.
/// @throws error when it is in neither place
[[nodiscard]] inline const std::string& measured_program() {
  static const std::string path = installed_file("duomap", "../../bin", "'./dev build' builds it");
  return path;
}

}  // namespace duomap::apps
