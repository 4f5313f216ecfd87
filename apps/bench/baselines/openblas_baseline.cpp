#include "apps/bench/baselines/openblas_baseline.hpp"

#include "apps/algorithms/numeric/openblas.hpp"

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

}  // namespace duomap::apps
