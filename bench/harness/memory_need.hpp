// Measures the peak memory of a run, on the host and on GPUs.
// host only
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

namespace duomap::apps {

/// Peak memory in bytes. `host` is empty if Linux does not tell it, `device` if no GPU was used.
struct memory_need {
  /// The peak, less the memory that the process held before the run. Includes mapped files. Empty below 128
  /// KiB per core, because Linux counts smaller amounts late.
  std::optional<std::uint64_t> host;
  std::optional<std::uint64_t> device;  ///< of buffers on all GPUs together
};

/// Calls run() and returns the memory it needed.
[[nodiscard]] memory_need memory_needed_by(const std::function<void()>& run);

}  // namespace duomap::apps
