// The link between a device and its host, as the kernel lists it.
#pragma once

#include <filesystem>
#include <string>

namespace duomap::gpu {

/// "x16 of 32.0 GT/s PCIe": the lanes that the device at this PCI bus ("0000:3b:00.0") has been given, and
/// the speed of a lane at most. Not the speed of this moment, which idle GPUs lower. Empty when the kernel
/// does not say, as in many virtual machines. `root` is where sys is looked for.
[[nodiscard]] std::string pci_link(const std::string& bus, const std::filesystem::path& root = "/");

/// The NUMA node that the device at this PCI bus is at, as text; empty when the kernel does not say.
[[nodiscard]] std::string pci_numa_node(const std::string& bus, const std::filesystem::path& root = "/");

}  // namespace duomap::gpu
