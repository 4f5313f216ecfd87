#include "apps/bench/baselines/syrk_baseline.hpp"

#include "apps/algorithms/numeric/openblas.hpp"

namespace duomap {

void multiply_by_syrk(matrix_view<float> rows, unsigned threads, matrix<float>& square) {
  const openblas& blas = required_openblas("covariances by ssyrk");
  blas.set_threads(static_cast<int>(threads));
  const auto columns = static_cast<int>(rows.columns);
  blas.ssyrk(openblas::row_major, openblas::upper, openblas::transposed, columns, static_cast<int>(rows.rows),
             1, rows.data, columns, 0, square.data(), columns);
}

}  // namespace duomap
