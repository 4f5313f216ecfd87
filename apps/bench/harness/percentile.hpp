// The middle and the spread of measured times: the one place that says what a percentile is.
// host only
#pragma once

#include <vector>

namespace duomap::apps {

/// The value below which a part of the sorted values lies: at place part * (n - 1), counted from 0, between
/// two values in proportion (definition 7 of Hyndman and Fan, "Sample Quantiles in Statistical Packages",
/// 1996: what NumPy does by default). Requires values, and a part in [0, 1].
[[nodiscard]] double percentile(std::vector<double> values, double part);

/// percentile(values, 0.5): the middle value; of an even number, the mean of the two middle ones.
[[nodiscard]] double median(std::vector<double> values);

/// What a table shows of a row's samples, in their unit.
struct spread {
  double p10 = 0;
  double middle = 0;
  double p90 = 0;
};

/// Requires values. Of few samples p10 and p90 are near the least and the largest; of one, all three are it.
[[nodiscard]] spread spread_of(const std::vector<double>& values);

}  // namespace duomap::apps
