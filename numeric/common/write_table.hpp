// Writes matrices as .npy, CSV or TSV.
// host only
#pragma once

#include "numeric/common/matrix.hpp"

#include <string>
#include <vector>

namespace duomap {

/// Writes a matrix of float, double or std::uint32_t as a NumPy array of two dimensions; with `flat`, its
/// only column as an array of one dimension. The file appears when it is complete, or not at all.
/// @throws output_error; usage_error for an empty path
template <class T>
void write_npy(const std::string& path, matrix_view<T> values, bool flat = false);

/// Writes a matrix of float or double to the file `path` ("-": standard output), in the format of its name:
/// .npy, .csv, else TSV. Text has the shortest decimals that read back as the same numbers. `names` are the
/// columns' names in CSV's header (empty: c1, c2 ...). The file appears when it is complete, or not at all.
/// @throws output_error; usage_error for an empty path
template <class T>
void write_matrix(const std::string& path, matrix_view<T> values, const std::vector<std::string>& names = {});

/// Checks the ending of a file's name. An empty path, standard output and devices (/dev/stdout) pass.
/// @throws usage_error naming the option whose value `path` is, if the ending names none of these formats
void require_matrix_ending(const std::string& option, const std::string& path);

}  // namespace duomap
