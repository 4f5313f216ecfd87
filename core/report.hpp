// What a run did: the numbers and reasons every run can explain itself with.
#pragma once

#include <cstdint>
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
  double wait_seconds = 0;   ///< of these, with nothing to do
  std::string trouble;       ///< why it stopped before the end, a sentence; empty if it did not
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
  std::vector<std::string> notes;  ///< reasons, each a sentence: "no GPU used: ..."
};

}  // namespace duomap
