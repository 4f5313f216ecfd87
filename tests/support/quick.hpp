// Tells whether tests should be short.
#pragma once

#include <cstdlib>

namespace duomap::test {

/// True in builds that are several times slower (tests/CMakeLists.txt), where a part of an input is enough.
[[nodiscard]] inline bool quick() { return std::getenv("DUOMAP_QUICK") != nullptr; }

}  // namespace duomap::test
