// The believed speed of an executor on a task: a straight line, with fixed costs at the beginning and at the
// end.
#pragma once

#include <optional>

namespace duomap::scheduler {

/// An executor is believed to need, for n units in c claims,
///   start_seconds + c * claim_seconds + n * seconds_per_unit + end_seconds
/// (the linear model of Qilin, MICRO 2009). The fixed costs are separate, because they are paid at different
/// times. A belief may be wrong. It decides how a run begins, and measurements decide how it goes on.
///
/// Units are the bytes or indices of an input. The dispatcher uses the same model per grain
/// (grain_model.hpp).
struct executor_model {
  /// The time of a unit with all the executor's workers together; 0 if nothing is known.
  double seconds_per_unit = 0;
  /// Fixed cost of one claim, such as launches and the latency of a copy.
  double claim_seconds = 0;
  /// Time before the executor's first claim; 0 if it is ready. Making a CUDA context on an H200 takes 0.19 s.
  double start_seconds = 0;
  /// Time after the executor's last claim, to bring its partial to the host.
  double end_seconds = 0;
  /// seconds_per_unit while no other executor is at work; 0 if not known.
  double solo_seconds_per_unit = 0;
  /// For a pool that reads streams: the time to read and decompress a unit, in addition to seconds_per_unit;
  /// 0 if not known.
  double read_seconds_per_unit = 0;
  /// For a pool: the share of its workers that is best while devices are at work
  /// (scheduler/dispatch/dispatcher/contention_search.hpp).
  std::optional<double> co_run_share = std::nullopt;
  /// A lower limit for the time of a unit, because its bytes have to come over a link; 0 if there is no
  /// limit. It also holds for a device of unknown speed.
  double least_seconds_per_unit = 0;
  /// Whether the speed is trusted: this program measured it on this machine, recently, the last runs agreed,
  /// and it is no mere estimate. Then first claims may be as large as the model says. Otherwise they are
  /// probes that grow.
  bool trusted = true;
  /// Whether the speed comes only from a run that was too short for a measurement. The executor then takes at
  /// most this time, and maybe much less.
  bool at_most = false;

  [[nodiscard]] constexpr bool known() const noexcept { return seconds_per_unit > 0; }
};

}  // namespace duomap::scheduler
