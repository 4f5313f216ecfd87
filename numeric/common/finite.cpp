// Finds rows with NaN or infinity, with all workers.
#include "numeric/common/finite.hpp"

#include "core/error.hpp"
#include "numeric/common/ranges.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <span>

namespace duomap {
namespace {

/// Adds up each number minus itself, which is 0 for a finite number, and NaN for NaN and infinity. A sum that
/// is NaN stays NaN. The loop has no branch, so it runs at the speed of memory.
template <class T>
bool all_finite(std::span<const T> values) {
  constexpr std::size_t lanes = 16;
  T sums[lanes] = {};
  std::size_t at = 0;
  for (; at + lanes <= values.size(); at += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += values[at + lane] - values[at + lane];
  }
  for (; at < values.size(); ++at) sums[0] += values[at] - values[at];
  return std::all_of(sums, sums + lanes, [](T sum) { return sum == 0; });
}

}  // namespace

template <class T>
std::uint64_t first_row_not_finite(matrix_view<T> values, worker_pool& pool) {
  if (values.columns == 0) return values.rows;
  std::atomic<std::uint64_t> first{values.rows};
  const std::uint64_t grain = rows_per_range(values.columns * sizeof(T));
  for_each_range(pool, values.rows, grain, nullptr, [&](std::uint64_t begin, std::uint64_t end) {
    if (begin >= first.load(std::memory_order_relaxed)) return;
    if (all_finite(values.values().subspan(begin * values.columns, (end - begin) * values.columns))) return;
    std::uint64_t row = begin;
    while (all_finite(values.row(row))) ++row;
    atomic_min(first, row);
  });
  return first.load(std::memory_order_relaxed);
}

template <class T>
void throw_not_finite(std::span<const T> values, std::uint64_t row, const std::string& name) {
  std::uint64_t column = 0;
  while (std::isfinite(values[column])) ++column;
  throw input_error(name + ", row " + std::to_string(row) + " (the first is 0), column " +
                    std::to_string(column + 1) + ": the value is " +
                    (std::isnan(values[column])   ? "NaN"
                     : sizeof(T) == sizeof(float) ? "infinite, or too large for float32"
                                                  : "infinite") +
                    "; correct it or leave the row out");
}

template <class T>
void require_finite(matrix_view<T> values, const std::string& name, worker_pool& pool) {
  const std::uint64_t row = first_row_not_finite(values, pool);
  if (row < values.rows) throw_not_finite(values.row(row), row, name);
}

template std::uint64_t first_row_not_finite(matrix_view<float> values, worker_pool& pool);
template std::uint64_t first_row_not_finite(matrix_view<double> values, worker_pool& pool);
template void throw_not_finite(std::span<const float> values, std::uint64_t row, const std::string& name);
template void throw_not_finite(std::span<const double> values, std::uint64_t row, const std::string& name);
template void require_finite(matrix_view<float> values, const std::string& name, worker_pool& pool);
template void require_finite(matrix_view<double> values, const std::string& name, worker_pool& pool);

}  // namespace duomap
