// Predicts a run on all of an input from a few runs on its parts.
// host only
#pragma once

#include "core/report.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace duomap::apps {

/// The runs of one choice of devices.
struct calibration_series {
  std::string name;  ///< "cpu", "gpu 0 (NVIDIA H200)", "together"
  std::vector<run_report> runs;
};

/// A straight line through the medians of the runs of each size (scheduler/models/linear_fit.hpp).
struct fitted_model {
  double fixed_seconds = 0;
  double seconds_per_unit = 0;
  double deviation = 0;  ///< median distance of the runs from the line, as a part of the line's value
  unsigned runs = 0;
  unsigned sizes = 0;

  [[nodiscard]] double seconds(std::uint64_t units) const {
    return fixed_seconds + static_cast<double>(units) * seconds_per_unit;
  }
};

/// Seconds of a run: map and merge, not the start of a device.
[[nodiscard]] double seconds_of(const run_report& run);

/// The model from all runs of fewer than `below` units. Nothing when these runs have fewer than three sizes,
/// when the sizes span less than a factor of 8, or when larger runs took no longer.
[[nodiscard]] std::optional<fitted_model> fit_runs(std::span<const run_report> runs, std::uint64_t below);

/// The median seconds of the runs of exactly `units` units; 0 when there is no such run.
[[nodiscard]] double median_seconds(std::span<const run_report> runs, std::uint64_t units);

/// Units per second at which chunks were copied to the devices and computed on them: medians over the runs
/// with the most units; 0 when not known.
struct stage_rates {
  double copy = 0;
  double compute = 0;
};
[[nodiscard]] stage_rates stages_of(std::span<const run_report> runs);

/// The split with which all devices end at the same time, if none slows another one down (water filling,
/// scheduler/models/water_level.hpp): the time of the run, and each device's share of the units.
struct ideal_split {
  double seconds = 0;
  std::vector<double> shares;
};
[[nodiscard]] ideal_split ideal_split_of(std::span<const fitted_model> models, std::uint64_t units);

/// The share of each executor in the runs of exactly `units` units: the median over these runs.
[[nodiscard]] std::vector<double> shares_of(std::span<const run_report> runs, std::uint64_t units);

}  // namespace duomap::apps
