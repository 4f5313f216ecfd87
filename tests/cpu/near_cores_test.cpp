// Tests which cores are near a GPU. Measurements decide, then what the machine says; otherwise threads are
// not bound.
#include "cpu/near_cores.hpp"

#include "core/sanitizer.hpp"
#include "cpu/topology.hpp"
#include "tests/catch.hpp"

#if DUOMAP_ADDRESS_SANITIZER
#include <sanitizer/lsan_interface.h>
#endif

#include <optional>
#include <string>
#include <vector>

namespace duomap::test::cpu_near_cores_test {
namespace {

using cpu::near_cores;
using list = std::vector<unsigned>;

const std::vector<cpu::numa_node> one_node = {{0, {0, 1}, 0}};
const std::vector<cpu::numa_node> two_nodes = {{0, {0, 1}, 0}, {3, {2, 4}, 0}};

std::vector<machine_figure> measured(double from_node_0, double from_node_3) {
  return {{machine_property::to_device_from_node, 0, from_node_0, 0, 5},
          {machine_property::to_device_from_node, 3, from_node_3, 0, 5}};
}

std::optional<unsigned> never() {
  FAIL("asked for a hint that is not needed");
  return std::nullopt;
}

// A topology in hwloc's XML: two packages of one core, and a GPU below the second package or below the
// machine. Each tag has its own line, or hwloc would load its XML plug-in.
std::string machine_xml(bool below_second_package) {
  const auto package = [](int index, const std::string& set, int gp, const std::string& more) {
    const std::string number = std::to_string(index);
    const std::string sets = " cpuset=\"" + set + "\" complete_cpuset=\"" + set + "\" nodeset=\"" + set +
                             "\" complete_nodeset=\"" + set + "\"";
    return "<object type=\"Package\" os_index=\"" + number + "\"" + sets + " gp_index=\"" +
           std::to_string(gp) + "\">\n<object type=\"NUMANode\" os_index=\"" + number + "\"" + sets +
           " gp_index=\"" + std::to_string(gp + 1) + "\"/>\n<object type=\"PU\" os_index=\"" + number + "\"" +
           sets + " gp_index=\"" + std::to_string(gp + 2) + "\"/>\n" + more + "</object>\n";
  };
  const std::string gpu =
      "<object type=\"Bridge\" gp_index=\"20\" bridge_type=\"0-1\" depth=\"0\" bridge_pci=\"0000:[3a-3b]\">\n"
      "<object type=\"PCIDev\" gp_index=\"21\" pci_busid=\"0000:3b:00.0\" pci_type=\"0302 [10de:2335] "
      "[10de:18be] a1\" pci_link_speed=\"63.0\"/>\n</object>\n";
  const std::string all = "\"0x00000003\"";
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n"
         "<topology version=\"2.0\">\n<object type=\"Machine\" os_index=\"0\" cpuset=" +
         all + " complete_cpuset=" + all + " allowed_cpuset=" + all + " nodeset=" + all +
         " complete_nodeset=" + all + " allowed_nodeset=" + all + " gp_index=\"1\">\n" +
         package(0, "0x00000001", 2, "") + package(1, "0x00000002", 6, below_second_package ? gpu : "") +
         (below_second_package ? "" : gpu) + "</object>\n</topology>\n";
}

}  // namespace

TEST_CASE("near cores: on one node nobody is bound and nothing is asked", "[numa]") {
  CHECK(near_cores({}, {}, never).empty());
  CHECK(near_cores(one_node, measured(50e9, 30e9), never).empty());
}

TEST_CASE("near cores: the node with the faster link, if it is faster", "[numa]") {
  CHECK(near_cores(two_nodes, measured(50e9, 30e9), never) == list{0, 1});
  CHECK(near_cores(two_nodes, measured(30e9, 50e9), never) == list{2, 4});
  CHECK(near_cores(two_nodes, measured(50e9, 48e9), never).empty());
}

TEST_CASE("near cores: a hint where not all nodes were measured", "[numa]") {
  const auto says = [](std::optional<unsigned> node) {
    return [node] {
      return node;
    };
  };
  CHECK(near_cores(two_nodes, {}, says(3)) == list{2, 4});
  CHECK(near_cores(two_nodes, {}, says(1)).empty());  // this process has no cores on that node
  CHECK(near_cores(two_nodes, {}, says(std::nullopt)).empty());
  const std::vector<machine_figure> half = {{machine_property::to_device_from_node, 0, 50e9, 0, 5}};
  CHECK(near_cores(two_nodes, half, says(3)) == list{2, 4});
}

TEST_CASE("near cores: hwloc knows the node of a PCI device", "[numa][topology]") {
  CHECK(cpu::node_of_pci_device("0000:3b:00.0", machine_xml(true)) == 1U);
  CHECK_FALSE(cpu::node_of_pci_device("0000:3b:00.0", machine_xml(false)));  // near to both nodes
  CHECK_FALSE(cpu::node_of_pci_device("0000:3c:00.0", machine_xml(true)));
  CHECK_FALSE(cpu::node_of_pci_device("nonsense", machine_xml(true)));
  CHECK_FALSE(cpu::node_of_pci_device("0000:3b:00.0", "nonsense"));
}

TEST_CASE("near cores: this machine is asked without an error", "[numa][topology]") {
#if DUOMAP_ADDRESS_SANITIZER
  const __lsan::ScopedDisabler plugins;  // hwloc's plug-ins leak memory when they are unloaded
#endif
  CHECK_FALSE(cpu::node_of_pci_device("ffff:ff:1f.7"));
}

}  // namespace duomap::test::cpu_near_cores_test
