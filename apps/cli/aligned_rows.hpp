// Aligns the rows of a result in columns, for people at a terminal.
// host only
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace duomap::apps {

/// The most rows that are aligned. Nobody reads the columns of larger results, and aligning keeps all rows in
/// memory.
inline constexpr std::uint64_t most_aligned_rows = 1000;

/// Aligns the columns of TSV rows with two blanks between them: numbers to the right, texts to the left.
/// Escapes control characters. A last column of text gets no blanks at its end.
[[nodiscard]] std::string aligned_rows(std::string_view tsv);

}  // namespace duomap::apps
