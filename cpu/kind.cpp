// Answers the planner's questions about this machine, and keeps the answers that take long to find.
#include "cpu/kind.hpp"

#include "core/host_provider.hpp"
#include "cpu/affinity.hpp"
#include "cpu/host_memory.hpp"
#include "cpu/near_cores.hpp"
#include "cpu/numa_node.hpp"
#include "cpu/processor.hpp"
#include "cpu/topology.hpp"

#include <map>
#include <optional>
#include <thread>
#include <utility>

namespace duomap::cpu {
namespace {

// The NUMA node near a PCI bus. Finding a node takes milliseconds, so the answers are kept.
std::optional<unsigned> known_node_of(const std::string& bus) {
  static thread_local std::map<std::string, std::optional<unsigned>> all;
  const auto [known, fresh] = all.try_emplace(bus);
  if (fresh) known->second = node_of_pci_device(bus);
  return known->second;
}

// The NUMA nodes. Reading them takes 15 to 50 us, up to a tenth of a small run on a machine with an H200. So
// they are read again only when the process may run on other CPUs than before.
const std::vector<numa_node>& known_nodes() {
  static thread_local std::optional<std::vector<unsigned>> allowed;
  static thread_local std::vector<numa_node> nodes;
  if (auto now = allowed_cpus(); now != allowed) {
    nodes = numa_nodes(now);
    allowed = std::move(now);
  }
  return nodes;
}

class host final : public host_provider {
 public:
  [[nodiscard]] const std::string& processor() const override {
    static const std::string name = processor_name();
    return name;
  }

  [[nodiscard]] unsigned cores() const override {
    const std::size_t allowed = allowed_cpus().size();
    return allowed > 0 ? static_cast<unsigned>(allowed) : std::thread::hardware_concurrency();
  }

  [[nodiscard]] std::uint64_t memory_for_results() const override { return cpu::memory_for_results(); }

  [[nodiscard]] std::vector<unsigned> cores_near(const std::string& bus,
                                                 std::span<const machine_figure> measured) const override {
    return near_cores(known_nodes(), measured, [&] { return known_node_of(bus); });
  }
};

}  // namespace

const host_provider& kind::provider() {
  static const host here;
  return here;
}

}  // namespace duomap::cpu
