// Settings of what brings input to a GPU. host safe
#pragma once

#include <cstdint>
#include <span>

namespace duomap::gpu {

/// How input is brought to a device. Threads and size of the pieces: 0 for what the machine calls for.
struct feed_options {
  unsigned threads = 0;
  std::uint64_t piece_bytes = 0;
  /// CPUs that threads stay on; empty: all. Copied by the feeder.
  std::span<const unsigned> cores = {};
  /// For tests: as if there were no page-locked memory.
  bool refuse_locked = false;
};

}  // namespace duomap::gpu
