// Measures the peak memory of a run, on the host and on GPUs.
// host only
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

namespace duomap::apps {

/// Bytes. A member is empty if the system does not say, or if no GPU was used.
struct memory_need {
  /// Beyond the memory the process held before; includes the files it maps. Empty below 128 KiB per core,
  /// because the system counts such amounts late.
  std::optional<std::uint64_t> host;
  std::optional<std::uint64_t> device;  ///< of buffers on all GPUs together
};

/// Calls run() and returns the memory it needed.
[[nodiscard]] memory_need memory_needed_by(const std::function<void()>& run);

}  // namespace duomap::apps
