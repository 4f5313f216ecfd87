// One cell of the scheduling benchmark: a task over an input of one size, run in every way.
// host only
#pragma once

#include "apps/bench/scheduling/paired_ratio.hpp"
#include "apps/bench/scheduling/workload.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::apps {

/// What is measured of a cell beside CPU alone, GPU alone, `auto` and both devices.
struct cell_options {
  round_limits rounds;
  std::string profiles;         ///< folder: what earlier cells have learned is known here, as to a user
  std::string auto_profiles;    ///< the same for `auto`: it may have run without GPUs
  bool policies = false;        ///< the ways of other systems to split
  bool best_split = false;      ///< the best split by hand, found by trying
  double worth_trying = 10e-3;  ///< seconds of the fastest run below which that is not done
};

/// The names of a cell's series.
namespace way {
inline constexpr std::string_view cpu = "cpu";
inline constexpr std::string_view gpu = "gpu";
inline constexpr std::string_view automatic = "auto";
inline constexpr std::string_view both = "cpu+gpu";
}  // namespace way

/// What was measured, and what follows from it.
struct cell {
  std::string task;
  std::uint64_t bytes = 0;
  std::vector<series> all;
  std::optional<double> best_share;  ///< of the best split by hand, to the GPUs
  std::string best_name;             ///< its series
  double skew = 0;  ///< of a run on both: between the ends of the first and the last device, as a part of it

  /// Null when it was not measured.
  [[nodiscard]] const series* find(std::string_view name) const;
  [[nodiscard]] const series& get(std::string_view name) const;
  /// CPU alone or GPU alone, whichever is faster.
  [[nodiscard]] const series& best_alone() const;
  /// Time of the best device alone over that of a way: below 1 the way is slower.
  [[nodiscard]] paired_ratio gain(std::string_view name) const;
  /// The time that the sum of both devices' throughputs would take over the time it took. Needs both.
  [[nodiscard]] double efficiency(std::string_view name) const;
  /// Throughput of the slower device alone as a part of the faster one's.
  [[nodiscard]] double slower_part() const;
  /// What it took over the least of the devices alone and the best split by hand, less 1.
  [[nodiscard]] double regret(std::string_view name) const;
  /// The GPUs' part of the input in the last run on both.
  [[nodiscard]] double gpu_part() const;
};

[[nodiscard]] cell measure_cell(const workload& one, const cell_options& options, const run_control& control);

}  // namespace duomap::apps
