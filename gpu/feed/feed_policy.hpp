// How many threads feed a GPU, and by how much at a time. host safe
#pragma once

#include <algorithm>
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

/// Bytes that a staging thread reads and sends at once. Between copies the link rests for 3 us: 49 to 51 GB/s
/// arrive in pieces of 2 MiB, 52 in pieces of 4, 53 in pieces of 8 (H200; the link gives 55.5).
inline constexpr std::uint64_t staging_piece_bytes = std::uint64_t{8} << 20;

/// More threads bring no more. On an H200's host with 16 cores, 6 read fast enough for the link while nothing
/// else runs; whole runs of 4.2 GB of word count arrived at 43, 47 and 48 GB/s with 6, 8 and 10.
inline constexpr unsigned most_staging_threads = 10;

/// Threads for each of `devices` GPUs on `cores` cores: five of eight cores together, because something has
/// to drive the devices, and the CPU's workers want some too.
[[nodiscard]] constexpr unsigned staging_threads(unsigned cores, unsigned devices) {
  return std::clamp(5 * cores / (8 * std::max(devices, 1u)), 1u, most_staging_threads);
}

/// How many of the CPU's `workers` should take no chunks while `devices` GPUs are fed, so that there are no
/// more threads than cores: a core that feeds brings a GPU ten times what it maps itself.
[[nodiscard]] constexpr unsigned idle_workers(unsigned workers, unsigned cores, unsigned devices) {
  const unsigned busy = workers + (devices > 0 ? devices * staging_threads(cores, devices) : 0);
  return std::min(workers, busy - std::min(busy, cores));
}

/// Cores this process may run on.
[[nodiscard]] unsigned usable_cores();

}  // namespace duomap::gpu
