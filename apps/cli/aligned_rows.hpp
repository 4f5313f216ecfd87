// Rows of a result in columns, for people at a terminal.
// host only
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace duomap::apps {

/// With more rows than this nobody looks at columns, and all rows are kept in memory to align them.
inline constexpr std::uint64_t most_aligned_rows = 1000;

/// Rows of TSV with their columns aligned, two blanks between them: numbers to the right, texts to the left.
/// Control characters are escaped. A last column of text is not filled up.
[[nodiscard]] std::string aligned_rows(std::string_view tsv);

}  // namespace duomap::apps
