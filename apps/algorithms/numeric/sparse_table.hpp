// Sparse rows with labels: LIBSVM's text format.
// host only
#pragma once

#include "apps/algorithms/numeric/labelled_table.hpp"
#include "apps/algorithms/numeric/sparse_matrix.hpp"
#include "apps/algorithms/numeric/table_options.hpp"

#include <string>
#include <vector>

namespace duomap {

template <class T>
struct sparse_table {
  sparse_matrix<T> values;
  /// One for each row.
  std::vector<double> labels;
  dropped_rows dropped;
};

/// Reads LIBSVM text ("-": standard input), one row a line: LABEL INDEX:VALUE ... with spaces or tabs between
/// them; indices count from 1 and ascend; a row may have no feature; lines with nothing but spaces, and what
/// stands behind a #, are skipped. A feature that is given as 0 stays in the matrix.
///
/// T is float or double. Of the options those of LIBSVM text and of all formats count. The matrix has as many
/// columns as the largest index, or `features` if that is more.
/// @throws input_error naming file and line: no number, infinity or NaN (unless allowed), an index of 0, one
/// that does not ascend, one above 2^31 - 1; out_of_memory; interrupted
template <class T>
[[nodiscard]] sparse_table<T> read_sparse_table(const std::string& path, const table_options& options = {});

}  // namespace duomap
