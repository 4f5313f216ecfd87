// Multiplies one row at a time, on one thread or on the threads of oneTBB.
#include "bench/baselines/multiply_matrices.hpp"

#include "bench/baselines/on_tbb_threads.hpp"

#include <tbb/parallel_for.h>

namespace duomap::apps {
namespace {

void multiply_row(matrix_view<float> left, matrix_view<float> right, std::uint64_t row, float* product) {
  for (std::uint64_t k = 0; k < right.rows; ++k) {
    const float factor = left.row(row)[k];
    const float* const from = right.row(k).data();
    for (std::uint64_t column = 0; column < right.columns; ++column) product[column] += factor * from[column];
  }
}

}  // namespace

matrix<float> multiply_in_loops(matrix_view<float> left, matrix_view<float> right) {
  matrix<float> product(left.rows, right.columns, "the product");
  for (std::uint64_t row = 0; row < left.rows; ++row) multiply_row(left, right, row, product.row(row).data());
  return product;
}

matrix<float> multiply_with_tbb(matrix_view<float> left, matrix_view<float> right, unsigned threads) {
  matrix<float> product(left.rows, right.columns, "the product");
  on_tbb_threads(threads, [&] {
    tbb::parallel_for(std::uint64_t{0}, left.rows,
                      [&](std::uint64_t row) { multiply_row(left, right, row, product.row(row).data()); });
  });
  return product;
}

}  // namespace duomap::apps
