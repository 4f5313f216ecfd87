// The version of this source tree. CMake reads it from here, and no other file has it.
#pragma once

#include <string_view>

namespace duomap {

/// Major, minor and patch number.
inline constexpr std::string_view version = "0.1.0";

}  // namespace duomap
