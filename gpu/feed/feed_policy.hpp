// Chooses the number of threads that feed a GPU, and the amount that they carry at a time. host safe
#pragma once

#include <algorithm>
#include <cstdint>

namespace duomap::gpu {

/// The amounts that staging threads carry at a time.
struct staging_sizes {
  /// Bytes of one copy to the device. The link rests for some 4 us between copies, even between copies of
  /// different streams. Small copies therefore leave it idle (decision 15).
  std::uint64_t piece_bytes = std::uint64_t{8} << 20;

  /// The number of buffers, of one piece each, that are being filled or sent at the same time. Each thread
  /// that loses its core adds one more buffer.
  unsigned buffers = 4;

  /// Bytes of a piece that one thread reads at a time. Threads share pieces, so that all pieces together stay
  /// in the caches that the device reads from. With two large pieces for each thread, the device read 35 GB/s
  /// instead of 52 (decision 15).
  std::uint64_t part_bytes = std::uint64_t{512} << 10;
};

/// The most threads that a device gets at first. On H200 hosts with 16 cores, 7 to more than 10 threads keep
/// the link busy (thread_demand.hpp).
inline constexpr unsigned most_staging_threads = 10;

/// The number of threads for each of `devices` GPUs on `cores` cores. All GPUs together get five of eight
/// cores. The remaining cores drive the devices and run the CPU's workers.
[[nodiscard]] constexpr unsigned staging_threads(unsigned cores, unsigned devices) {
  return std::clamp(5 * cores / (8 * std::max(devices, 1u)), 1u, most_staging_threads);
}

/// The number of threads for each GPU when the CPU's workers take no part or wait for the GPUs. It leaves two
/// cores for each GPU: one for the thread that drives the GPU, one for the rest of the system. With 14
/// threads instead of ten, an H100 on 16 cores took 53 to 55 ms instead of 69 to 76 for 2 GB of a cached file
/// (decision 15).
[[nodiscard]] constexpr unsigned lone_staging_threads(unsigned cores, unsigned devices) {
  const unsigned of_each = cores / std::max(devices, 1u);
  return std::clamp(of_each - std::min(of_each, 2u), staging_threads(cores, devices), 14u);
}

/// The number of threads that a feeder starts: the number remembered from the last measurement of this
/// process, else staging_threads(). The scheduler throttles the CPU's workers for this number, so more
/// threads would take the cores of workers that are not throttled.
[[nodiscard]] unsigned expected_staging_threads(unsigned cores, unsigned devices);

/// Stores the number of threads that a device needed; 0 forgets the number. Any thread may call it.
void remember_staging_threads(unsigned needed);

/// The number of cores that this process may run on.
[[nodiscard]] unsigned usable_cores();

}  // namespace duomap::gpu
