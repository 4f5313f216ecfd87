// How many cores this process may really use. A thread more than that only gets throttled.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace duomap::cpu {

/// A number of cores and the reason that it is not larger: "cgroup quota: 2.5 of 16 cores".
struct core_count {
  unsigned cores = 1;
  std::string reason;
};

/// What may bound the number of cores.
struct core_limits {
  unsigned online = 1;          ///< cores (hardware threads) the operating system runs
  unsigned affinity = 1;        ///< of these, the ones this process may be scheduled on
  std::optional<double> quota;  ///< CPU time per time, from cgroups
  unsigned user = 0;            ///< 0: no limit asked for
};

/// The smallest limit, at least 1; a quota is rounded down. The reason names the limit that bound.
[[nodiscard]] core_count bound_cores(const core_limits& limits);

/// Usable cores of this process now: the smallest of its affinity mask, its cgroup quota and `user_limit`
/// (0: none). Never throws for what it cannot read. Costs well under a millisecond. `root` is where proc and
/// the cgroup mounts are looked for.
[[nodiscard]] core_count usable_cores(unsigned user_limit = 0, const std::filesystem::path& root = "/");

}  // namespace duomap::cpu
