// Tells whether tests should be short.
#pragma once

#include <cstdlib>

namespace duomap::test {

/// True in builds that run several times slower (tests/CMakeLists.txt): a part of an input is enough there.
[[nodiscard]] inline bool quick() { return std::getenv("DUOMAP_QUICK") != nullptr; }

}  // namespace duomap::test
