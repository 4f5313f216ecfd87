// A fraction from 0 to 1, exactly as a user writes it.
// host only
#pragma once

#include <cstdint>
#include <string>

namespace duomap::apps {

/// digits / 10^scale, without zeros at its end.
struct decimal_fraction {
  std::int64_t digits = 0;
  unsigned scale = 0;  ///< at most 18

  friend bool operator==(const decimal_fraction&, const decimal_fraction&) = default;
};

/// Parses a decimal from 0 to 1 with at most 18 digits behind the point.
/// @throws usage_error for another text
[[nodiscard]] decimal_fraction parse_fraction(const std::string& text);
[[nodiscard]] std::string text_of(const decimal_fraction& fraction);

}  // namespace duomap::apps
