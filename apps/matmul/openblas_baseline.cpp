#include "apps/matmul/openblas_baseline.hpp"

#include <cblas.h>

namespace duomap::apps {

void multiply_by_openblas(matrix_view<float> left, matrix_view<float> right, float* product,
                          unsigned threads) {
  openblas_set_num_threads(static_cast<int>(threads));
  const auto size = [](std::uint64_t number) {
    return static_cast<blasint>(number);
  };
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, size(left.rows), size(right.columns),
              size(left.columns), 1, left.data, size(left.columns), right.data, size(right.columns), 0,
              product, size(right.columns));
}

}  // namespace duomap::apps
