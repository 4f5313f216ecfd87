// A short time in a message.
#pragma once

#include <array>
#include <cstdio>
#include <string>

namespace duomap {

/// Three digits: "0.531 ms", "46.1 ms".
[[nodiscard]] inline std::string milliseconds_text(double seconds) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.3g ms", seconds * 1e3);
  return text.data();
}

}  // namespace duomap
