// Synthetic rows of numbers in memory, and the answer of the first program.
// host only
#pragma once

#include "bench/data/synthetic_rows.hpp"
#include "numeric/common/matrix.hpp"

#include <optional>
#include <utility>

namespace duomap::apps {

template <class Answer>
struct matrix_problem {
  matrix<float> rows;
  std::optional<Answer> expected = {};

  matrix_problem(std::uint64_t count, std::uint64_t columns, std::uint64_t seed)
    : rows(synthetic_rows(count, columns, seed)) {}
  explicit matrix_problem(matrix<float> made) : rows(std::move(made)) {}
};

}  // namespace duomap::apps
