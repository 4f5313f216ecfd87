// The limits a container or service manager has put on this process through cgroups, version 1 or 2.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace duomap::cpu {

/// The limits in force. The limits of a group's ancestors bind the group too, so these are the smallest
/// limits on the way to the root.
struct cgroup_limits {
  std::optional<double> cores;  ///< CPU time per time, 2.5 for two and a half cores; no value: no limit
  std::optional<std::uint64_t> memory;  ///< bytes, page cache included; no value: no limit
  /// The part of `memory` that no process of the group has taken; files that the page cache would give back
  /// count as free.
  std::optional<std::uint64_t> memory_left;
};

/// Reads the limits under `root` ("/", or a copy of the needed files for a test): proc/self/cgroup,
/// proc/self/mountinfo and the mounts they name. Files that are missing or make no sense mean no limit,
/// because a program must also run where there are no cgroups. Costs some tens of microseconds.
[[nodiscard]] cgroup_limits read_cgroup_limits(const std::filesystem::path& root = "/");

/// Reads the limit on cores alone, from fewer files.
[[nodiscard]] std::optional<double> read_cgroup_cores(const std::filesystem::path& root = "/");

}  // namespace duomap::cpu
