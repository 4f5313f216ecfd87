// The options for sharing the grains of a run.
#pragma once

#include "scheduler/thresholds/dispatch_thresholds.hpp"

#include <limits>
#include <vector>

namespace duomap::scheduler {

/// The rules by which executors share grains.
enum class dispatch_rule {
  /// Each device eats an interval of its own from the low end. Pools and idle devices eat from the high end
  /// of the interval that would take longest. Claims shrink towards the meeting point, which is the split.
  converging,
  /// Each executor has an interval of its own, set beforehand, and touches no other.
  split,
};

struct dispatch_options {
  dispatch_rule rule = dispatch_rule::converging;
  /// For `split`: the share of each executor; they add up to 1.
  std::vector<double> shares = {};
  /// A device is overdue when a step takes more than 10 times the expected time and also more than a least
  /// time. For a chunk: `late_chunk_seconds`, longer than any pause of the system. For a start, a commit or a
  /// block of a stream: `late_commit_seconds`, because nobody can predict how long building kernels, merging
  /// on the host or mapping one long record takes.
  double late_chunk_seconds = dispatch_thresholds::late_chunk_seconds;
  double late_commit_seconds = dispatch_thresholds::late_commit_seconds;
  /// For `converging`: pools leave everything to the devices for this time, as long as a device takes part.
  double hold_back_seconds = 0;
  /// For `converging`: a run that has taken this time starts its devices, whatever their gain.
  double start_after_seconds = std::numeric_limits<double>::infinity();
  /// The number of a pool's workers that are throttled while devices are being started beside the run.
  unsigned reserved = 0;
  /// For `converging`: the caller works alone for this time, in place of a pool that is the only executor.
  double caller_seconds = 0;
  /// If true, the pools are held back to measure devices of unknown rate, only until that is done. If false,
  /// they are held back because the devices alone are known to be best.
  bool solo_warm_up = false;
};

}  // namespace duomap::scheduler
