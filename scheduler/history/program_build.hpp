// Identifies the build of the running program.
#pragma once

#include <string>

namespace duomap::scheduler {

/// The build identifier that the linker put into the running program, in hexadecimal. It changes with every
/// change of the code. It is empty if there is none.
[[nodiscard]] std::string program_build();

}  // namespace duomap::scheduler
