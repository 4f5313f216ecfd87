// Finds the cores that can feed a GPU fastest, on machines with several NUMA nodes.
#pragma once

#include "core/machine_figures.hpp"
#include "cpu/numa_node.hpp"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace duomap::cpu {

/// The CPUs of the NUMA node whose memory a GPU reads fastest. The list is empty if it makes no difference,
/// or if nobody knows. With fewer than two nodes, `measured` and `hint` are not used. If `measured` has
/// machine_property::to_device_from_node for every node, these figures decide. Otherwise `hint` names the
/// node. Figures come first, because a machine may describe itself wrongly, and a wrong node is worse than
/// none. Nodes within 5 % of each other count as equal.
[[nodiscard]] std::vector<unsigned> near_cores(std::span<const numa_node> nodes,
                                               std::span<const machine_figure> measured,
                                               const std::function<std::optional<unsigned>()>& hint);

}  // namespace duomap::cpu
