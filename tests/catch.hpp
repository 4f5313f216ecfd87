// Includes Catch2, version 2 (Debian 12) or 3 (newer), and hides the few differences between the two.
#pragma once

#include <cstdint>
#include <string>

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#define DUOMAP_CATCH_VERSION 3
using Catch::Approx;  // as version 2 has it
#else
#include <catch2/catch.hpp>
#define DUOMAP_CATCH_VERSION 2
#endif

namespace duomap::test {

/// The seed of this run: printed at its start, repeated with `--rng-seed N`. Random tests derive theirs from
/// it.
[[nodiscard]] inline std::uint32_t seed() {
#if DUOMAP_CATCH_VERSION == 3
  return Catch::getSeed();
#else
  return Catch::rngSeed();
#endif
}

/// A matcher for texts that contain `part`: CHECK_THROWS_WITH(expression, contains("file.gz")).
[[nodiscard]] inline auto contains(const std::string& part) {
#if DUOMAP_CATCH_VERSION == 3
  return Catch::Matchers::ContainsSubstring(part);
#else
  return Catch::Matchers::Contains(part);
#endif
}

}  // namespace duomap::test
