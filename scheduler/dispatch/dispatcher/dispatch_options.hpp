// How the grains of a run are shared.
#pragma once

#include "scheduler/dispatch/dispatch_thresholds.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace duomap::scheduler {

/// How grains are shared.
enum class dispatch_rule {
  /// Each device eats an interval of its own from the low end, pools and idle devices eat from the high end
  /// of the one that would take longest; claims shrink towards the meeting point, which is the split.
  converging,
  /// Each executor has an interval of its own, set beforehand, and touches no other.
  split,
  /// One queue of packets of one size.
  packets,
  /// One queue; a packet is a part of what is left that goes with the executor's speed (HGuided of EngineCL).
  guided,
};

struct dispatch_options {
  dispatch_rule rule = dispatch_rule::converging;
  /// `split`: the share of each executor; they add up to 1.
  std::vector<double> shares = {};
  /// `packets`: how many there are.
  std::uint32_t packets = 50;
  /// A device is overdue with a chunk, a commit or its start, when that takes 10 times as long as expected
  /// and at least so long that no pause of the system explains it: for a start as long as for a commit, which
  /// also merges on the host, how much nobody knows.
  double late_chunk_seconds = dispatch_thresholds::late_chunk_seconds;
  double late_commit_seconds = dispatch_thresholds::late_commit_seconds;
  /// `converging`: for so long pools leave everything to the devices, as long as there is one that takes
  /// part.
  double hold_back_seconds = 0;
  /// `converging`: a run that has taken so long starts its devices, whatever they may do for it.
  double start_after_seconds = std::numeric_limits<double>::infinity();
  /// Workers of a pool that are throttled as long as devices are being started beside the run.
  unsigned reserved = 0;
  /// `converging`: for so long the caller works alone for a pool, which is the only executor.
  double caller_seconds = 0;
  /// That is to see what devices of unknown rate do alone, and ends when it is seen; else what they do is
  /// known to be best.
  bool solo_warm_up = false;
};

}  // namespace duomap::scheduler
