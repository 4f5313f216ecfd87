// How this program was built, and what it runs on, in a line each.
// host only
#pragma once

#include <string>

namespace duomap::apps {

/// "g++ 12.2, Release, CUDA 13.0"; names what is not optimised, sanitizers and a torture build, too.
[[nodiscard]] std::string build_text();

/// "Linux 6.1.0-28-amd64 x86_64".
[[nodiscard]] std::string kernel_text();

}  // namespace duomap::apps
