// Calls LAPACK's divide and conquer, and puts its eigenvectors in order.
#include "numeric/pca/symmetric_eigen.hpp"

#include "core/error.hpp"
#include "numeric/common/openblas.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace duomap {

eigen_system symmetric_eigen(matrix<double> symmetric) {
  const std::uint64_t n = symmetric.rows();
  if (n > most_eigen_columns) {
    throw usage_error("eigenvectors of " + std::to_string(n) + " columns; at most " +
                      std::to_string(most_eigen_columns) + " can be computed: leave some columns out");
  }
  const openblas& blas = required_openblas("eigenvectors");
  eigen_system found;
  found.values.resize(n);
  // LAPACK's columns are this matrix's rows. The matrix is symmetric, so only the result differs: LAPACK
  // returns the eigenvectors as rows.
  const auto order = static_cast<int>(n);
  int status = 0;
  const auto solve = [&](double* work, int size, int* whole_work, int whole_size) {
    blas.dsyevd("V", "L", &order, symmetric.data(), &order, found.values.data(), work, &size, whole_work,
                &whole_size, &status, 1, 1);
  };
  // With a size of -1, LAPACK returns the sizes of the work spaces that it needs.
  double wanted = 0;
  int whole_wanted = 0;
  solve(&wanted, -1, &whole_wanted, -1);
  try {
    std::vector<double> work(static_cast<std::size_t>(wanted));
    std::vector<int> whole_work(static_cast<std::size_t>(whole_wanted));
    if (status == 0) solve(work.data(), static_cast<int>(wanted), whole_work.data(), whole_wanted);
  } catch (const std::bad_alloc&) {
    throw out_of_memory("no memory for the work space of the eigenvectors of " + std::to_string(n) +
                        " columns");
  }
  if (status != 0) {
    throw error(exit_status::failed, "LAPACK's dsyevd found no eigenvalues of a matrix of " +
                                         std::to_string(n) + " columns (status " + std::to_string(status) +
                                         ")");
  }
  // LAPACK's values ascend, and the result's values descend.
  std::ranges::reverse(found.values);
  for (std::uint64_t k = 0; k < n / 2; ++k)
    std::ranges::swap_ranges(symmetric.row(k), symmetric.row(n - 1 - k));
  for (std::uint64_t k = 0; k < n; ++k) {
    const auto vector = symmetric.row(k);
    const double largest =
        *std::ranges::max_element(vector, {}, [](double component) { return std::fabs(component); });
    // Adding 0 turns -0 into +0.
    for (double& component : vector) component = (largest < 0 ? -component : component) + 0.0;
  }
  found.vectors = std::move(symmetric);
  return found;
}

}  // namespace duomap
