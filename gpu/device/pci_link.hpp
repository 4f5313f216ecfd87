// Describes the link between a device and its host, as the kernel lists it.
#pragma once

#include <filesystem>
#include <string>

namespace duomap::gpu {

/// Describes a PCI device's link, for example "x16 of 32.0 GT/s PCIe": the number of lanes, and the highest
/// speed of a lane, because idle GPUs lower the current speed. `bus` is an address such as "0000:3b:00.0".
/// Empty if the kernel does not know, as in many virtual machines. `root` is the folder that contains sys.
[[nodiscard]] std::string pci_link(const std::string& bus, const std::filesystem::path& root = "/");

/// The NUMA node of the device at this PCI bus, as text; empty if the kernel does not know.
[[nodiscard]] std::string pci_numa_node(const std::string& bus, const std::filesystem::path& root = "/");

}  // namespace duomap::gpu
