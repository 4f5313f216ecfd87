// Finds NaN and infinity in a table before it is used.
// host only
#pragma once

#include "core/worker_pool.hpp"
#include "numeric/common/matrix.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace duomap {

/// The first row with a NaN or an infinity; values.rows when there is none.
template <class T>
[[nodiscard]] std::uint64_t first_row_not_finite(matrix_view<T> values, worker_pool& pool);

/// Throws the error of require_finite() for the row number `row`, whose `values` have a NaN or an infinity.
template <class T>
[[noreturn]] void throw_not_finite(std::span<const T> values, std::uint64_t row, const std::string& name);

/// @throws input_error naming the first row (from 0) and column (from 1) with a NaN or an infinity. `name`:
/// the table in the message, as a path with its quotes.
template <class T>
void require_finite(matrix_view<T> values, const std::string& name, worker_pool& pool);

}  // namespace duomap
