// Reads sparse rows with labels from LIBSVM's text format.
// host only
#pragma once

#include "numeric/common/labelled_table.hpp"
#include "numeric/common/sparse_matrix.hpp"
#include "numeric/common/table_options.hpp"

#include <string>
#include <vector>

namespace duomap {

template <class T>
struct sparse_table {
  sparse_matrix<T> values;
  /// The label of each row.
  std::vector<double> labels;
  /// The index of the first column in the text: 0 or 1.
  std::uint64_t first_index = 1;
  dropped_rows dropped;
  /// The loss from rounding the text's numbers to float32; its columns are indices.
  float32_loss loss;
  /// A sentence when the file grew during reading; else empty.
  std::string growth;
};

/// Reads LIBSVM text ("-": standard input), one row in each line: LABEL INDEX:VALUE ... separated by spaces
/// or tabs. Indices ascend. They count from 1, or from 0 if a row has the index 0. A row may have no feature.
/// Lines of only spaces are skipped, and so is the rest of a line from # on. A feature with the value 0 stays
/// in the matrix.
///
/// T is float or double. The options for LIBSVM text and for all formats apply. The matrix has as many
/// columns as the largest index says, or `features` if that is more.
/// @throws input_error naming file and line: no number, infinity or NaN (unless allowed), an index that does
/// not ascend or is above 2^31 - 1; out_of_memory; interrupted
template <class T>
[[nodiscard]] sparse_table<T> read_sparse_table(const std::string& path, const table_options& options = {});

}  // namespace duomap
