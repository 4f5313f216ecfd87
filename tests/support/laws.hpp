// Finds the laws of a task that verify() has checked.
#pragma once

#include "core/verify/laws.hpp"
#include "tests/catch.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace duomap::test {

/// Finds the check of one law; the test fails without one.
inline law_check check_of(const std::vector<law_check>& checks, std::string_view law) {
  for (const law_check& check : checks) {
    if (check.law == law) return check;
  }
  FAIL("verify() has no law '" << law << "'");
  return law_check("");
}

inline std::vector<std::string> broken_laws(const std::vector<law_check>& checks) {
  std::vector<std::string> broken;
  for (const law_check& check : checks) {
    if (!check.holds()) broken.push_back(check.law);
  }
  return broken;
}

}  // namespace duomap::test
