// Makes tables of categories and their expected counts.
#pragma once

#include "core/verify/verify.hpp"
#include "cpu/scan/field_ends.hpp"
#include "duomap.hpp"
#include "numeric/naivebayes/category_counts.hpp"
#include "numeric/naivebayes/map_chunk.hpp"
#include "numeric/naivebayes/naivebayes.hpp"
#include "tests/catch.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/no_gpu.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace duomap::test::numeric_naivebayes_naivebayes_test {

/// (column, class, category) -> rows. Malformed and unlabelled rows have column numbers of their own.
using category_rows = std::map<std::tuple<std::uint32_t, std::string, std::string>, std::uint64_t>;
inline constexpr std::uint32_t malformed_rows = 1'000'000;
inline constexpr std::uint32_t unlabelled_rows = 1'000'001;

struct table_shape {
  std::vector<column_role> roles;
  std::uint32_t label;
  char delimiter = ',';
  bool has_header = false;
  bool skip_missing = false;

  [[nodiscard]] category_columns columns() const {
    return {{roles.data(), roles.size()}, label, delimiter, has_header, skip_missing};
  }
};

/// The fields of a row by their definition, character by character; none for a malformed row.
inline std::optional<std::vector<std::string>> plain_fields(const std::string& row, char delimiter) {
  const auto blank = [&](char c) {
    return (c == ' ' || c == '\t') && c != delimiter;
  };
  std::vector<std::string> found;
  std::size_t at = 0;
  while (true) {
    std::string field;
    while (at < row.size() && blank(row[at])) ++at;
    if (at < row.size() && row[at] == '"') {
      for (++at;; ++at) {
        if (at == row.size()) return std::nullopt;
        if (row[at] == '"') {
          if (at + 1 == row.size() || row[at + 1] != '"') break;
          ++at;
        }
        field += row[at];
      }
      ++at;
      while (at < row.size() && blank(row[at])) ++at;
      if (at < row.size() && row[at] != delimiter) return std::nullopt;
    } else {
      while (at < row.size() && row[at] != delimiter) field += row[at++];
      while (!field.empty() && blank(field.back())) field.pop_back();
    }
    found.push_back(field);
    if (at == row.size()) return found;
    ++at;
  }
}

inline category_rows expected_rows(const std::string& text, const table_shape& shape) {
  category_rows rows;
  std::size_t at = 0;
  for (std::size_t line = 0; at < text.size(); ++line) {
    std::size_t end = text.find('\n', at);
    if (end == std::string::npos) end = text.size();
    std::string row = text.substr(at, end - at);
    at = end + 1;
    if (!row.empty() && row.back() == '\r') row.pop_back();
    const bool blank = row.find_first_not_of(shape.delimiter == '\t' ? " " : " \t") == std::string::npos;
    if (blank || (shape.has_header && line == 0)) continue;
    const auto fields = plain_fields(row, shape.delimiter);
    if (!fields || fields->size() != shape.roles.size()) {
      ++rows[{malformed_rows, "", ""}];
      continue;
    }
    const std::string& label = (*fields)[shape.label];
    std::size_t longest = 0;
    for (std::size_t i = 0; i < fields->size(); ++i) {
      if (shape.roles[i] != column_role::left_out) longest = std::max(longest, (*fields)[i].size());
    }
    if (longest + label.size() > 1000) {
      ++rows[{malformed_rows, "", ""}];
      continue;
    }
    if (label.empty() || label == "?") {
      ++rows[{unlabelled_rows, "", ""}];
      continue;
    }
    for (std::uint32_t column = 0; column < fields->size(); ++column) {
      const std::string& field = (*fields)[column];
      if (shape.roles[column] == column_role::left_out) continue;
      if (shape.skip_missing && (field.empty() || field == "?") && column != shape.label) continue;
      ++rows[{column, label, field}];
    }
  }
  return rows;
}

inline void add_meaning(category_rows& rows, byte_view key, std::uint64_t count, const category_list& known) {
  const auto one = category_counts::meaning_of(key, known);
  const std::uint32_t column = one.kind == category_counts::meaning::malformed    ? malformed_rows
                               : one.kind == category_counts::meaning::unlabelled ? unlabelled_rows
                                                                                  : one.column;
  rows[{column, std::string(one.of_class.text()), std::string(one.category.text())}] += count;
}

inline category_rows rows_on(device_choice device, const input& table, const table_shape& shape,
                             const category_list& known) {
  category_rows rows;
  run(category_counts{shape.columns(), known.view()}, table, {.device = device})
      .for_each([&](byte_view key, std::uint64_t count) { add_meaning(rows, key, count, known); });
  return rows;
}

/// Lists the entries that only one of the two has; empty when both are equal.
inline std::string difference(const category_rows& found, const category_rows& expected) {
  std::string text;
  const auto tell = [&](const category_rows& from, const category_rows& in, const char* what) {
    for (const auto& [one, count] : from) {
      const auto other = in.find(one);
      if (text.size() > 500 || (other != in.end() && other->second == count)) continue;
      text += std::string(what) + std::to_string(std::get<0>(one)) + " [" + std::get<1>(one) + "] [" +
              std::get<2>(one) + "] " + std::to_string(count) + "\n";
    }
  };
  tell(found, expected, "found ");
  tell(expected, found, "expected ");
  return text;
}

/// A random half of the categories that occur.
inline category_list some_known(const category_rows& rows, std::mt19937_64& random) {
  category_list known;
  for (const auto& [what, count] : rows) {
    if (std::get<0>(what) < malformed_rows && random() % 2 == 0)
      known.add(std::get<0>(what), std::get<2>(what));
  }
  return known;
}

/// Random rows of all kinds, most of them well-formed.
inline std::string random_table_text(std::mt19937_64& random, const table_shape& shape, unsigned count) {
  const auto field = [&]() -> std::string {
    switch (random() % 16) {
      case 0:
        return "";
      case 1:
        return "?";
      case 2:
        return " blank around\t ";
      case 3:
        return "\"quoted\"";
      case 4:
        return std::string("\"with ") + shape.delimiter + " inside\"";
      case 5:
        return " \"say \"\"hi\"\"\" ";
      case 6:
        return "sixteen bytes it";
      case 7:
        return "more than sixteen bytes: " + std::to_string(random() % 3);
      case 8:
        return std::to_string(random() % 1000);
      case 9:
        return random() % 8 == 0 ? std::string(400 + random() % 300, 'l') : "x";
      case 10:
        return random() % 8 == 0 ? "in\"side" : "\xC3\xA9";
      default:
        return std::string(1, static_cast<char>('a' + random() % 4));
    }
  };
  std::string text;
  for (unsigned i = 0; i < count; ++i) {
    std::uint64_t fields = shape.roles.size();
    const std::uint64_t kind = random() % 40;
    if (kind == 0) fields += random() % 3;
    if (kind == 1) fields = random() % (fields + 1);
    for (std::uint64_t j = 0; j < fields; ++j)
      text += (j > 0 ? std::string(1, shape.delimiter) : "") + field();
    if (kind == 2) text += "\"unclosed";
    if (kind == 3) text += "  \n \r";
    text += random() % 3 == 0 ? "\r\n" : "\n";
  }
  if (random() % 2 == 0) text += "last";
  return text;
}

inline table_shape random_shape(std::mt19937_64& random) {
  table_shape shape{.roles = {}, .label = 0};
  const std::uint64_t columns = 1 + random() % 7;
  for (std::uint64_t i = 0; i < columns; ++i)
    shape.roles.push_back(random() % 5 == 0 ? column_role::left_out : column_role::attribute);
  shape.label = static_cast<std::uint32_t>(random() % columns);
  shape.roles[shape.label] = column_role::label;
  shape.delimiter = ",\t; "[random() % 4];
  shape.has_header = random() % 2 == 0;
  shape.skip_missing = random() % 2 == 0;
  return shape;
}

inline naivebayes_training learn(const std::string& text, const naivebayes_options& options = {}) {
  sequential caller;
  return naivebayes_train(text_input(text, "table"), caller, options, {.device = device_choice::cpu});
}

inline naivebayes_answer answer_for(const naivebayes_model& model, const std::string& text,
                                    bad_rows malformed = bad_rows::error) {
  sequential caller;
  return naivebayes_classify(model, text_input(text, "test"), caller, malformed);
}

template <class Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const error& problem) {
    return problem.what();
  }
  return "no error";
}

}  // namespace duomap::test::numeric_naivebayes_naivebayes_test
