// The version of this source tree.
#pragma once

#include <string_view>

namespace duomap {

/// Major, minor and patch number; the build checks that CMake's project version is the same.
inline constexpr std::string_view version = "0.1.0";

}  // namespace duomap
