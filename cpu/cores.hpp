// Finds the number of cores that this process may use. The system would throttle threads beyond this number.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace duomap::cpu {

/// The number of usable cores, and the limit that sets it: "cgroup quota: 2.5 of 16 cores".
struct core_count {
  unsigned cores = 1;
  std::string reason;
};

/// The limits on the number of cores.
struct core_limits {
  unsigned online = 1;          ///< cores (hardware threads) the operating system runs
  unsigned affinity = 1;        ///< the part of these cores that this process may be scheduled on
  std::optional<double> quota;  ///< CPU seconds per second, from cgroups
  unsigned user = 0;            ///< 0: the user set no limit
};

/// The smallest limit, at least 1. A quota is rounded down. The reason names the smallest limit.
[[nodiscard]] core_count bound_cores(const core_limits& limits);

/// The number of cores that this process may use now: the smallest of its affinity mask, its cgroup quota and
/// `user_limit` (0: none). Never throws for a limit that it cannot read. Takes well under a millisecond.
/// `root` is the folder that has proc and the cgroup mounts.
[[nodiscard]] core_count usable_cores(unsigned user_limit = 0, const std::filesystem::path& root = "/");

}  // namespace duomap::cpu
