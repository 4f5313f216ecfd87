// The options for how executors share the grains of a run.
#pragma once

#include "scheduler/thresholds/dispatch_thresholds.hpp"

#include <limits>
#include <vector>

namespace duomap::scheduler {

/// The rules by which executors share grains.
enum class dispatch_rule {
  /// Each device takes grains from the low end of its own interval. Pools and idle devices take grains from
  /// the high end of the interval that would take longest. Claims shrink towards the point where the ends
  /// meet.
  converging,
  /// Each executor has its own interval, whose size is set before the run, and takes nothing from others.
  split,
};

struct dispatch_options {
  dispatch_rule rule = dispatch_rule::converging;
  /// For `split`: the share of each executor. The shares add up to 1.
  std::vector<double> shares = {};
  /// A device is overdue when a step takes more than 10 times its expected time and more than a least time.
  /// The least time of a chunk is `late_chunk_seconds`, longer than any pause of the system. The least time
  /// of a start, a commit or a block of a stream is `late_commit_seconds`. Nobody can predict the time of
  /// these: they may build kernels, merge on the host or map one long record.
  double late_chunk_seconds = dispatch_thresholds::late_chunk_seconds;
  double late_commit_seconds = dispatch_thresholds::late_commit_seconds;
  /// For `converging`: pools take no grains for this time, as long as a device takes part.
  double hold_back_seconds = 0;
  /// For `converging`: a run that has taken this time starts its devices, even if they promise no gain.
  double start_after_seconds = std::numeric_limits<double>::infinity();
  /// The number of a pool's workers that are throttled while devices are being started during the run.
  unsigned reserved = 0;
  /// For `converging`: the calling thread works alone for this time, if a pool is the only executor.
  double caller_seconds = 0;
  /// If true, the pools are held back only until devices of unknown rate are measured. If false, they are
  /// held back because devices alone are known to be best.
  bool solo_warm_up = false;
};

}  // namespace duomap::scheduler
