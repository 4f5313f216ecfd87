// Plain programs for the training of naive Bayes: what duomap is measured against, and what its counts are
// compared with. host only
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace duomap::apps {

/// Rows by "COLUMN CLASS CATEGORY", columns counted from 0.
using category_rows = std::unordered_map<std::string, std::uint64_t>;

/// The key of category_rows.
[[nodiscard]] std::string category_key(std::uint64_t column, std::string_view of_class,
                                       std::string_view category);

/// Lines of fields without quotes.
struct category_table {
  std::uint64_t columns;
  char delimiter;
  std::uint64_t label;                    ///< the column with the class
  std::vector<std::uint64_t> attributes;  ///< the columns that are counted
};

/// A table with the class in the last column, all others attributes.
[[nodiscard]] category_table class_in_last_of(std::uint64_t columns, char delimiter);

/// Counts a table: one thread, one std::unordered_map keyed by strings, as everybody writes it first. Blanks
/// before a field and empty lines are left out.
[[nodiscard]] category_rows count_categories_in_one_loop(std::string_view text, const category_table& table);

/// The same with plain oneTBB: a map for each thread, merged at the end by one.
[[nodiscard]] category_rows count_categories_with_tbb(std::string_view text, const category_table& table,
                                                      unsigned threads);

}  // namespace duomap::apps
