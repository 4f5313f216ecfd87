// How much memory a run needs at its peak, on the host and on GPUs.
// host only
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

namespace duomap::apps {

/// Bytes; nothing where the system does not say, and of GPUs that were not used.
struct memory_need {
  /// Beyond what the process held before, pages that it maps included. Nothing below 128 KiB a core, which
  /// the system does not count at once.
  std::optional<std::uint64_t> host;
  std::optional<std::uint64_t> device;  ///< of buffers, all GPUs together
};

/// What a call of run() needed.
[[nodiscard]] memory_need memory_needed_by(const std::function<void()>& run);

}  // namespace duomap::apps
