#include "apps/bench/baselines/count_categories.hpp"

#include "apps/bench/baselines/slices_with_tbb.hpp"

#include <algorithm>
#include <vector>

namespace duomap::apps {
namespace {

void write_key(std::string& key, std::uint64_t column, std::string_view of_class, std::string_view category) {
  key.assign(std::to_string(column));
  key += ' ';
  key += of_class;
  key += ' ';
  key += category;
}

void add_rows(std::string_view table, std::uint64_t columns, char delimiter, category_rows& counts) {
  std::vector<std::string_view> fields(columns);
  std::string key;
  for (std::size_t at = 0; at < table.size();) {
    for (std::uint64_t column = 0; column < columns; ++column) {
      const std::size_t end = std::min(table.find(column + 1 < columns ? delimiter : '\n', at), table.size());
      fields[column] = table.substr(at, end - at);
      at = end + 1;
    }
    for (std::uint64_t column = 0; column + 1 < columns; ++column) {
      write_key(key, column, fields.back(), fields[column]);
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

category_rows count_categories_in_one_loop(std::string_view table, std::uint64_t columns, char delimiter) {
  category_rows counts;
  add_rows(table, columns, delimiter, counts);
  return counts;
}

category_rows count_categories_with_tbb(std::string_view table, std::uint64_t columns, char delimiter,
                                        unsigned threads) {
  category_rows all;
  for_each_slice_with_tbb<category_rows>(
      table, threads,
      [&](category_rows& own, std::size_t begin, std::size_t end) {
        add_rows(table.substr(begin, end - begin), columns, delimiter, own);
      },
      [&](category_rows& own) {
        for (const auto& [key, rows] : own) all[key] += rows;
      });
  return all;
}

}  // namespace duomap::apps
