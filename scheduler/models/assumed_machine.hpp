// What a machine takes as long as nobody has measured it.
#pragma once

#include <cstdint>

namespace duomap::scheduler {

/// Figures of hardware, not thresholds: those of one H200 and of a core beside it, which hold until a run has
/// measured the machine's own.
struct assumed_machine {
  /// To find a device and to make its context and its first kernel.
  double cold_start_seconds = 0.25;
  /// To find and to start it while the process goes on.
  double background_start_seconds = 0.2;
  /// To give back a device's context when the process ends, which no process can avoid (decision 52).
  double context_end_seconds = 0.1;
  /// A run of 1 KB on a device that is started.
  double warm_run_seconds = 0.5e-3;
  /// Large copies to it.
  double link_bytes_per_second = 55e9;
  /// What a worker maps: 0.13 GB while CUDA starts.
  double worker_bytes_per_second = 512 << 20;
  /// The buffers of a loop of an iterative job, in a process that has a context.
  double warm_resident_seconds = 3e-3;
  /// One copy of data that stay on the device, from ordinary memory,
  double resident_bytes_per_second = 20e9;
  /// and of so much that the feeder brings them (core/fed_resident_bytes.hpp): 8.6 GB took 177 ms.
  double fed_resident_bytes_per_second = 48e9;
};

}  // namespace duomap::scheduler
