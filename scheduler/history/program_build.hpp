// Which build of which program this is.
#pragma once

#include <string>

namespace duomap::scheduler {

/// The build identifier that the linker put into the running program, in hexadecimal: another one for every
/// change of its code. Empty when there is none.
[[nodiscard]] std::string program_build();

}  // namespace duomap::scheduler
