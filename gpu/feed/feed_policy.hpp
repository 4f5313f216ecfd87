// How many threads feed a GPU, and by how much at a time. host safe
#pragma once

#include <algorithm>
#include <cstdint>

namespace duomap::gpu {

/// How much staging threads carry at a time.
struct staging_sizes {
  /// Bytes that are sent at once. The link rests for some 4 us between copies, also of several streams, so
  /// small copies leave it idle (decision 15).
  std::uint64_t piece_bytes = std::uint64_t{8} << 20;

  /// Buffers of a piece each that are filled or on their way at once; there is one more for each thread that
  /// loses its core.
  unsigned buffers = 4;

  /// Bytes of a piece that a thread reads at once. Threads share pieces, so that all pieces together stay in
  /// the caches from which the device reads them: with two large pieces for each thread they read 35 GB/s
  /// instead of 52 (decision 15).
  std::uint64_t part_bytes = std::uint64_t{512} << 10;
};

/// Threads a device gets at first, at most. On the hosts of H200 with 16 cores the link is busy with 7 to
/// more than 10, see thread_demand.hpp.
inline constexpr unsigned most_staging_threads = 10;

/// Threads for each of `devices` GPUs on `cores` cores: five of eight cores together, because something has
/// to drive the devices, and the CPU's workers want some too.
[[nodiscard]] constexpr unsigned staging_threads(unsigned cores, unsigned devices) {
  return std::clamp(5 * cores / (8 * std::max(devices, 1u)), 1u, most_staging_threads);
}

/// The same where the CPU's workers take no part or wait for the GPUs: all cores but two for each GPU, for
/// the thread that drives it and for what else runs. An H100 on 16 cores took 53 to 55 ms for 2 GB of a
/// cached file with 14 threads, and 69 to 76 with ten (decision 15).
[[nodiscard]] constexpr unsigned lone_staging_threads(unsigned cores, unsigned devices) {
  const unsigned of_each = cores / std::max(devices, 1u);
  return std::clamp(of_each - std::min(of_each, 2u), staging_threads(cores, devices), 14u);
}

/// The threads that a device gets, by what the process has measured last, else staging_threads(). More than
/// were expected would take the cores of workers that are not throttled for them.
[[nodiscard]] unsigned expected_staging_threads(unsigned cores, unsigned devices);

/// Says how many a device needed, 0 as in a new process. Any thread.
void remember_staging_threads(unsigned needed);

/// Cores this process may run on.
[[nodiscard]] unsigned usable_cores();

}  // namespace duomap::gpu
