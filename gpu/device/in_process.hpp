// What this process has done with its GPUs so far. host only
#pragma once

#include <algorithm>
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

namespace detail {

inline std::array<device_in_process, most_devices_in_process>& all_in_process() {
  static std::array<device_in_process, most_devices_in_process> all;
  return all;
}

}  // namespace detail

[[nodiscard]] inline device_in_process& in_process(int device_index) {
  auto& all = detail::all_in_process();
  const auto index = static_cast<std::size_t>(device_index);
  return all[index < all.size() ? index : all.size() - 1];
}

/// Whether any GPU has a context.
[[nodiscard]] inline bool any_context() {
  const auto& all = detail::all_in_process();
  return std::any_of(all.begin(), all.end(),
                     [](const device_in_process& one) { return one.has_context.load(); });
}

/// Whether any GPU has been given up and may still be at work.
[[nodiscard]] inline bool any_hanging() {
  const auto& all = detail::all_in_process();
  return std::any_of(all.begin(), all.end(),
                     [](const device_in_process& one) { return one.hanging.load() > 0; });
}

}  // namespace duomap::gpu
