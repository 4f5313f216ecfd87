// Describes the link between a device and its host, as the kernel lists it.
#pragma once

#include <filesystem>
#include <string>

namespace duomap::gpu {

/// "x16 of 32.0 GT/s PCIe": the number of lanes of the device at this PCI bus ("0000:3b:00.0"), and the
/// highest speed of a lane. Not the current speed, which idle GPUs lower. Empty if the kernel does not say,
/// as in many virtual machines. `root`: the folder that has sys.
[[nodiscard]] std::string pci_link(const std::string& bus, const std::filesystem::path& root = "/");

/// The NUMA node of the device at this PCI bus, as text; empty if the kernel does not say.
[[nodiscard]] std::string pci_numa_node(const std::string& bus, const std::filesystem::path& root = "/");

}  // namespace duomap::gpu
