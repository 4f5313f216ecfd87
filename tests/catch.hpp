// Includes Catch2, version 2 (Debian 12) or 3, and hides the few differences.
#pragma once

#include <cstdint>
#include <string>

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#define DUOMAP_CATCH_VERSION 3
using Catch::Approx;  // the name in version 2
#else
#include <catch2/catch.hpp>
#define DUOMAP_CATCH_VERSION 2
#endif

namespace duomap::test {

/// The seed of this run, which random tests use. It is printed at the start; `--rng-seed N` repeats it.
[[nodiscard]] inline std::uint32_t seed() {
#if DUOMAP_CATCH_VERSION == 3
  return Catch::getSeed();
#else
  return Catch::rngSeed();
#endif
}

/// Matches texts that contain `part`: CHECK_THROWS_WITH(expression, contains("file.gz")).
[[nodiscard]] inline auto contains(const std::string& part) {
#if DUOMAP_CATCH_VERSION == 3
  return Catch::Matchers::ContainsSubstring(part);
#else
  return Catch::Matchers::Contains(part);
#endif
}

}  // namespace duomap::test
