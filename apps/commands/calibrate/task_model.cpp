// Fits models to the runs of a calibration, and computes rates and splits from them.
#include "apps/commands/calibrate/task_model.hpp"

#include "scheduler/models/linear_fit.hpp"
#include "scheduler/models/water_level.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>

namespace duomap::apps {
namespace {

using scheduler::median;

double median_or_zero(std::vector<double> values) { return values.empty() ? 0 : median(std::move(values)); }

}  // namespace

double seconds_of(const run_report& run) { return run.map_seconds + run.merge_seconds; }

std::optional<fitted_model> fit_runs(std::span<const run_report> runs, std::uint64_t below) {
  std::map<std::uint64_t, std::vector<double>> by_size;
  for (const run_report& run : runs) {
    if (run.units > 0 && run.units < below) by_size[run.units].push_back(seconds_of(run));
  }
  std::vector<scheduler::timed_chunk> medians;
  for (const auto& [units, seconds] : by_size)
    medians.push_back({static_cast<double>(units), median(seconds)});
  const auto line = scheduler::fit_line(medians);
  if (!line || !(line->per_size > 0)) return std::nullopt;
  fitted_model model{.fixed_seconds = line->fixed,
                     .seconds_per_unit = line->per_size,
                     .sizes = static_cast<unsigned>(by_size.size())};
  std::vector<double> off;
  for (const auto& [units, all] : by_size) {
    const double expected = model.seconds(units);
    for (const double seconds : all) off.push_back(std::abs(seconds - expected) / expected);
  }
  model.runs = static_cast<unsigned>(off.size());
  model.deviation = median(std::move(off));
  return model;
}

double median_seconds(std::span<const run_report> runs, std::uint64_t units) {
  std::vector<double> seconds;
  for (const run_report& run : runs) {
    if (run.units == units) seconds.push_back(seconds_of(run));
  }
  return median_or_zero(std::move(seconds));
}

stage_rates stages_of(std::span<const run_report> runs) {
  std::uint64_t most = 0;
  for (const run_report& run : runs) most = std::max(most, run.units);
  std::vector<double> copies;
  std::vector<double> computes;
  for (const run_report& run : runs) {
    if (run.units != most) continue;
    for (const executor_report& one : run.executors) {
      const auto units = static_cast<double>(one.units);
      if (one.copy_seconds > 0) copies.push_back(units / one.copy_seconds);
      if (one.compute_seconds > 0) computes.push_back(units / one.compute_seconds);
    }
  }
  return {median_or_zero(std::move(copies)), median_or_zero(std::move(computes))};
}

ideal_split ideal_split_of(std::span<const fitted_model> models, std::uint64_t units) {
  std::vector<scheduler::executor_forecast> all;
  for (const fitted_model& one : models) all.push_back({one.fixed_seconds, one.seconds_per_unit});
  ideal_split split;
  split.seconds = scheduler::water_level(static_cast<double>(units), all);
  for (const scheduler::executor_forecast& one : all)
    split.shares.push_back(scheduler::share_below(split.seconds, one) / static_cast<double>(units));
  return split;
}

std::vector<double> shares_of(std::span<const run_report> runs, std::uint64_t units) {
  std::vector<std::vector<double>> shares;
  for (const run_report& run : runs) {
    if (run.units != units || units == 0) continue;
    shares.resize(std::max(shares.size(), run.executors.size()));
    for (std::size_t i = 0; i < run.executors.size(); ++i)
      shares[i].push_back(static_cast<double>(run.executors[i].units) / static_cast<double>(units));
  }
  std::vector<double> medians;
  for (std::vector<double>& one : shares) medians.push_back(median(std::move(one)));
  return medians;
}

}  // namespace duomap::apps
