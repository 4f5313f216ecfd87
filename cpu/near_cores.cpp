// Chooses the NUMA node from which a GPU reads fastest.
#include "cpu/near_cores.hpp"

namespace duomap::cpu {
namespace {

constexpr double least_difference = 0.05;

}  // namespace

std::vector<unsigned> near_cores(std::span<const numa_node> nodes, std::span<const machine_figure> measured,
                                 const std::function<std::optional<unsigned>()>& hint) {
  if (nodes.size() < 2) return {};
  const numa_node* best = nullptr;
  double most_rate = 0;
  double least_rate = 0;
  bool all_measured = true;
  for (const numa_node& node : nodes) {
    const machine_figure* const known = find(measured, machine_property::to_device_from_node, node.id);
    if (known == nullptr) {
      all_measured = false;
      break;
    }
    if (best == nullptr || known->value > most_rate) {
      best = &node;
      most_rate = known->value;
    }
    if (least_rate == 0 || known->value < least_rate) least_rate = known->value;
  }
  if (all_measured)
    return least_rate < (1 - least_difference) * most_rate ? best->cpus : std::vector<unsigned>{};
  const std::optional<unsigned> hinted = hint();
  for (const numa_node& node : nodes) {
    if (hinted == node.id) return node.cpus;
  }
  return {};
}

}  // namespace duomap::cpu
