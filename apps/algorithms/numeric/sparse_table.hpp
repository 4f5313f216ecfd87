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
  /// The index that the first column has in the text: 0 or 1.
  std::uint64_t first_index = 1;
  dropped_rows dropped;
  /// A sentence when the file grew while it was read; else empty.
  std::string growth;
};

/// Reads LIBSVM text ("-": standard input), one row a line: LABEL INDEX:VALUE ... with spaces or tabs between
/// them; indices ascend, and count from 1, or from 0 where a row has the index 0; a row may have no feature;
/// lines with nothing but spaces, and what stands behind a #, are skipped. A feature that is given as 0 stays
/// in the matrix.
///
/// T is float or double. Of the options those of LIBSVM text and of all formats count. The matrix has as many
/// columns as the largest index says, or `features` if that is more.
/// @throws input_error naming file and line: no number, infinity or NaN (unless allowed), an index that
/// does not ascend, one above 2^31 - 1; out_of_memory; interrupted
template <class T>
[[nodiscard]] sparse_table<T> read_sparse_table(const std::string& path, const table_options& options = {});

}  // namespace duomap
