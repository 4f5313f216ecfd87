// What a run did: the numbers and reasons every run can explain itself with.
#pragma once

#include "core/engine_figures.hpp"
#include "core/executor_traits.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace duomap {

/// One executor's share of a run.
struct executor_report {
  std::string name;          ///< "cpu", "gpu 0: NVIDIA H200"
  unsigned workers = 0;      ///< threads (CPU) or 1 (GPU)
  std::uint64_t chunks = 0;  ///< chunks processed
  std::uint64_t units = 0;   ///< bytes (or indices) processed
  double busy_seconds = 0;   ///< summed over workers
  double wait_seconds = 0;   ///< with nothing to do, summed over workers
  std::string trouble = {};  ///< why it stopped before the end, a sentence; empty if it did not

  double planned_share = 0;      ///< of the input, before the run
  std::string plan_reason = {};  ///< why that is 0, a part of a sentence; empty when it is not
  double start_seconds = 0;      ///< until a device was ready
  double commit_seconds = 0;     ///< the longest commit
  double copy_seconds = 0;       ///< of all chunks to the device, where known
  double compute_seconds = 0;
  std::uint64_t refused = 0;  ///< chunks that found no device memory and were done again, smaller

  /// What a chunk took: fixed, and for each unit with all workers at work. Medians; 0 when not measured.
  double claim_seconds = 0;
  double seconds_per_unit = 0;
  /// The same while no other executor was at work; 0 when it was not measured.
  double alone_seconds_per_unit = 0;
  /// Of a pool, the share of its workers that was best beside devices; nothing when that was not measured.
  std::optional<double> beside = std::nullopt;
  double deviation = 0;        ///< median deviation of seconds_per_unit from chunk to chunk, as a part of it
  engine_figures engine = {};  ///< of a GPU
  executor_kind kind = executor_kind::pool;
};

/// What one thread, or the copies or kernels of one device, did for a while. Those of a device are placed on
/// the host's clock by one event that both saw: to about 10 microseconds, and as far as the clocks drift
/// apart during the run.
struct timeline_event {
  std::string lane = {};  ///< things of one lane never overlap: "cpu worker 3"
  const char* what = "";
  double begin = 0;  ///< seconds since the run began
  double end = 0;
  std::uint64_t units = 0;  ///< bytes (or indices) that it was about; 0: about none
};

/// Why a process starts its devices, or not yet: what they would have saved of its runs so far, against what
/// starting them costs it (scheduler/history/start_account.hpp). Seconds.
struct device_account {
  double missed = 0;     ///< of the runs before this one
  double coming = 0;     ///< that they are expected to save of this run
  double expected = 0;   ///< what they were worth to an earlier process with this task; 0: not known
  double start = 0;      ///< what starting them costs the process, at most
  bool started = false;  ///< they were started beside this run, for the next ones
};

/// A whole run. Times are wall-clock seconds.
struct run_report {
  std::string task;
  std::uint64_t sources = 0;  ///< files and streams read
  std::uint64_t units = 0;    ///< bytes (or indices) processed, after decompression
  std::uint64_t results = 0;  ///< distinct keys (or rows) in the result
  double map_seconds = 0;     ///< reading, map and local reduce
  double merge_seconds = 0;   ///< combining the partials
  /// An executor stopped before the end and the others did its work. The answer is the same.
  bool degraded = false;
  std::vector<executor_report> executors;
  std::optional<device_account> account = std::nullopt;  ///< of an automatic run without started devices
  double planned_seconds = 0;                            ///< for the map phase; 0 when nothing was known
  std::vector<timeline_event> timeline;                  ///< when it was asked for
  std::vector<std::string> notes;                        ///< reasons, each a sentence: "no GPU used: ..."
};

}  // namespace duomap
