// The figures of a machine that nobody has measured yet.
#pragma once

#include <cstdint>

namespace duomap::scheduler {

/// Figures of hardware, not thresholds. They are those of one H200 and of a core beside it, and hold until a
/// run has measured the machine itself.
struct assumed_machine {
  /// Time to find a device and to make its context and its first kernel.
  double cold_start_seconds = 0.25;
  /// Time to find and start a device while the process does other work.
  double background_start_seconds = 0.2;
  /// Time to give back a device's context when the process ends; no process can avoid it (decision 52).
  double context_end_seconds = 0.1;
  /// Time of a run of 1 KB on a started device.
  double warm_run_seconds = 0.5e-3;
  /// The rate of large copies to a device.
  double link_bytes_per_second = 55e9;
  /// The rate at which a worker maps: 0.13 GB while CUDA starts.
  double worker_bytes_per_second = 512 << 20;
  /// Time to make the buffers for a loop of an iterative job, in a process that has a context.
  double warm_resident_seconds = 3e-3;
  /// The rate of one copy of resident data from ordinary memory,
  double resident_bytes_per_second = 20e9;
  /// and of one that is large enough for the feeder (core/fed_resident_bytes.hpp): 8.6 GB took 177 ms.
  double fed_resident_bytes_per_second = 48e9;
};

}  // namespace duomap::scheduler
