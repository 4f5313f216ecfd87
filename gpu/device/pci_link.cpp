// Reads a PCI device's link and NUMA node from the kernel's files.
#include "gpu/device/pci_link.hpp"

#include <fstream>

namespace duomap::gpu {
namespace {

std::string first_line_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

}  // namespace

std::string pci_link(const std::string& bus, const std::filesystem::path& root) {
  const std::filesystem::path device = root / "sys" / "bus" / "pci" / "devices" / bus;
  const std::string lanes = first_line_of(device / "current_link_width");
  const std::string speed = first_line_of(device / "max_link_speed");
  // The kernel writes 0 or 255 lanes and "Unknown" for a link that it does not know.
  if (lanes.empty() || lanes == "0" || lanes == "255" || speed.empty() || speed.starts_with("Unknown"))
    return {};
  return "x" + lanes + " of " + speed;
}

std::string pci_numa_node(const std::string& bus, const std::filesystem::path& root) {
  // The kernel writes -1 for a device without a NUMA node.
  const std::string node = first_line_of(root / "sys" / "bus" / "pci" / "devices" / bus / "numa_node");
  return node.starts_with('-') ? std::string() : node;
}

}  // namespace duomap::gpu
