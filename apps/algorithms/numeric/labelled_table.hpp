// Rows of numbers and what is known of them besides: labels, names of columns, rows that were left out.
// host only
#pragma once

#include "apps/algorithms/numeric/stored_matrix.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace duomap {

/// What was read in vain.
struct dropped_rows {
  std::uint64_t count = 0;
  /// Where the first of them stands and why it was dropped; empty when there is none.
  std::string first;
};

/// A table without its numbers' type.
struct table_facts {
  /// The names of the numbers' columns, if the file has some; else empty.
  std::vector<std::string> column_names;

  /// The different labels: in ascending order when all are numbers, else in byte order; numbers are not
  /// changed ("1" and "1.0" are two classes), but LIBSVM's and IDX's are written as short as possible. Empty
  /// when there are no labels.
  std::vector<std::string> classes;
  /// For each row the index of its label in `classes`; empty when there are no labels.
  std::vector<std::uint32_t> label_of_row;

  /// For each column of numbers the texts they stand for, if it was encoded (symbol_columns::encode); empty
  /// for the others. Empty when no column was encoded. Texts of dropped rows are among them.
  std::vector<std::vector<std::string>> symbols;

  /// Of LIBSVM text: the index that the first column has there.
  std::uint64_t first_index = 1;

  dropped_rows dropped;
  /// A sentence when the file grew while it was read; else empty.
  std::string growth;
};

/// Takes out the classes that no row has: the labels of dropped rows.
void leave_out_unused_classes(table_facts& table);

/// Takes out the labels of these rows, which ascend, and the classes that no row is left of.
void leave_out_rows(table_facts& table, const std::vector<std::uint64_t>& rows);

/// A sentence for a run's report: how many rows were dropped, and why the first one was; empty when none was.
[[nodiscard]] std::string note_on(const dropped_rows& dropped);

/// What read_table() gives.
template <class T>
struct labelled_table : table_facts {
  stored_matrix<T> values;

  /// Asked when the values were used: as source::change() of the file.
  [[nodiscard]] std::string change() const { return values.is_mapped() ? values.change() : growth; }
};

/// Two tables whose columns have to mean the same; their own names are for messages. Tables without names, or
/// of other numbers of columns, pass.
/// @throws input_error naming the first column whose names differ
void require_same_columns(const table_facts& first, const std::string& first_name, const table_facts& second,
                          const std::string& second_name);

/// The labels as numbers, one for each row; none where there are no labels.
/// @throws input_error naming a class that is no number; `name` is the table's name for the message
[[nodiscard]] std::vector<double> label_numbers(const table_facts& table, const std::string& name);

}  // namespace duomap
