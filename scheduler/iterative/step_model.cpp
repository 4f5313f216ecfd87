// Fits a line to the times of a member's steps, and forgets sizes whose times no longer hold.
#include "scheduler/iterative/step_model.hpp"

#include "scheduler/history/learning.hpp"
#include "scheduler/iterative/iterative_thresholds.hpp"
#include "scheduler/models/keep_last.hpp"
#include "scheduler/models/linear_fit.hpp"
#include "scheduler/thresholds/planner_thresholds.hpp"

#include <algorithm>
#include <cmath>

namespace duomap::scheduler {

double typical(const std::vector<double>& values) {
  return values.size() <= 2 ? *std::min_element(values.begin(), values.end()) : median(values);
}

double step_model::largest() const noexcept {
  double most = 0;
  for (const visit& one : visits_) most = std::max(most, one.grains);
  return most;
}

void step_model::add(double grains, double seconds) {
  if (visits_.empty() || visits_.back().grains != grains) {
    expect(grains);
    std::erase_if(visits_, [&](const visit& one) { return one.grains == grains; });
    if (visits_.size() == iterative_thresholds::most_visits) visits_.erase(visits_.begin());
    visits_.push_back({.grains = grains});
  }
  std::vector<double>& last = visits_.back().last;
  keep_last(last, seconds, iterative_thresholds::typical_steps);
  const double took = typical(last);
  const double nearest = std::clamp(took, expected_.least, expected_.most);
  if (last.size() > 1 && std::abs(took - nearest) > surprise * nearest)
    visits_.erase(visits_.begin(), visits_.end() - 1);
  if (last.size() == measured_thresholds.few) expected_ = {took, took};
  fit();
}

// Sets the expected range of a step's time. If all known sizes are similar, any part of their time may be a
// fixed cost.
void step_model::expect(double grains) {
  if (has_line_ || visits_.empty()) {
    expected_ = {seconds(grains), seconds(grains)};
    return;
  }
  const double if_fixed = typical(visits_.back().last);
  const double if_not = if_fixed / visits_.back().grains * grains;
  expected_ = {std::min(if_fixed, if_not), std::max(if_fixed, if_not)};
}

void step_model::fit() {
  const visit& newest = visits_.back();
  const double now = typical(newest.last);
  const visit* farthest = nullptr;
  double spread = measured_thresholds.growth;
  for (const visit& one : visits_) {
    const double apart = std::max(one.grains / newest.grains, newest.grains / one.grains);
    if (apart < spread) continue;
    spread = apart;
    farthest = &one;
  }
  has_line_ = farthest != nullptr;
  if (has_line_) {
    const double then = typical(farthest->last);
    const double slope = (now - then) / (newest.grains - farthest->grains);
    // Neither the fixed part nor the slope may be 0: a step over no data still costs time, and a step over
    // more data costs more.
    fixed_ = std::clamp(now - slope * newest.grains, 0.0,
                        (1 - measured_thresholds.least_gain) * std::min(now, then));
  } else {
    fixed_ = std::min(fixed_, (1 - measured_thresholds.least_gain) * now);
  }
  per_grain_ = (now - fixed_) / newest.grains;
}

}  // namespace duomap::scheduler
