// How fast threads read and copy host memory.
#pragma once

#include "core/machine_figures.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace duomap::cpu {

struct memory_speed_options {
  /// Threads at most: 1, 2, 4, ... and this many are measured.
  unsigned threads = 1;
  /// Memory of each thread, for reading; copies take half of it to the other half. More than a core's share
  /// of the caches.
  std::uint64_t bytes_per_thread = std::uint64_t{64} << 20;
  /// For each figure; the median counts.
  unsigned samples = 5;
};

/// machine_term::copy and read for growing numbers of threads. The memory is written before it is timed.
/// Takes 0.1 to 0.5 s and threads * bytes_per_thread of memory.
/// @throws error when a read does not find what was written
[[nodiscard]] std::vector<machine_figure> measure_memory(const memory_speed_options& options);

/// Calls `body` while all threads read memory as fast as they can, and returns how many bytes per second they
/// read meanwhile.
[[nodiscard]] double read_during(const memory_speed_options& options, const std::function<void()>& body);

}  // namespace duomap::cpu
