// The program `duomap` where a benchmark starts it as a process of its own.
// host only
#pragma once

#include <string>

namespace duomap::apps {

/// Its path: beside this program, or in ../../bin, where it is installed.
/// @throws error when it is in neither place
[[nodiscard]] const std::string& measured_program();

}  // namespace duomap::apps
