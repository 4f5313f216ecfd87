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

  std::string reason = {};    ///< why it was given nothing, a part of a sentence; empty: it was given some
  double start_seconds = 0;   ///< until a device was ready
  double commit_seconds = 0;  ///< the longest commit
  double copy_seconds = 0;    ///< of all chunks to the device, where known
  double compute_seconds = 0;
  std::uint64_t refused = 0;  ///< chunks that found no device memory and were done again, smaller

  /// The fixed time of a chunk, and its time per unit with all workers at work. Both are medians; 0 when not
  /// measured.
  double claim_seconds = 0;
  double seconds_per_unit = 0;
  /// seconds_per_unit while no other executor was at work; 0 when not measured.
  double alone_seconds_per_unit = 0;
  /// The fraction of a pool's workers that was best while devices were at work, too; nothing when not
  /// measured.
  std::optional<double> beside = std::nullopt;
  double deviation = 0;  ///< median deviation of seconds_per_unit from chunk to chunk, as a fraction of it
  engine_figures engine = {};  ///< of a GPU
  executor_kind kind = executor_kind::pool;
};

/// An event of one thread, or of the copies or kernels of one device. A device's times are moved to the
/// host's clock with the help of one event that both clocks saw. The moved times are wrong by up to about 10
/// microseconds, and by the drift of the clocks during the run.
struct timeline_event {
  std::string lane = {};  ///< events of one lane never overlap: "cpu worker 3"
  const char* what = "";
  double begin = 0;  ///< seconds since the run began
  double end = 0;
  std::uint64_t units = 0;  ///< bytes (or indices) of the event; 0: it has none
};

/// Why a process starts its devices, or not yet: the time that they would have saved so far, compared with
/// the cost of their start (scheduler/history/start_account.hpp). In seconds.
struct device_account {
  double spent = 0;      ///< time of the runs before this one
  double missed = 0;     ///< time that devices would have saved in those of these runs that had none
  double saved = 0;      ///< time that devices saved in those of these runs that had them
  double coming = 0;     ///< time that devices are expected to save in this run
  double expected = 0;   ///< time that devices saved an earlier process with this task; 0: not known
  double start = 0;      ///< the most that starting devices costs the process
  bool started = false;  ///< devices were started during this run, for the next ones
  bool ready = false;    ///< devices were started before this run
};

/// A whole run. Times are wall-clock seconds.
struct run_report {
  std::string task;
  std::uint64_t sources = 0;  ///< files and streams read
  std::uint64_t units = 0;    ///< bytes (or indices) processed, after decompression
  std::uint64_t results = 0;  ///< distinct keys (or rows) in the result
  double map_seconds = 0;     ///< reading, map and local reduce
  double merge_seconds = 0;   ///< combining the partials
  /// An executor stopped before the end and other executors did its work. The answer is the same.
  bool degraded = false;
  std::vector<executor_report> executors;
  std::optional<device_account> account = std::nullopt;  ///< of an automatic run
  std::vector<timeline_event> timeline;                  ///< when it was asked for
  std::vector<std::string> notes;                        ///< reasons, each a sentence: "no GPU used: ..."
};

}  // namespace duomap
