// Makes support vector problems, and checks their optimum.
#pragma once

#include "core/report.hpp"
#include "core/run_control.hpp"
#include "core/worker_pool.hpp"
#include "numeric/svm/blocked_training.hpp"
#include "numeric/svm/kernel_cache.hpp"
#include "numeric/svm/kernel_rows.hpp"
#include "numeric/svm/svm.hpp"
#include "numeric/svm/svm_devices.hpp"
#include "numeric/tests/common/support.hpp"
#include "tests/catch.hpp"

#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace duomap::test::numeric_svm_svm_test {

/// Two clouds that overlap, with labels; every fifth value is 0.
struct points {
  std::vector<float> values;
  std::vector<double> labels;
  std::uint64_t columns;

  points(std::size_t rows, std::uint64_t width, unsigned seed, std::size_t classes = 2) : columns(width) {
    std::mt19937 random(seed);
    std::normal_distribution<float> noise;
    for (std::size_t i = 0; i < rows; ++i) {
      const std::size_t label = i % classes;
      labels.push_back(static_cast<double>(label) * 3 - 1.5);
      for (std::uint64_t c = 0; c < width; ++c)
        values.push_back((i + c) % 5 == 0 ? 0.0f : noise(random) + (c % classes == label ? 1.0f : 0.0f));
    }
  }
  [[nodiscard]] svm_rows dense() const { return rows_of(matrix_view<float>(values, columns)); }
};

inline sparse_matrix<float> without_zeros(const points& from) {
  sparse_matrix<float> sparse;
  sparse.columns = from.columns;
  for (std::size_t i = 0; i < from.values.size(); ++i) {
    if (from.values[i] != 0) {
      sparse.column_of.push_back(static_cast<std::uint32_t>(i % from.columns));
      sparse.values.push_back(from.values[i]);
    }
    if ((i + 1) % from.columns == 0) sparse.row_start.push_back(sparse.values.size());
  }
  return sparse;
}

inline double kernel_of(const svm_kernel& kernel, const float* x, const float* y, std::uint64_t columns) {
  double product = 0, distance = 0;
  for (std::uint64_t c = 0; c < columns; ++c) {
    const auto a = static_cast<double>(x[c]), b = static_cast<double>(y[c]);
    product += a * b;
    distance += (a - b) * (a - b);
  }
  switch (kernel.kind) {
    case kernel_kind::linear:
      return product;
    case kernel_kind::polynomial:
      return std::pow(kernel.gamma * product + kernel.coef0, kernel.degree);
    case kernel_kind::rbf:
      return std::exp(-kernel.gamma * distance);
    case kernel_kind::sigmoid:
      return std::tanh(kernel.gamma * product + kernel.coef0);
  }
  return 0;
}

inline std::vector<double> dense_row(const svm_model& model, std::uint64_t row) {
  std::vector<double> values(model.rows.columns);
  for (std::size_t k = 0; k < model.rows.values_of_row(row).size(); ++k)
    values[model.rows.columns_of_row(row)[k]] = model.rows.values_of_row(row)[k];
  return values;
}

/// f of a row for two classes, in float64.
inline double decision(const svm_model& model, const points& of, std::size_t row) {
  double sum = -model.rho.front();
  for (std::uint64_t s = 0; s < model.rows.rows(); ++s) {
    const std::vector<double> values = dense_row(model, s);
    std::vector<float> vector(of.columns);
    for (std::size_t c = 0; c < values.size(); ++c) vector[c] = static_cast<float>(values[c]);
    sum += model.coefficients[s] *
           kernel_of(model.kernel, vector.data(), of.values.data() + row * of.columns, of.columns);
  }
  return sum;
}

inline svm_options with(kernel_kind kind, svm_method method = svm_method::blocked) {
  return {.kernel = kind,
          .gamma = kind == kernel_kind::sigmoid ? 0.01 : 0.2,
          .coef0 = kind == kernel_kind::linear ? 0.0 : 0.5,
          .c = 2,
          .method = method};
}

inline constexpr std::array kinds{kernel_kind::linear, kernel_kind::polynomial, kernel_kind::rbf,
                                  kernel_kind::sigmoid};

}  // namespace duomap::test::numeric_svm_svm_test
