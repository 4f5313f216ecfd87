// The report of a run: its numbers, and the reasons for its decisions.
#pragma once

#include "core/engine_kind.hpp"
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

  /// The time of a chunk: fixed, and per unit with all workers at work. Medians; 0 when not measured.
  double claim_seconds = 0;
  double seconds_per_unit = 0;
  /// The same while no other executor was at work; 0 when it was not measured.
  double alone_seconds_per_unit = 0;
  /// The share of a pool's workers that was best in a co-run with devices; nothing when not measured.
  std::optional<double> beside = std::nullopt;
  double deviation = 0;        ///< median deviation of seconds_per_unit from chunk to chunk, as a part of it
  engine_figures engine = {};  ///< of a GPU
  executor_kind kind = executor_kind::pool;
};

/// An event of one thread, or of the copies or kernels of one device. Times of a device are moved to the
/// host's clock with the help of one event that both saw. They fit to about 10 microseconds, and to the drift
/// of the clocks during the run.
struct timeline_event {
  std::string lane = {};  ///< things of one lane never overlap: "cpu worker 3"
  const char* what = "";
  double begin = 0;  ///< seconds since the run began
  double end = 0;
  std::uint64_t units = 0;  ///< bytes (or indices) of the event; 0: it has none
};

/// Why a process starts its devices, or not yet: the time that they would have saved so far, compared with
/// the cost of their start (scheduler/history/start_account.hpp). In seconds.
struct device_account {
  double spent = 0;      ///< the runs before this one have taken
  double missed = 0;     ///< devices would have saved in those of them that ran without
  double saved = 0;      ///< devices saved in those of them that ran with them
  double coming = 0;     ///< devices are expected to save in this run
  double expected = 0;   ///< devices saved an earlier process with this task; 0: not known
  double start = 0;      ///< the most that starting devices costs the process
  bool started = false;  ///< they were started during this run, for the next ones
  bool ready = false;    ///< they were started before this run
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
  std::optional<device_account> account = std::nullopt;  ///< of an automatic run
  double planned_seconds = 0;                            ///< for the map phase; 0 when nothing was known
  std::vector<timeline_event> timeline;                  ///< when it was asked for
  std::vector<std::string> notes;                        ///< reasons, each a sentence: "no GPU used: ..."
};

}  // namespace duomap
