// Statistics of the different numbers of a column, each with its number of rows.
// host only
#pragma once

#include "apps/tasks/table/column_plan.hpp"
#include "apps/tasks/table/decimal_fraction.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace duomap::apps {

/// A number of a column, and the rows that have it. A column of doubles has numbers as ordered_bits(); other
/// columns have numbers in units of 10^-scale.
struct counted_number {
  std::int64_t number = 0;
  std::uint64_t rows = 0;  ///< at least 1
};

// The numbers of each span ascend. A span without numbers has no statistic.

/// The number that most rows have; the smallest one where several have most rows.
[[nodiscard]] std::optional<std::int64_t> mode_of(std::span<const counted_number> numbers);

/// The quantile, interpolated linearly between the two numbers next to it in the order of all rows. Between
/// integers or decimals it is the double next to the exact quantile.
[[nodiscard]] std::optional<double> quantile_of(std::span<const counted_number> numbers,
                                                const decimal_fraction& at, const number_type& type);

/// The variance of a sample; nothing for a single row.
[[nodiscard]] std::optional<long double> variance_of(std::span<const counted_number> numbers,
                                                     const number_type& type);

}  // namespace duomap::apps
