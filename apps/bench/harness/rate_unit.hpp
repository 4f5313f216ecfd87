// Units of rates, by the thousand.
// host only
#pragma once

#include <array>
#include <cstddef>
#include <string>

namespace duomap::apps {

/// Powers of 1000 that have names: 0 to 4.
inline constexpr std::size_t named_thousands = 5;

/// 1000^power of a unit in a second. Units that are symbols have prefixes, words have numerals: "GB/s",
/// "million points/s". Requires power < named_thousands.
[[nodiscard]] inline std::string rate_unit(const std::string& unit, std::size_t power) {
  static constexpr std::array<const char*, named_thousands> prefixes = {"", "k", "M", "G", "T"};
  static constexpr std::array<const char*, named_thousands> numerals = {"", "thousand ", "million ",
                                                                        "billion ", "trillion "};
  const bool symbol = unit == "B" || unit == "FLOP";
  return (symbol ? prefixes[power] : numerals[power]) + unit + "/s";
}

}  // namespace duomap::apps
