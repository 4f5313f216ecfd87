// Names units of rates, by powers of 1000.
// host only
#pragma once

#include <array>
#include <cstddef>
#include <string>

namespace duomap::apps {

/// The number of powers of 1000 with names: 0 to 4.
inline constexpr std::size_t named_thousands = 5;

/// The name of 1000^power of a unit per second. A unit that is a symbol gets a prefix, a word gets a numeral:
/// "GB/s", "million points/s". Requires power < named_thousands.
[[nodiscard]] inline std::string rate_unit(const std::string& unit, std::size_t power) {
  static constexpr std::array<const char*, named_thousands> prefixes = {"", "k", "M", "G", "T"};
  static constexpr std::array<const char*, named_thousands> numerals = {"", "thousand ", "million ",
                                                                        "billion ", "trillion "};
  const bool symbol = unit == "B" || unit == "FLOP";
  return (symbol ? prefixes[power] : numerals[power]) + unit + "/s";
}

}  // namespace duomap::apps
