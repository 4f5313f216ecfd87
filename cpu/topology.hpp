// Describes the machine's CPU for people: packages, cores, caches, NUMA nodes, memory. Only the .cpp file
// includes hwloc.
#pragma once

#include "cpu/numa_node.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace duomap::cpu {

/// All caches of the same level and size that are shared by the same number of CPUs. A machine with two kinds
/// of cores has two entries for a level.
struct cache_group {
  unsigned level = 0;       ///< 1 is nearest to the core; level 1 counts data caches only
  std::uint64_t bytes = 0;  ///< size of one such cache
  unsigned count = 0;       ///< number of such caches
  unsigned shared_by = 0;   ///< CPUs (hardware threads) that share one cache
};

/// The part of the machine that the calling thread may use. CPUs that affinity or cgroups forbid are left
/// out. A node whose CPUs are all forbidden stays in the list, because its memory can be used.
struct topology {
  std::string cpu_model;            ///< "Intel(R) Xeon(R) Gold 6338"; empty when unknown
  unsigned packages = 0;            ///< sockets
  unsigned cores = 0;               ///< physical cores
  unsigned cpus = 0;                ///< hardware threads
  std::vector<numa_node> nodes;     ///< at least one; by id
  std::vector<cache_group> caches;  ///< by level, then size
  std::uint64_t memory_bytes = 0;   ///< of all nodes
};

/// Asks hwloc, which takes milliseconds. So use it for reports only (runs use numa_nodes()). If `synthetic`
/// describes a machine in hwloc's notation, "package:2 l3:1 core:4 pu:2", the result is the topology of that
/// machine. Throws error if hwloc cannot tell the topology.
[[nodiscard]] topology read_topology(const std::string& synthetic = {});

/// The NUMA node to which a device at a PCI bus ("0000:3b:00.0") is attached, according to hwloc. There is no
/// value if the device belongs to all nodes, as in most virtual machines, or if the node is not known. Takes
/// milliseconds. If `xml` describes a machine in hwloc's XML, it is used in place of this machine.
[[nodiscard]] std::optional<unsigned> node_of_pci_device(const std::string& bus, const std::string& xml = {});

/// The version of hwloc at compile time, "2.9.0".
[[nodiscard]] std::string hwloc_version();

}  // namespace duomap::cpu
