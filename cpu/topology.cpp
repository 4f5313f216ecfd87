// Reads hwloc's tree of objects, and keeps the parts that reports show.
#include "cpu/topology.hpp"

#include "core/error.hpp"
#include "cpu/affinity.hpp"

#include <hwloc.h>

#include <cerrno>
#include <map>
#include <memory>
#include <optional>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <utility>

namespace duomap::cpu {
namespace {

struct destroy_topology {
  void operator()(hwloc_topology_t tree) const noexcept { hwloc_topology_destroy(tree); }
};
using topology_handle = std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, destroy_topology>;

void require(int status, const std::string& what) {
  if (status == 0) return;
  throw error(exit_status::failed, "hwloc cannot " + what + ": " + std::generic_category().message(errno));
}

/// Keeps the CPUs of the calling thread. hwloc's own flag would keep the CPUs of all threads of the process.
void keep_allowed_cpus(hwloc_topology_t tree) {
  const auto cpus = allowed_cpus();
  if (cpus.empty()) return;
  const std::unique_ptr<hwloc_bitmap_s, decltype(&hwloc_bitmap_free)> allowed(hwloc_bitmap_alloc(),
                                                                              &hwloc_bitmap_free);
  for (const unsigned cpu : cpus) require(hwloc_bitmap_set(allowed.get(), cpu), "hold a set of CPUs");
  require(hwloc_topology_restrict(tree, allowed.get(), 0), "keep to the CPUs this process may use");
}

topology_handle load(const std::string& synthetic) {
  hwloc_topology_t raw = nullptr;
  require(hwloc_topology_init(&raw), "start");
  topology_handle tree(raw);
  // Devices on the PCI bus are left out. Finding and naming them takes most of the time of a full load, and
  // no report shows them.
  require(hwloc_topology_set_io_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_NONE), "leave out devices");
  if (!synthetic.empty()) {
    require(hwloc_topology_set_synthetic(raw, synthetic.c_str()),
            "read the machine description '" + synthetic + "'");
  }
  require(hwloc_topology_load(raw), "read this machine's topology (is /sys mounted and readable?)");
  if (synthetic.empty()) keep_allowed_cpus(raw);
  return tree;
}

unsigned count(hwloc_topology_t tree, hwloc_obj_type_t type) {
  const int number = hwloc_get_nbobjs_by_type(tree, type);
  return number > 0 ? static_cast<unsigned>(number) : 0;
}

std::string cpu_model(hwloc_topology_t tree) {
  for (const auto type : {HWLOC_OBJ_PACKAGE, HWLOC_OBJ_MACHINE}) {
    const hwloc_obj_t object = hwloc_get_obj_by_type(tree, type, 0);
    const char* const model = object != nullptr ? hwloc_obj_get_info_by_name(object, "CPUModel") : nullptr;
    if (model != nullptr) return model;
  }
  return {};
}

std::vector<numa_node> nodes_of(hwloc_topology_t tree) {
  std::map<unsigned, numa_node> by_id;
  hwloc_obj_t object = nullptr;
  while ((object = hwloc_get_next_obj_by_type(tree, HWLOC_OBJ_NUMANODE, object)) != nullptr) {
    numa_node node{object->os_index, {}, object->attr->numanode.local_memory};
    for (int cpu = hwloc_bitmap_first(object->cpuset); cpu >= 0;
         cpu = hwloc_bitmap_next(object->cpuset, cpu)) {
      node.cpus.push_back(static_cast<unsigned>(cpu));
    }
    by_id[node.id] = std::move(node);
  }
  std::vector<numa_node> nodes;
  for (auto& [id, node] : by_id) nodes.push_back(std::move(node));
  return nodes;
}

std::vector<cache_group> caches_of(hwloc_topology_t tree) {
  using kind = std::tuple<unsigned, std::uint64_t, unsigned>;  // level, bytes, sharers
  std::map<kind, unsigned> counts;
  for (const auto type :
       {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L5CACHE}) {
    hwloc_obj_t object = nullptr;
    while ((object = hwloc_get_next_obj_by_type(tree, type, object)) != nullptr) {
      const auto sharers = static_cast<unsigned>(hwloc_bitmap_weight(object->cpuset));
      ++counts[{object->attr->cache.depth, object->attr->cache.size, sharers}];
    }
  }
  std::vector<cache_group> caches;
  for (const auto& [cache, number] : counts) {
    caches.push_back({std::get<0>(cache), std::get<1>(cache), number, std::get<2>(cache)});
  }
  return caches;
}

}  // namespace

topology read_topology(const std::string& synthetic) {
  const auto tree = load(synthetic);
  topology machine;
  machine.cpu_model = cpu_model(tree.get());
  machine.packages = count(tree.get(), HWLOC_OBJ_PACKAGE);
  machine.cores = count(tree.get(), HWLOC_OBJ_CORE);
  machine.cpus = count(tree.get(), HWLOC_OBJ_PU);
  machine.nodes = nodes_of(tree.get());
  machine.caches = caches_of(tree.get());
  machine.memory_bytes = hwloc_get_root_obj(tree.get())->total_memory;
  return machine;
}

std::optional<unsigned> node_of_pci_device(const std::string& bus, const std::string& xml) {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) return std::nullopt;
  const topology_handle tree(raw);
  if (hwloc_topology_set_type_filter(raw, HWLOC_OBJ_PCI_DEVICE, HWLOC_TYPE_FILTER_KEEP_ALL) != 0 ||
      hwloc_topology_set_type_filter(raw, HWLOC_OBJ_BRIDGE, HWLOC_TYPE_FILTER_KEEP_ALL) != 0)
    return std::nullopt;
  if (!xml.empty() && hwloc_topology_set_xmlbuffer(raw, xml.c_str(), static_cast<int>(xml.size()) + 1) != 0)
    return std::nullopt;
  if (hwloc_topology_load(raw) != 0) return std::nullopt;
  const hwloc_obj_t device = hwloc_get_pcidev_by_busidstring(raw, bus.c_str());
  if (device == nullptr) return std::nullopt;
  // hwloc hangs a device below the nearest part of the tree of packages and cores.
  const hwloc_obj_t near = hwloc_get_non_io_ancestor_obj(raw, device);
  if (near == nullptr || near->nodeset == nullptr || hwloc_bitmap_weight(near->nodeset) != 1)
    return std::nullopt;
  return static_cast<unsigned>(hwloc_bitmap_first(near->nodeset));
}

std::string hwloc_version() { return HWLOC_VERSION; }

}  // namespace duomap::cpu
