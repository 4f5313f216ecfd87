// Makes tables of categories for benchmarks.
// host only
#pragma once

#include <cstdint>
#include <string>

namespace duomap::apps {

/// Fields of a row: five attributes with three categories each, and a label with two classes. They make the
/// 30 keys (class, attribute, category) of Chen & Agrawal, section 4.1.
inline constexpr std::uint64_t columns_of_thirty_keys = 6;

/// Returns at least `bytes` bytes of random rows with these columns, with commas between fields. The same
/// seed gives the same rows.
[[nodiscard]] std::string synthetic_categories(std::uint64_t bytes, std::uint64_t seed);

}  // namespace duomap::apps
