// The limits a container or service manager has put on this process through cgroups, version 1 or 2.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace duomap::cpu {

/// The limits in force. The limits of a group's ancestors bind the group too, so these are the smallest
/// limits on the way to the root.
struct cgroup_limits {
  std::optional<double> cores;  ///< CPU seconds per second: 2.5 is two and a half cores; no value: no limit
  std::optional<std::uint64_t> memory;  ///< bytes, including the page cache; no value: no limit
  /// The part of `memory` that the group's processes have not taken. Pages of files that the kernel can drop
  /// count as free.
  std::optional<std::uint64_t> memory_left;
};

/// Reads the limits from proc/self/cgroup, proc/self/mountinfo and the mounts that they name. `root` is "/",
/// or a copy of these files for a test. A missing or garbled file means no limit, because a program must also
/// run where there are no cgroups. Takes some tens of microseconds.
[[nodiscard]] cgroup_limits read_cgroup_limits(const std::filesystem::path& root = "/");

/// Reads the limit on cores alone, from fewer files.
[[nodiscard]] std::optional<double> read_cgroup_cores(const std::filesystem::path& root = "/");

}  // namespace duomap::cpu
