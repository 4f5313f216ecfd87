// Measures how fast threads read and copy host memory.
#pragma once

#include "core/machine_figures.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace duomap::cpu {

struct memory_speed_options {
  /// The largest number of threads. The numbers 1, 2, 4, ... and this number are measured.
  unsigned threads = 1;
  /// The memory that each thread reads. Copies copy one half of it to the other half. This is more than a
  /// core's share of the caches.
  std::uint64_t bytes_per_thread = std::uint64_t{64} << 20;
  /// Samples for each figure; the median counts.
  unsigned samples = 5;
};

/// Measures machine_property::copy and machine_property::read for growing numbers of threads. The memory is
/// written before it is timed. Takes 0.1 to 0.5 s and threads * bytes_per_thread of memory.
/// @throws std::logic_error when a read does not find the written values; out_of_memory when memory or
/// threads are lacking
[[nodiscard]] std::vector<machine_figure> measure_memory(const memory_speed_options& options);

/// Calls `body` while all threads read memory as fast as they can, and returns the bytes per second that they
/// read meanwhile.
[[nodiscard]] double read_during(const memory_speed_options& options, const std::function<void()>& body);

}  // namespace duomap::cpu
