// What this process has done with its GPUs so far. host only
#pragma once

#include <array>
#include <atomic>
#include <cstddef>

namespace duomap::gpu {

/// Of one GPU, for all runs of the process. Relaxed, both: who reads them late starts a run that finds out by
/// itself.
struct device_in_process {
  /// Whether it has a context: later runs need not wait for one.
  std::atomic<bool> has_context{false};
  /// Threads of runs that gave it up and whose calls have not returned.
  std::atomic<unsigned> hanging{0};
};

/// More than any machine has; GPUs beyond share the last one's.
inline constexpr std::size_t most_devices_in_process = 64;

[[nodiscard]] inline device_in_process& in_process(int device_index) {
  static std::array<device_in_process, most_devices_in_process> all;
  const auto index = static_cast<std::size_t>(device_index);
  return all[index < all.size() ? index : all.size() - 1];
}

}  // namespace duomap::gpu
