// Fits a line to the times of chunks by the medians of slopes and of the remaining times.
#include "scheduler/models/linear_fit.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace duomap::scheduler {

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

std::optional<line> fit_line(std::span<const timed_chunk> chunks) {
  if (chunks.size() < 3) return std::nullopt;
  const auto [least, most] =
      std::minmax_element(chunks.begin(), chunks.end(),
                          [](const timed_chunk& a, const timed_chunk& b) { return a.size < b.size; });
  if (most->size < 8 * least->size) return std::nullopt;
  std::vector<double> slopes;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (chunks[i].size == chunks[j].size) continue;
      slopes.push_back((chunks[i].seconds - chunks[j].seconds) / (chunks[i].size - chunks[j].size));
    }
  }
  const double slope = std::max(median(std::move(slopes)), 0.0);
  std::vector<double> rest;
  for (const timed_chunk& one : chunks) rest.push_back(one.seconds - slope * one.size);
  return line{std::max(median(std::move(rest)), 0.0), slope};
}

}  // namespace duomap::scheduler
