// Writes matrices: .npy, CSV, TSV.
// host only
#pragma once

#include "apps/algorithms/numeric/matrix.hpp"

#include <string>
#include <vector>

namespace duomap {

/// Writes a matrix of float, double or std::uint32_t as a NumPy array of two dimensions, or of one if
/// `flat` says that its one column is a list. The file appears when it is complete, or not at all.
/// @throws output_error; usage_error for an empty path
template <class T>
void write_npy(const std::string& path, matrix_view<T> values, bool flat = false);

/// Writes a matrix of float or double to the file `path` ("-": standard output) in the format its name asks
/// for: .npy, .csv, else TSV. Text has the shortest decimals that read back as the same numbers; `names` are
/// the columns' names in CSV's header (empty: c1, c2 ...). The file appears when it is complete, or not at
/// all.
/// @throws output_error; usage_error for an empty path
template <class T>
void write_matrix(const std::string& path, matrix_view<T> values, const std::vector<std::string>& names = {});

/// @throws usage_error naming the option whose value `path` is, if its ending names none of these formats. An
/// empty path, standard output and devices (/dev/stdout) pass.
void require_matrix_ending(const std::string& option, const std::string& path);

}  // namespace duomap
