// What is believed of an executor's speed on a task: a straight line, and what it costs to begin and to end.
#pragma once

#include <optional>

namespace duomap::scheduler {

/// The time an executor needs for n units in c claims is believed to be
///   start_seconds + c * claim_seconds + n * seconds_per_unit + end_seconds
/// (the linear model of Qilin, MICRO 2009, with the fixed costs apart, because they are paid at different
/// times). A belief may be wrong: it decides how a run begins, what is measured decides how it goes on.
///
/// Units are what an input counts: bytes or indices. What shares grains has the same per grain
/// (grain_model.hpp).
struct executor_model {
  /// Of all its workers together; 0 when nothing is known.
  double seconds_per_unit = 0;
  /// Fixed cost of one claim: launches, the latency of a copy.
  double claim_seconds = 0;
  /// Before its first claim: 0 when it is ready. A CUDA context takes 0.19 s on an H200.
  double start_seconds = 0;
  /// After its last claim: to bring what it found to the host.
  double end_seconds = 0;
  /// As seconds_per_unit, while no other executor is at work; 0 when not known.
  double solo_seconds_per_unit = 0;
  /// Of a pool that reads streams: what reading and decompressing a unit takes, beside seconds_per_unit; 0
  /// when not known.
  double read_seconds_per_unit = 0;
  /// Of a pool: the share of its workers that is best beside devices
  /// (scheduler/dispatch/dispatcher/contention_search.hpp).
  std::optional<double> co_run_share = std::nullopt;
  /// No unit can take less, because its bytes have to come over a link; 0 when nothing says so. Holds also
  /// of a device whose speed is not known.
  double least_seconds_per_unit = 0;
  /// Measured on this machine with this program: first claims may be as large as the model says. Otherwise
  /// they are probes that grow.
  bool trusted = true;
  /// Only a run that was too short to be a measurement has shown it: it takes no longer, and may take much
  /// less.
  bool at_most = false;

  [[nodiscard]] constexpr bool known() const noexcept { return seconds_per_unit > 0; }
};

}  // namespace duomap::scheduler
