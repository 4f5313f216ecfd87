// Writes numbers with units for people. Prefixes are decimal: 1 MB is 1,000,000 bytes.
// host only
#pragma once

#include <cstdint>
#include <string>

namespace duomap::apps {

/// A count as "1,234,567".
[[nodiscard]] std::string count_text(std::uint64_t count);

/// A count and its noun, in the plural unless the count is 1: "1 file", "2 files".
[[nodiscard]] std::string count_text(std::uint64_t count, const std::string& noun);

/// An amount with three significant digits: "0 B", "999 B", "1.23 MB", "45.6 GB".
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);

/// The unit in which an input is counted.
enum class input_unit { bytes, indices };

/// bytes_text(), or "1,234,567 indices".
[[nodiscard]] std::string amount_text(std::uint64_t units, input_unit unit);

/// A rate as "1.23 GB/s" or "1.23 G indices/s"; "-" when no time has passed.
[[nodiscard]] std::string rate_text(std::uint64_t units, double seconds, input_unit unit = input_unit::bytes);

/// A duration as "12.3 ms", "4.56 s", "2 min 03 s" or "1 h 05 min".
[[nodiscard]] std::string duration_text(double seconds);

/// A measured time, for tables: "2.60 us", "1.23 ms", "4.56 s".
[[nodiscard]] std::string time_text(double seconds);

}  // namespace duomap::apps
