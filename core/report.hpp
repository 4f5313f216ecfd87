// The report of a run: its numbers, and the reasons for its decisions.
#pragma once

#include "core/engine_kind.hpp"
#include "core/executor_traits.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace duomap {

/// The part of one executor in a run.
struct executor_report {
  std::string name;          ///< "cpu", "gpu 0: NVIDIA H200"
  unsigned workers = 0;      ///< threads (CPU) or 1 (GPU)
  std::uint64_t chunks = 0;  ///< chunks processed
  std::uint64_t units = 0;   ///< bytes (or indices) processed
  double busy_seconds = 0;   ///< time at work, summed over workers
  double wait_seconds = 0;   ///< time without work, summed over workers
  std::string trouble = {};  ///< why it stopped before the end, a sentence; empty if it did not

  std::string reason = {};    ///< why it got no work, a part of a sentence; empty: it got some
  double start_seconds = 0;   ///< time until the device was ready
  double commit_seconds = 0;  ///< the longest commit
  double copy_seconds = 0;    ///< time to copy all chunks to the device, if known
  double compute_seconds = 0;
  std::uint64_t refused = 0;  ///< chunks for which device memory ran out, done again as smaller ones

  /// The time of a chunk that does not depend on its size, and the time per unit while all workers work. Both
  /// are medians; 0 if not measured.
  double claim_seconds = 0;
  double seconds_per_unit = 0;
  /// Like seconds_per_unit, but while no other executor works; 0 if not measured.
  double alone_seconds_per_unit = 0;
  /// The fraction of a pool's workers that was best beside working devices; nothing if not measured.
  std::optional<double> beside = std::nullopt;
  double deviation = 0;  ///< median deviation of seconds_per_unit from chunk to chunk, as a fraction of it
  engine_figures engine = {};  ///< figures of a GPU's engine
  executor_kind kind = executor_kind::pool;
};

/// An event of one thread, or of the copies or kernels of one device. The times of a device are converted to
/// the host's clock by one event that both clocks saw. The conversion is wrong by up to about 10
/// microseconds, and by the drift of the clocks during the run.
struct timeline_event {
  std::string lane = {};  ///< events of one lane never overlap: "cpu worker 3"
  const char* what = "";
  double begin = 0;  ///< seconds since the run began
  double end = 0;
  std::uint64_t units = 0;  ///< bytes (or indices) of the event; 0: it has none
};

/// Why a process starts its devices, or not yet: it compares the time that they would have saved so far with
/// the cost of their start (scheduler/history/start_account.hpp). In seconds.
struct device_account {
  double spent = 0;      ///< time of the earlier runs of this process
  double missed = 0;     ///< time that devices would have saved in the earlier runs without devices
  double saved = 0;      ///< time that devices saved in the earlier runs with devices
  double coming = 0;     ///< time that devices are expected to save in this run
  double expected = 0;   ///< time that devices saved an earlier process with this task; 0: not known
  double start = 0;      ///< the most that starting devices costs the process
  bool started = false;  ///< devices were started during this run, for the next ones
  bool ready = false;    ///< devices were started before this run
};

/// The report of a whole run. Times are wall-clock seconds.
struct run_report {
  std::string task;
  std::uint64_t sources = 0;  ///< files and streams read
  std::uint64_t units = 0;    ///< bytes (or indices) processed, after decompression
  std::uint64_t results = 0;  ///< distinct keys (or rows) in the result
  double map_seconds = 0;     ///< reading, map and local reduce
  double merge_seconds = 0;   ///< combining the partials
  /// An executor stopped before the end, and other executors did its work. The answer is the same.
  bool degraded = false;
  std::vector<executor_report> executors;
  std::optional<device_account> account = std::nullopt;  ///< for an automatic run
  std::vector<timeline_event> timeline;                  ///< filled if the caller asked for it
  std::vector<std::string> notes;                        ///< reasons, each a sentence: "no GPU used: ..."
};

}  // namespace duomap
