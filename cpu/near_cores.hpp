// Finds the cores from which a GPU is fed best, on machines with several NUMA nodes.
#pragma once

#include "core/machine_figures.hpp"
#include "cpu/numa_node.hpp"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace duomap::cpu {

/// The CPUs of the node whose memory a GPU reads fastest; empty: it makes no difference, or nobody knows.
/// With fewer than two nodes, `measured` and `hint` are not called. If the GPU's figures in `measured` have
/// machine_term::to_device_from_node for every node, these figures decide. Otherwise the node that `hint`
/// names is taken. The figures come first, because a machine's statement about itself may be wrong, and a
/// wrong place is worse than none. Nodes within 5 % of each other count as the same.
[[nodiscard]] std::vector<unsigned> near_cores(std::span<const numa_node> nodes,
                                               std::span<const machine_figure> measured,
                                               const std::function<std::optional<unsigned>()>& hint);

}  // namespace duomap::cpu
