// Plain programs for the training of naive Bayes: what duomap is measured against, and what its counts are
// compared with. host only
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace duomap::apps {

/// Rows by "COLUMN CLASS CATEGORY", columns counted from 0.
using category_rows = std::unordered_map<std::string, std::uint64_t>;

/// The key of category_rows.
[[nodiscard]] std::string category_key(std::uint64_t column, std::string_view of_class,
                                       std::string_view category);

/// Counts a table of lines with `columns` fields without quotes or blanks, the class in the last: one thread,
/// one std::unordered_map keyed by strings, as everybody writes it first.
[[nodiscard]] category_rows count_categories_in_one_loop(std::string_view table, std::uint64_t columns,
                                                         char delimiter);

/// The same with plain oneTBB: a map for each thread, merged at the end by one.
[[nodiscard]] category_rows count_categories_with_tbb(std::string_view table, std::uint64_t columns,
                                                      char delimiter, unsigned threads);

}  // namespace duomap::apps
