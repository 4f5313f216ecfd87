// A short time in a message.
#pragma once

#include <array>
#include <charconv>
#include <string>

namespace duomap {

/// Three digits: "0.531 ms", "46.1 ms".
[[nodiscard]] inline std::string milliseconds_text(double seconds) {
  std::array<char, 32> text;
  const auto [end, problem] =
      std::to_chars(text.data(), text.data() + text.size(), seconds * 1e3, std::chars_format::general, 3);
  std::string shown(text.data(), end);
  return shown += " ms";
}

}  // namespace duomap
