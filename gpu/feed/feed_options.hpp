// The settings of the feeder, which brings input to a GPU. host safe
#pragma once

#include <cstdint>
#include <span>

namespace duomap::gpu {

/// The settings for bringing input to a device. For the number of threads and the piece size, 0 lets the
/// feeder choose.
struct feed_options {
  unsigned threads = 0;
  std::uint64_t piece_bytes = 0;
  /// CPUs that the feeder's threads stay on; empty: all CPUs. The feeder copies the list.
  std::span<const unsigned> cores = {};
  /// For tests: the feeder acts as if the driver gave no page-locked memory.
  bool refuse_locked = false;
};

}  // namespace duomap::gpu
