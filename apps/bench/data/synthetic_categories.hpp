// Tables of categories for benchmarks.
// host only
#pragma once

#include <cstdint>
#include <string>

namespace duomap::apps {

/// Fields of a row: five attributes of three categories, and a label of two classes. That makes the 30 keys
/// (class, attribute, category) of Chen & Agrawal, section 4.1.
inline constexpr std::uint64_t columns_of_thirty_keys = 6;

/// Such rows with commas between fields, drawn uniformly, at least `bytes` bytes. Same seed, same rows.
[[nodiscard]] std::string synthetic_categories(std::uint64_t bytes, std::uint64_t seed);

}  // namespace duomap::apps
