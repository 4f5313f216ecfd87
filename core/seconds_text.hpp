// Writes a time for a message.
#pragma once

#include <array>
#include <charconv>
#include <string>

namespace duomap {

/// A time with up to three digits, for messages: "0.531 ms", "46.1 ms", "1.2 s".
[[nodiscard]] inline std::string seconds_text(double seconds) {
  // A time from here on is written in seconds: as milliseconds it would be "1e+03".
  const bool long_time = seconds >= 0.9995;
  const double number = long_time ? seconds : seconds * 1e3;
  std::array<char, 32> text;
  char* const end =
      number < 1000
          ? std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::general, 3).ptr
          : std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed, 0).ptr;
  return std::string(text.data(), end) + (long_time ? " s" : " ms");
}

}  // namespace duomap
