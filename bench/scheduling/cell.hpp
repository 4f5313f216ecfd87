// One cell of the scheduling benchmark: a task over an input of one size, run in every way.
// host only
#pragma once

#include "bench/scheduling/paired_ratio.hpp"
#include "bench/scheduling/workload.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::apps {

/// The ways that a cell measures beside CPU alone, GPU alone, `auto` and both devices.
struct cell_options {
  round_limits rounds;
  std::string profiles;            ///< the folder with the profiles of earlier cells, as a user has one
  std::string auto_profiles;       ///< the folder for `auto`, which may have run without GPUs
  const workload* part = nullptr;  ///< a part of the input, from which other systems' splits are computed;
                                   ///< null: these are left out
  bool best_split = false;         ///< also finds the best split by hand, by trying
  double worth_trying = 10e-3;     ///< seconds; if a run on both is shorter, no best split is sought
};

/// The names of a cell's series.
namespace way {
inline constexpr std::string_view cpu = "cpu";
inline constexpr std::string_view gpu = "gpu";
inline constexpr std::string_view automatic = "auto";
inline constexpr std::string_view both = "cpu+gpu";
inline constexpr std::string_view mars = "mars";
inline constexpr std::string_view qilin = "qilin";
}  // namespace way

/// The measured series of a cell, and the figures that follow from them.
struct cell {
  std::string task;
  std::uint64_t bytes = 0;
  std::vector<series> all;
  std::optional<double> best_share;  ///< the GPUs' share in the best split by hand
  std::string best_name;             ///< the name of the best split's series
  double skew = 0;  ///< of a run on both: the time between the ends of the first and the last device, as a
                    ///< part of the run

  /// The series of a way; null when it was not measured.
  [[nodiscard]] const series* find(std::string_view name) const;
  [[nodiscard]] const series& get(std::string_view name) const;
  /// The faster of CPU alone and GPU alone.
  [[nodiscard]] const series& best_alone() const;
  /// The time of the best device alone, divided by the time of a way; below 1 the way is slower.
  [[nodiscard]] paired_ratio gain(std::string_view name) const;
  /// The time of an ideal run, at the sum of both devices' throughputs, divided by the time of a way.
  /// Requires that CPU alone and GPU alone are measured.
  [[nodiscard]] double efficiency(std::string_view name) const;
  /// The throughput of the slower device alone, as a part of the faster device's.
  [[nodiscard]] double slower_to_faster() const;
  /// The time of a way, divided by the best time among the devices alone and the best split by hand, less 1.
  [[nodiscard]] double regret(std::string_view name) const;
  /// The GPUs' part of the input in the last run on both devices.
  [[nodiscard]] double gpu_part() const;
};

[[nodiscard]] cell measure_cell(const workload& one, const cell_options& options, const run_control& control);

}  // namespace duomap::apps
