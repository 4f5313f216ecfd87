// Tests the topology of this machine, and of machines that hwloc makes from a description.
#include "cpu/topology.hpp"

#include "core/error.hpp"
#include "cpu/affinity.hpp"
#include "tests/catch.hpp"

#include <cstdint>
#include <numeric>

namespace duomap::test::cpu_topology_test {

using duomap::cpu::read_topology;
using duomap::cpu::topology;
using duomap::test::contains;

TEST_CASE("two packages with a node each", "[topology]") {
  const topology machine =
      read_topology("package:2 [numa(memory=1GB)] l3:1(size=32MB) l2:4(size=1MB) core:1 pu:2");
  CHECK(machine.packages == 2);
  CHECK(machine.cores == 8);
  CHECK(machine.cpus == 16);
  REQUIRE(machine.nodes.size() == 2);
  CHECK(machine.nodes[0].id == 0);
  CHECK(machine.nodes[0].cpus == std::vector<unsigned>{0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(machine.nodes[1].id == 1);
  CHECK(machine.nodes[1].cpus == std::vector<unsigned>{8, 9, 10, 11, 12, 13, 14, 15});
  CHECK(machine.nodes[0].memory_bytes == machine.nodes[1].memory_bytes);
  CHECK(machine.nodes[0].memory_bytes > 0);
  CHECK(machine.memory_bytes == 2 * machine.nodes[0].memory_bytes);
  REQUIRE(machine.caches.size() == 2);
  CHECK(machine.caches[0].level == 2);
  CHECK(machine.caches[0].count == 8);
  CHECK(machine.caches[0].shared_by == 2);
  CHECK(machine.caches[1].level == 3);
  CHECK(machine.caches[1].count == 2);
  CHECK(machine.caches[1].shared_by == 8);
  CHECK(machine.caches[1].bytes == 32 * machine.caches[0].bytes);
}

TEST_CASE("the smallest machine", "[topology]") {
  const topology machine = read_topology("core:1 pu:1");
  CHECK(machine.cores == 1);
  CHECK(machine.cpus == 1);
  CHECK(machine.nodes.size() == 1);
  CHECK(machine.caches.empty());
}

TEST_CASE("a description that makes no sense is an error that repeats it", "[topology]") {
  CHECK_THROWS_AS(read_topology("nonsense"), duomap::error);
  CHECK_THROWS_WITH(read_topology("nonsense"), contains("hwloc") && contains("nonsense"));
}

TEST_CASE("this machine, as far as this process may use it", "[topology]") {
  const auto allowed = duomap::cpu::allowed_cpus();
  const topology machine = read_topology();
  CHECK(machine.cpus == allowed.size());
  CHECK(machine.cores >= 1);
  CHECK(machine.cores <= machine.cpus);
  REQUIRE_FALSE(machine.nodes.empty());
  const auto cpus_of_nodes =
      std::accumulate(machine.nodes.begin(), machine.nodes.end(), std::uint64_t{0},
                      [](auto sum, const auto& node) { return sum + node.cpus.size(); });
  CHECK(cpus_of_nodes == allowed.size());

  const duomap::cpu::scoped_affinity bound({allowed.back()});
  CHECK(read_topology().cpus == 1);
}

}  // namespace duomap::test::cpu_topology_test
