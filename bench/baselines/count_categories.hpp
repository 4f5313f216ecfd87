// Declares plain functions for the training of naive Bayes: the baseline for duomap's speed and the reference
// for its counts.
// host only
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace duomap::apps {

/// Maps each key "COLUMN CLASS CATEGORY" to the number of rows that have it. Columns are counted from 0.
using category_rows = std::unordered_map<std::string, std::uint64_t>;

/// Writes a key of category_rows.
[[nodiscard]] std::string category_key(std::uint64_t column, std::string_view of_class,
                                       std::string_view category);

/// Says which columns of a table hold the class and the attributes. No field has quotes.
struct category_table {
  std::uint64_t columns;
  char delimiter;
  std::uint64_t label;                    ///< the column that holds the class
  std::vector<std::uint64_t> attributes;  ///< the columns whose categories are counted
};

/// A table whose last column holds the class; all other columns are attributes.
[[nodiscard]] category_table class_in_last_of(std::uint64_t columns, char delimiter);

/// Counts a table on one thread in one std::unordered_map keyed by strings, the way most people write it
/// first. Skips empty lines and the blanks before a field.
[[nodiscard]] category_rows count_categories_in_one_loop(std::string_view text, const category_table& table);

/// Counts a table with plain oneTBB: each thread fills a map of its own, and one thread merges the maps at
/// the end.
[[nodiscard]] category_rows count_categories_with_tbb(std::string_view text, const category_table& table,
                                                      unsigned threads);

}  // namespace duomap::apps
