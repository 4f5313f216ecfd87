// Declares tables: rows of numbers with their labels, names of columns, and a count of dropped rows.
// host only
#pragma once

#include "numeric/common/float32_loss.hpp"
#include "numeric/common/stored_matrix.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace duomap {

/// The number of dropped rows, and the first of them.
struct dropped_rows {
  std::uint64_t count = 0;
  /// The place of the first dropped row, and the reason for dropping it; empty when no row was dropped.
  std::string first;
};

/// The parts of a table that do not depend on the type of its numbers.
struct table_metadata {
  /// Names of the columns of numbers, if the file has names; else empty.
  std::vector<std::string> column_names;

  /// The different labels: ascending if all are numbers, else in byte order. Numbers keep their text ("1" and
  /// "1.0" are two classes), except that labels of LIBSVM and IDX files are written as short as possible.
  /// Empty without labels.
  std::vector<std::string> classes;
  /// The index in `classes` of each row's label; empty without labels.
  std::vector<std::uint32_t> label_of_row;

  /// For each column, the texts that its numbers stand for, including texts of dropped rows. Only encoded
  /// columns have texts (symbol_columns::encode). Empty when no column was encoded.
  std::vector<std::vector<std::string>> symbols;

  /// The index of the first column in LIBSVM text.
  std::uint64_t first_index = 1;

  dropped_rows dropped;
  /// The loss from rounding the file's numbers to float32, and the name of the first column that lost digits.
  float32_loss loss;
  std::string loss_column;
  /// Whether the file is an array of integers.
  bool integers = false;
  /// A sentence when the file grew during reading; else empty.
  std::string growth;
};

/// Removes classes without rows: the labels of dropped rows.
void leave_out_unused_classes(table_metadata& table);

/// Removes the labels of these rows, which ascend, and the classes that then have no rows.
void leave_out_rows(table_metadata& table, const std::vector<std::uint64_t>& rows);

/// A sentence for a run's report: the number of dropped rows, and the reason for the first one. Empty when no
/// row was dropped.
[[nodiscard]] std::string note_on(const dropped_rows& dropped);

/// The sentence about float32's loss for an application that can compute with float64.
[[nodiscard]] inline std::string note_on_loss(const table_metadata& table) {
  return note_on(table.loss, table.loss_column, use_float64);
}

/// The result of read_table().
template <class T>
struct labelled_table : table_metadata {
  stored_matrix<T> values;

  /// How the file has changed (source::change()). Call it after using the values.
  [[nodiscard]] std::string change() const { return values.is_mapped() ? values.change() : growth; }
};

/// Checks that the columns of two tables have the same names. `first_name` and `second_name` are for
/// messages. Tables without names of columns, or with different numbers of columns, pass.
/// @throws input_error naming the first column whose names differ
void require_same_columns(const table_metadata& first, const std::string& first_name,
                          const table_metadata& second, const std::string& second_name);

/// The labels as numbers, one for each row; empty without labels.
/// @throws input_error naming a class that is not a number; `name`: the table's name in the message
[[nodiscard]] std::vector<double> label_numbers(const table_metadata& table, const std::string& name);

}  // namespace duomap
