// Computes principal components from centred sums, and projects rows onto them.
#include "numeric/pca/pca.hpp"

#include "core/error.hpp"
#include "core/input/input.hpp"
#include "cpu/machine_pool.hpp"
#include "numeric/common/cpu_product.hpp"
#include "numeric/common/ranges.hpp"
#include "numeric/pca/symmetric_eigen.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

namespace duomap {
namespace {

matrix<double> copy_of(const matrix<double>& from, std::uint64_t rows) {
  matrix<double> copy(rows, from.columns(), "a copy of a matrix");
  std::copy_n(from.data(), rows * from.columns(), copy.data());
  return copy;
}

void divide_by_deviations(matrix<double>& covariance, std::vector<double>& deviation) {
  const std::uint64_t columns = covariance.columns();
  for (std::uint64_t i = 0; i < columns; ++i) {
    const double variance = covariance.row(i)[i];
    deviation[i] = variance > 0 ? std::sqrt(variance) : 1;
  }
  for (std::uint64_t i = 0; i < columns; ++i) {
    for (std::uint64_t j = 0; j < columns; ++j) covariance.row(i)[j] /= deviation[i] * deviation[j];
  }
}

double noise_variance_of(const std::vector<double>& variances, std::uint64_t kept, std::uint64_t rows) {
  const std::uint64_t end = std::min<std::uint64_t>(rows, variances.size());
  if (kept >= end) return 0;
  double sum = 0;
  for (std::uint64_t k = kept; k < end; ++k) sum += variances[k];
  return sum / static_cast<double>(end - kept);
}

/// `Rows`: a matrix_view or a gpu_matrix.
template <class Rows>
pca_result components_of(const Rows& rows, const pca_options& options) {
  if (options.components > rows.columns) {
    throw usage_error(std::to_string(options.components) + " components of " + options.name + ", which has " +
                      std::to_string(rows.columns) + " columns; ask for at most as many");
  }
  // The number of columns is checked before the sums, because the products of more columns may take hours,
  // and more memory than there is.
  if (rows.columns > most_eigen_columns) {
    throw usage_error(options.name + " has " + std::to_string(rows.columns) + " columns; of at most " +
                      std::to_string(most_eigen_columns) + " components can be computed: leave some out");
  }
  const input from = view_input(rows.bytes(), "rows");
  const auto pool = cpu::machine_pool(options.run.threads, from);
  centred_sums sums = centred_sums_of(rows, options.name, options.deterministic, *pool, options.run);

  pca_result found;
  found.rows = sums.rows;
  found.mean = std::move(sums.mean);
  found.loss = std::move(sums.loss);
  found.deviation.assign(rows.columns, 1);
  found.covariance = std::move(sums.products);
  const double degrees_of_freedom = static_cast<double>(sums.rows) - 1;
  for (std::uint64_t i = 0; i < rows.columns; ++i) {
    for (double& product : found.covariance.row(i)) product /= degrees_of_freedom;
  }
  matrix<double> decomposed = copy_of(found.covariance, rows.columns);
  if (options.correlation) divide_by_deviations(decomposed, found.deviation);
  double all = 0;
  for (std::uint64_t i = 0; i < rows.columns; ++i) all += decomposed.row(i)[i];

  eigen_system system = symmetric_eigen(std::move(decomposed));
  const std::uint64_t kept = options.components > 0 ? options.components : rows.columns;
  // Rounding makes some variances of 0 negative. Differences to the mean span at most rows - 1 axes.
  for (std::uint64_t k = 0; k < rows.columns; ++k)
    system.values[k] = k + 1 < found.rows ? std::max(0.0, system.values[k]) : 0;
  found.noise_variance = noise_variance_of(system.values, kept, found.rows);
  system.values.resize(kept);
  found.variance = std::move(system.values);
  for (const double variance : found.variance) found.share.push_back(all > 0 ? variance / all : 0);
  system.vectors.keep_rows(kept);
  found.axes = std::move(system.vectors);
  return found;
}

}  // namespace

template <class T>
pca_result pca(matrix_view<T> rows, const pca_options& options) {
  return components_of(rows, options);
}

template <class T>
pca_result pca(gpu_matrix<T> rows, const pca_options& options) {
#if DUOMAP_HAS_CUDA
  pca_options on_gpu = options;
  on_gpu.run = on_its_gpu(options.run, rows.gpu, options.name);
  return components_of(rows, on_gpu);
#else
  static_cast<void>(rows), static_cast<void>(options);
  throw device_unavailable(no_code_for_gpu_matrices);
#endif
}

template <class T>
matrix<T> project(matrix_view<T> rows, const pca_result& onto, worker_pool& pool,
                  const run_control* control) {
  const std::uint64_t columns = onto.axes.columns(), kept = onto.axes.rows();
  if (rows.columns != columns) {
    throw usage_error("rows of " + std::to_string(rows.columns) +
                      " columns cannot be projected onto axes of " + std::to_string(columns));
  }
  matrix<T> axes(kept, columns, "the axes");
  for (std::uint64_t i = 0; i < kept; ++i) {
    for (std::uint64_t c = 0; c < columns; ++c) axes.row(i)[c] = static_cast<T>(onto.axes.row(i)[c]);
  }
  matrix<T> coordinates(rows.rows, kept, "the coordinates of all rows");
  for_each_range(pool, rows.rows, rows_per_range(columns * sizeof(T)), control,
                 [&](std::uint64_t begin, std::uint64_t end) {
                   std::vector<T> centred;
                   centred.reserve((end - begin) * columns);
                   for (std::uint64_t r = begin; r < end; ++r) {
                     for (std::uint64_t c = 0; c < columns; ++c) {
                       centred.push_back(static_cast<T>((static_cast<double>(rows.row(r)[c]) - onto.mean[c]) /
                                                        onto.deviation[c]));
                     }
                   }
                   multiply_on_cpu(product_kind::plain, end - begin, kept, columns,
                                   {centred.data(), columns, false}, {axes.data(), columns, true},
                                   {coordinates.row(begin).data(), kept});
                 });
  return coordinates;
}

template pca_result pca(matrix_view<float>, const pca_options&);
template pca_result pca(matrix_view<double>, const pca_options&);
template pca_result pca(gpu_matrix<float>, const pca_options&);
template pca_result pca(gpu_matrix<double>, const pca_options&);
template matrix<float> project(matrix_view<float>, const pca_result&, worker_pool&, const run_control*);
template matrix<double> project(matrix_view<double>, const pca_result&, worker_pool&, const run_control*);

}  // namespace duomap
