#include "apps/pca/syrk_baseline.hpp"

#include <cblas.h>

namespace duomap {

void multiply_by_syrk(matrix_view<float> rows, unsigned threads, matrix<float>& square) {
  openblas_set_num_threads(static_cast<int>(threads));
  const auto columns = static_cast<blasint>(rows.columns);
  cblas_ssyrk(CblasRowMajor, CblasUpper, CblasTrans, columns, static_cast<blasint>(rows.rows), 1, rows.data,
              columns, 0, square.data(), columns);
}

}  // namespace duomap
