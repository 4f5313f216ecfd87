// How many threads feed a GPU, and by how much at a time. host safe
#pragma once

#include <algorithm>
#include <cstdint>

namespace duomap::gpu {

/// Threads and size of the pieces; 0: as the machine calls for.
struct feed_options {
  unsigned threads = 0;
  std::uint64_t piece_bytes = 0;
};

/// Bytes that a staging thread reads and sends at once. Between copies the link rests for 3 us: 49 to 51 GB/s
/// arrive in pieces of 2 MiB, 52 in pieces of 4, 53 in pieces of 8 (H200; the link gives 55.5).
inline constexpr std::uint64_t staging_piece_bytes = std::uint64_t{8} << 20;

/// More threads bring no more: on an H200's host 5 read 46 GB/s from the page cache, 6 read 55, 8 read 70,
/// and the link takes 55.
inline constexpr unsigned most_staging_threads = 8;

/// Threads for each of `devices` GPUs on `cores` cores: no more than half of the cores together, because the
/// CPU's workers may want them too.
[[nodiscard]] constexpr unsigned staging_threads(unsigned cores, unsigned devices) {
  return std::clamp(cores / (2 * std::max(devices, 1u)), 1u, most_staging_threads);
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
