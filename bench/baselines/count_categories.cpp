// Cuts rows into fields and counts keys of column, class and category in a hash map.
#include "bench/baselines/count_categories.hpp"

#include "bench/baselines/slices_with_tbb.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace duomap::apps {
namespace {

void write_key(std::string& key, std::uint64_t column, std::string_view of_class, std::string_view category) {
  key.assign(std::to_string(column));
  key += ' ';
  key += of_class;
  key += ' ';
  key += category;
}

void add_rows(std::string_view text, const category_table& table, category_rows& counts) {
  std::vector<std::string_view> fields(table.columns);
  std::string key;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\n') {  // between two copies of a table
      ++at;
      continue;
    }
    for (std::uint64_t column = 0; column < table.columns; ++column) {
      const char end_of_field = column + 1 < table.columns ? table.delimiter : '\n';
      const std::size_t end = std::min(text.find(end_of_field, at), text.size());
      std::string_view& field = fields[column] = text.substr(at, end - at);
      while (field.starts_with(' ')) field.remove_prefix(1);
      at = end + 1;
    }
    for (const std::uint64_t column : table.attributes) {
      write_key(key, column, fields[table.label], fields[column]);
      ++counts[key];
    }
  }
}

}  // namespace

std::string category_key(std::uint64_t column, std::string_view of_class, std::string_view category) {
  std::string key;
  write_key(key, column, of_class, category);
  return key;
}

category_table class_in_last_of(std::uint64_t columns, char delimiter) {
  std::vector<std::uint64_t> attributes(columns - 1);
  std::iota(attributes.begin(), attributes.end(), std::uint64_t{0});
  return {columns, delimiter, columns - 1, std::move(attributes)};
}

category_rows count_categories_in_one_loop(std::string_view text, const category_table& table) {
  category_rows counts;
  add_rows(text, table, counts);
  return counts;
}

category_rows count_categories_with_tbb(std::string_view text, const category_table& table,
                                        unsigned threads) {
  category_rows all;
  for_each_slice_with_tbb<category_rows>(
      text, threads,
      [&](category_rows& own, std::size_t begin, std::size_t end) {
        add_rows(text.substr(begin, end - begin), table, own);
      },
      [&](category_rows& own) {
        for (const auto& [key, rows] : own) all[key] += rows;
      });
  return all;
}

}  // namespace duomap::apps
