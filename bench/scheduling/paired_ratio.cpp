// Takes the median of ratios round by round and estimates its error.
#include "bench/scheduling/paired_ratio.hpp"

#include "bench/harness/percentile.hpp"

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace duomap::apps {
namespace {

paired_ratio paired(const std::vector<double>& over, const std::vector<double>& under) {
  std::vector<double> ratios;
  for (std::size_t round = 0; round < over.size(); ++round) ratios.push_back(over[round] / under[round]);
  const double middle = median(ratios);
  const double rounds = static_cast<double>(ratios.size());
  for (double& one : ratios) one = std::abs(one - middle);
  // 1.4826 turns the median deviation of a normal distribution into its standard deviation; 1.2533 is the
  // error of a median over the error of a mean.
  return {middle, 1.2533 * 1.4826 * median(std::move(ratios)) / std::sqrt(rounds)};
}

}  // namespace

paired_ratio ratio_of(const series& over, const series& under) {
  return paired(over.seconds(), under.seconds());
}

paired_ratio processor_ratio_of(const series& over, const series& under) {
  return paired(over.processor_seconds(), under.processor_seconds());
}

}  // namespace duomap::apps
