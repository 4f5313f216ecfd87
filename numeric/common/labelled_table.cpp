// Removes rows and classes from a table, and compares columns of two tables.
#include "numeric/common/labelled_table.hpp"

#include "core/error.hpp"
#include "numeric/common/decimal.hpp"
#include "numeric/common/shown_text.hpp"

#include <cstddef>
#include <utility>

namespace duomap {

std::string note_on(const dropped_rows& dropped) {
  if (dropped.count == 0) return {};
  return std::to_string(dropped.count) + (dropped.count == 1 ? " row was" : " rows were") +
         " left out; the first for " + dropped.first;
}

void leave_out_unused_classes(table_metadata& table) {
  std::vector<bool> used(table.classes.size());
  for (const std::uint32_t label : table.label_of_row) used[label] = true;
  std::vector<std::uint32_t> place_of(table.classes.size());
  std::uint32_t kept = 0;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) continue;
    if (kept != i) table.classes[kept] = std::move(table.classes[i]);
    place_of[i] = kept++;
  }
  table.classes.resize(kept);
  for (std::uint32_t& label : table.label_of_row) label = place_of[label];
}

void leave_out_rows(table_metadata& table, const std::vector<std::uint64_t>& rows) {
  auto out = rows.begin();
  std::uint64_t kept = 0;
  for (std::uint64_t row = 0; row < table.label_of_row.size(); ++row) {
    if (out != rows.end() && *out == row) {
      ++out;
    } else {
      table.label_of_row[kept++] = table.label_of_row[row];
    }
  }
  table.label_of_row.resize(kept);
  leave_out_unused_classes(table);
}

void require_same_columns(const table_metadata& first, const std::string& first_name,
                          const table_metadata& second, const std::string& second_name) {
  if (first.column_names.size() != second.column_names.size()) return;
  for (std::size_t i = 0; i < first.column_names.size(); ++i) {
    if (first.column_names[i] == second.column_names[i]) continue;
    throw input_error("column " + shown(second.column_names[i]) + " of " + second_name + " stands where " +
                      first_name + " has " + shown(first.column_names[i]) +
                      "; give the same columns in the same order");
  }
}

std::vector<double> label_numbers(const table_metadata& table, const std::string& name) {
  std::vector<double> of_class;
  for (const std::string& text : table.classes) {
    const decimal<double> number = whole_decimal<double>(text);
    if (number.status != decimal_status::number) {
      throw input_error("the label " + shown(text) + " of " + name +
                        " is no number; give a table whose labels are numbers");
    }
    of_class.push_back(number.value);
  }
  std::vector<double> numbers;
  numbers.reserve(table.label_of_row.size());
  for (const std::uint32_t label : table.label_of_row) numbers.push_back(of_class[label]);
  return numbers;
}

}  // namespace duomap
