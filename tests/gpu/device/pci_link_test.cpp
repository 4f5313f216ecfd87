// Tests how the PCI link of a device is read from files like the kernel's.
#include "gpu/device/pci_link.hpp"

#include "tests/catch.hpp"
#include "tests/core/input/support.hpp"

#include <string>

namespace duomap::test::gpu_device_pci_link_test {

TEST_CASE("PCI link: lanes as given, speed as possible", "[device]") {
  const temporary_folder root;
  const std::string device = "sys/bus/pci/devices/0000:3b:00.0/";
  root.write(device + "current_link_width", "8\n");
  root.write(device + "max_link_speed", "32.0 GT/s PCIe\n");
  root.write(device + "current_link_speed", "2.5 GT/s PCIe\n");  // the speed of an idle device
  CHECK(gpu::pci_link("0000:3b:00.0", root.path()) == "x8 of 32.0 GT/s PCIe");
  CHECK(gpu::pci_link("0000:3c:00.0", root.path()).empty());
}

TEST_CASE("PCI link: what the kernel does not know is nothing", "[device]") {
  for (const char* const lanes : {"0\n", "255\n", ""}) {
    const temporary_folder root;
    root.write("sys/bus/pci/devices/a/current_link_width", lanes);
    root.write("sys/bus/pci/devices/a/max_link_speed", "32.0 GT/s PCIe\n");
    CHECK(gpu::pci_link("a", root.path()).empty());
  }
  const temporary_folder root;
  root.write("sys/bus/pci/devices/a/current_link_width", "16\n");
  root.write("sys/bus/pci/devices/a/max_link_speed", "Unknown\n");
  CHECK(gpu::pci_link("a", root.path()).empty());
}

TEST_CASE("PCI link: the NUMA node, where there is one", "[device]") {
  const temporary_folder root;
  root.write("sys/bus/pci/devices/a/numa_node", "1\n");
  root.write("sys/bus/pci/devices/b/numa_node", "-1\n");
  CHECK(gpu::pci_numa_node("a", root.path()) == "1");
  CHECK(gpu::pci_numa_node("b", root.path()).empty());
  CHECK(gpu::pci_numa_node("c", root.path()).empty());
}

}  // namespace duomap::test::gpu_device_pci_link_test
