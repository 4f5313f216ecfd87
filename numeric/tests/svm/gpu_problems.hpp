// Makes support vector problems for tests on GPUs, and checks their answers.
#pragma once

#include "core/error.hpp"
#include "core/input/input.hpp"
#include "core/run_control.hpp"
#include "cpu/machine_pool.hpp"
#include "numeric/svm/blocked_training.hpp"
#include "numeric/svm/device_row_form.hpp"
#include "numeric/svm/gpu_decisions.hpp"
#include "numeric/svm/gpu_training.hpp"
#include "numeric/svm/svm.hpp"
#include "numeric/svm/svm_problem.hpp"
#include "tests/catch.hpp"
#include "tests/support/no_gpu.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace duomap::test::numeric_svm_gpu_test {

/// Rows with labels, dense and sparse at once.
struct synthetic {
  std::uint64_t rows;
  std::uint64_t columns;
  std::vector<float> dense;
  std::vector<std::uint64_t> row_start = {0};
  std::vector<std::uint32_t> column_of;
  std::vector<float> values;
  std::vector<std::int8_t> labels;

  /// Random rows. On average one of `one_of` entries is not 0, and `shift` is added to all entries.
  synthetic(std::uint64_t row_count, std::uint64_t column_count, unsigned one_of, float shift,
            std::mt19937& random)
    : rows(row_count), columns(column_count), dense(row_count * column_count) {
    std::normal_distribution<float> normal;
    for (std::uint64_t r = 0; r < rows; ++r) {
      float sum = normal(random);
      for (std::uint64_t c = 0; c < columns; ++c) {
        if (random() % one_of != 0) continue;
        const float value = normal(random);
        sum += c % 3 == 0 ? value : 0;
        dense[r * columns + c] = value + shift;
        column_of.push_back(static_cast<std::uint32_t>(c));
        values.push_back(value + shift);
      }
      row_start.push_back(values.size());
      labels.push_back(r == 0 || (r > 1 && sum > 0) ? std::int8_t{1} : std::int8_t{-1});
    }
  }

  [[nodiscard]] svm_rows view(bool sparse) const {
    svm_rows all{.rows = rows, .columns = columns};
    if (sparse) {
      all.row_start = row_start;
      all.column_of = column_of;
      all.values = values;
    } else {
      all.dense = dense;
    }
    return all;
  }
};

/// The bytes of `slots` rows of the kernel matrix.
inline std::uint64_t slots_of(const svm_rows& rows, std::uint64_t slots) {
  return slots * ((rows.rows + 31) / 32 * 32) * sizeof(float);
}

/// The bytes of GPU memory with which training keeps exactly `slots` rows of the kernel matrix; all other
/// needs are included.
inline std::uint64_t memory_for(const svm_rows& rows, std::uint64_t slots) {
  return slots_of(rows, slots) + gpu::point_plan(rows, 0, std::uint64_t{1} << 40, "training").bytes;
}

/// The bytes of GPU memory with which rows come in panels of `panel_bytes` bytes, if `beside` bytes are used
/// otherwise.
inline std::uint64_t memory_to_stream(const svm_rows& rows, std::uint64_t beside, std::uint64_t panel_bytes) {
  const std::uint64_t spread = gpu::device_row_form::of(rows).sparse ? rows.columns * 128 : 0;
  const std::uint64_t memory = beside + spread + 8 * panel_bytes;
  const gpu::point_plan plan(rows, beside, memory, "the test");
  REQUIRE(plan.panels.size() > 3);
  return memory;
}

inline std::unique_ptr<worker_pool> two_workers() { return cpu::machine_pool(2, index_input(1 << 30)); }

inline void require_same_optimum(const svm_problem& problem, const svm_solution& found,
                                 const svm_solution& expected) {
  REQUIRE(found.converged);
  REQUIRE(expected.converged);
  CHECK(found.gap < problem.tolerance);
  CHECK(std::abs(found.objective - expected.objective) <= 1e-3 * std::abs(expected.objective) + 1e-9);
  CHECK(std::abs(found.rho - expected.rho) < 0.02);
  double balance = 0;
  for (std::size_t i = 0; i < found.alpha.size(); ++i) {
    REQUIRE(found.alpha[i] >= 0);
    REQUIRE(found.alpha[i] <= (problem.labels[i] > 0 ? problem.positive_c : problem.negative_c));
    balance += found.alpha[i] * problem.labels[i];
  }
  CHECK(std::abs(balance) < 1e-6);
}

}  // namespace duomap::test::numeric_svm_gpu_test
