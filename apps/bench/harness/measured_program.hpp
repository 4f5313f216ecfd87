// The program `duomap` where a benchmark starts it as a process of its own.
// host only
#pragma once

#include "apps/cli/other_program.hpp"

#include <string>

namespace duomap::apps {

/// Its path: beside this program, or in ../../bin, where it is installed.
/// @throws error when it is in neither place
[[nodiscard]] inline const std::string& measured_program() {
  static const std::string path = installed_file("duomap", "../../bin", "'./dev build' builds it");
  return path;
}

}  // namespace duomap::apps
