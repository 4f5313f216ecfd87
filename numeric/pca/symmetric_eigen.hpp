// Computes eigenvalues and eigenvectors of a symmetric matrix, by LAPACK.
// host only
#pragma once

#include "numeric/common/matrix.hpp"

#include <cstdint>
#include <vector>

namespace duomap {

/// The most columns; with more, LAPACK's integers cannot count the work space.
inline constexpr std::uint64_t most_eigen_columns = 32'766;

struct eigen_system {
  std::vector<double> values;  ///< descending
  matrix<double> vectors;      ///< row k belongs to values[k]: length 1, orthogonal to all others
};

/// Computes all eigenvalues and eigenvectors. In each vector, the component of the largest magnitude (the
/// first of equal ones) is positive.
/// @throws usage_error for more than most_eigen_columns; out_of_memory; error when LAPACK does not converge
[[nodiscard]] eigen_system symmetric_eigen(matrix<double> symmetric);

}  // namespace duomap
