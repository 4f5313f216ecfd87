// Sets the number of OpenBLAS threads and makes one BLAS call.
#include "bench/baselines/openblas_baseline.hpp"

#include "numeric/common/openblas.hpp"

namespace duomap::apps {

void multiply_by_openblas(matrix_view<float> left, matrix_view<float> right, float* product,
                          unsigned threads) {
  const openblas& blas = required_openblas("products to compare with");
  blas.set_threads(static_cast<int>(threads));
  const auto size = [](std::uint64_t number) {
    return static_cast<int>(number);
  };
  blas.sgemm(openblas::row_major, openblas::not_transposed, openblas::not_transposed, size(left.rows),
             size(right.columns), size(left.columns), 1, left.data, size(left.columns), right.data,
             size(right.columns), 0, product, size(right.columns));
}

void multiply_by_syrk(matrix_view<float> rows, unsigned threads, matrix<float>& square) {
  const openblas& blas = required_openblas("covariances by ssyrk");
  blas.set_threads(static_cast<int>(threads));
  const auto columns = static_cast<int>(rows.columns);
  blas.ssyrk(openblas::row_major, openblas::upper, openblas::transposed, columns, static_cast<int>(rows.rows),
             1, rows.data, columns, 0, square.data(), columns);
}

}  // namespace duomap::apps
