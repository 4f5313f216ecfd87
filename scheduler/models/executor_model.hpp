// The believed speed of an executor on a task: a straight line, and its fixed costs at the beginning and at
// the end.
#pragma once

#include <optional>

namespace duomap::scheduler {

/// The time an executor needs for n units in c claims is believed to be
///   start_seconds + c * claim_seconds + n * seconds_per_unit + end_seconds
/// (the linear model of Qilin, MICRO 2009, with the fixed costs apart, because they are paid at different
/// times). A belief may be wrong: it decides how a run begins; measurements decide how it goes on.
///
/// Units are the bytes or indices of an input. The dispatcher, which shares grains, uses the same model per
/// grain (grain_model.hpp).
struct executor_model {
  /// The time of a unit with all its workers together; 0 when nothing is known.
  double seconds_per_unit = 0;
  /// Fixed cost of one claim: launches, the latency of a copy.
  double claim_seconds = 0;
  /// Time before the executor's first claim; 0 when it is ready. A CUDA context takes 0.19 s on an H200.
  double start_seconds = 0;
  /// Time after the executor's last claim, to bring its partial to the host.
  double end_seconds = 0;
  /// seconds_per_unit while no other executor is at work; 0 when not known.
  double solo_seconds_per_unit = 0;
  /// For a pool that reads streams: the time to read and decompress a unit, beside seconds_per_unit; 0 when
  /// not known.
  double read_seconds_per_unit = 0;
  /// For a pool: the share of its workers that is best beside devices
  /// (scheduler/dispatch/dispatcher/contention_search.hpp).
  std::optional<double> co_run_share = std::nullopt;
  /// A unit takes at least this time, because its bytes have to come over a link; 0 when there is no such
  /// limit. It also holds for a device whose speed is not known.
  double least_seconds_per_unit = 0;
  /// Whether the speed is believed: measured by this program on this machine, recent, not refuted by the last
  /// runs, and no mere estimate. If it is, first claims may be as large as the model says; otherwise they are
  /// probes that grow.
  bool trusted = true;
  /// Only a run that was too short for a measurement has shown this speed: the executor takes no longer, and
  /// may take much less.
  bool at_most = false;

  [[nodiscard]] constexpr bool known() const noexcept { return seconds_per_unit > 0; }
};

}  // namespace duomap::scheduler
