// Computes the median and the spread of measured times. Every percentile of the benchmarks is computed here.
// host only
#pragma once

#include <vector>

namespace duomap::apps {

/// The value at place part * (n - 1) of the n sorted values, counted from 0, with linear interpolation
/// between two values (definition 7 of Hyndman and Fan, "Sample Quantiles in Statistical Packages", 1996,
/// NumPy's default). Requires values, and a part in [0, 1].
[[nodiscard]] double percentile(std::vector<double> values, double part);

/// percentile(values, 0.5): the middle value, or the mean of the two middle values.
[[nodiscard]] double median(std::vector<double> values);

/// The percentiles of a row that tables show, in the unit of its values.
struct spread {
  double p10 = 0;
  double middle = 0;
  double p90 = 0;
};

/// Requires values. For few values p10 and p90 are near the least and the largest; for one value all three
/// are equal.
[[nodiscard]] spread spread_of(const std::vector<double>& values);

}  // namespace duomap::apps
