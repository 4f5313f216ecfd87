// NUMA nodes: CPUs that share a memory controller, as the kernel lists them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

namespace duomap::cpu {

struct numa_node {
  unsigned id = 0;                 ///< the operating system's number
  std::vector<unsigned> cpus;      ///< CPUs of the node that this process may use, ascending
  std::uint64_t memory_bytes = 0;  ///< memory of the node; 0 when unknown
};

/// The nodes that have CPUs among `allowed` (empty: all CPUs), in ascending order of their ids. The list is
/// empty if the kernel knows no NUMA. Reads two small files per node under `root`/sys/devices/system/node.
/// Ordinary runs use these files, because loading hwloc's topology takes milliseconds.
[[nodiscard]] std::vector<numa_node> numa_nodes(const std::vector<unsigned>& allowed,
                                                const std::filesystem::path& root = "/");

/// The nodes that have CPUs on which the calling thread may run.
[[nodiscard]] std::vector<numa_node> numa_nodes();

/// The CPUs in a list of the kernel, "0-3,8,10-11", ascending. Entries that make no sense are left out.
[[nodiscard]] std::vector<unsigned> parse_cpu_list(std::string_view text);

}  // namespace duomap::cpu
