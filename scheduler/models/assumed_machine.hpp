// The figures that are assumed for a machine that nobody has measured yet.
#pragma once

#include <cstdint>

namespace duomap::scheduler {

/// Figures of hardware, not thresholds: those of one H200 and of a core beside it. They hold until a run has
/// measured the machine itself.
struct assumed_machine {
  /// Time to find a device and to make its context and its first kernel.
  double cold_start_seconds = 0.25;
  /// Time to find and start a device while the process does other work.
  double background_start_seconds = 0.2;
  /// Time to give back a device's context when the process ends. No process can avoid it (decision 52).
  double context_end_seconds = 0.1;
  /// Time of a run over 1 KB on a device that has started.
  double warm_run_seconds = 0.5e-3;
  /// The rate of large copies to a device.
  double link_bytes_per_second = 55e9;
  /// The rate at which a worker maps. A worker maps 0.13 GB while CUDA starts.
  double worker_bytes_per_second = 512 << 20;
  /// Time to make the buffers for a device's loop in an iterative job, if the process has a context.
  double warm_resident_seconds = 3e-3;
  /// The rate of a copy of resident data from ordinary memory to a device.
  double resident_bytes_per_second = 20e9;
  /// The rate of a large copy, which the feeder does (core/feeder_threshold.hpp): 8.6 GB took 177 ms.
  double fed_resident_bytes_per_second = 48e9;
};

}  // namespace duomap::scheduler
