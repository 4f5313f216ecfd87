// Formats a number as printf() does.
// host only
#pragma once

#include <array>
#include <cstdio>
#include <string>

namespace duomap::apps {

/// `format` has one conversion, for a double: "%.3g x". The result has at most 63 characters.
[[nodiscard]] inline std::string printed(const char* format, double value) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

}  // namespace duomap::apps
