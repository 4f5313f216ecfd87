// NaN and infinity are found before anything is computed with them.
// host only
#pragma once

#include "apps/algorithms/numeric/matrix.hpp"
#include "core/worker_pool.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace duomap {

/// The first row with a value that is NaN or infinite; values.rows when there is none.
template <class T>
[[nodiscard]] std::uint64_t first_row_not_finite(matrix_view<T> values, worker_pool& pool);

/// Throws what require_finite() does for a row, which has such a value.
template <class T>
[[noreturn]] void throw_not_finite(std::span<const T> values, std::uint64_t row, const std::string& name);

/// @throws input_error naming the first row (counted from 0) and column (from 1) of the table `name` (as a
/// message shows it, a path with its quotes) with such a value
template <class T>
void require_finite(matrix_view<T> values, const std::string& name, worker_pool& pool);

}  // namespace duomap
