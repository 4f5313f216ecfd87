// Describes the build of this program, and the system it runs on, in a line each.
// host only
#pragma once

#include <string>

namespace duomap::apps {

/// The build as "g++ 12.2, Release, CUDA 13.0". Also says whether the build has no optimisation, has
/// sanitizers, or is a torture build.
[[nodiscard]] std::string build_text();

/// The kernel as "Linux 6.1.0-28-amd64 x86_64".
[[nodiscard]] std::string kernel_text();

}  // namespace duomap::apps
