// Sorts values and interpolates between them.
#include "bench/harness/percentile.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <cmath>

namespace duomap::apps {

double percentile(std::vector<double> values, double part) {
  expects(!values.empty(), "a percentile needs values");
  expects(part >= 0 && part <= 1, "a percentile is asked for as a part in [0, 1]");
  std::sort(values.begin(), values.end());
  const double place = part * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return std::lerp(values[below], values[above], place - static_cast<double>(below));
}

double median(std::vector<double> values) { return percentile(std::move(values), 0.5); }

spread spread_of(const std::vector<double>& values) {
  return {percentile(values, 0.1), percentile(values, 0.5), percentile(values, 0.9)};
}

}  // namespace duomap::apps
