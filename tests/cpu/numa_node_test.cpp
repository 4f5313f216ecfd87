// Tests how NUMA nodes are read from the kernel's lists.
#include "cpu/numa_node.hpp"

#include "tests/catch.hpp"
#include "tests/core/input/support.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace duomap::test::cpu_numa_node_test {

using duomap::cpu::numa_nodes;
using duomap::cpu::parse_cpu_list;
using list = std::vector<unsigned>;

TEST_CASE("CPU lists", "[numa]") {
  CHECK(parse_cpu_list("0-3,8,10-11\n") == list{0, 1, 2, 3, 8, 10, 11});
  CHECK(parse_cpu_list("5") == list{5});
  CHECK(parse_cpu_list("7-7") == list{7});
  CHECK(parse_cpu_list("8,2-3,3") == list{2, 3, 8});
  CHECK(parse_cpu_list("1024-1025") == list{1024, 1025});
  CHECK(parse_cpu_list("").empty());
  CHECK(parse_cpu_list("\n").empty());
}

TEST_CASE("CPU lists that make no sense lose what makes none", "[numa]") {
  CHECK(parse_cpu_list("3-1").empty());
  CHECK(parse_cpu_list("a,1,2-b,-,3-,-4,,5") == list{1, 5});
  CHECK(parse_cpu_list("0-99999999999").empty());
  CHECK(parse_cpu_list("0-4294967295,2") == list{2});
}

TEST_CASE("nodes with their CPUs and memory", "[numa]") {
  const duomap::test::temporary_folder root;
  const std::string nodes = "sys/devices/system/node/";
  root.write(nodes + "node10/cpulist", "8-11\n");
  root.write(nodes + "node10/meminfo", "Node 10 MemTotal:        2048 kB\nNode 10 MemFree: 7 kB\n");
  root.write(nodes + "node2/cpulist", "0-3\n");
  root.write(nodes + "node2/meminfo", "Node 2 MemTotal:       1024 kB\n");
  root.write(nodes + "node3/cpulist", "\n");  // memory without CPUs
  root.write(nodes + "nodes/cpulist", "0\n");
  root.write(nodes + "node4/cpulist", "4-7\n");
  root.write(nodes + "online", "2-3,10\n");
  root.write(nodes + "possible", "0-10\n");

  const auto all = numa_nodes({}, root.path());
  REQUIRE(all.size() == 2);
  CHECK(all[0].id == 2);
  CHECK(all[0].cpus == list{0, 1, 2, 3});
  CHECK(all[0].memory_bytes == 1024U * 1024);
  CHECK(all[1].id == 10);
  CHECK(all[1].cpus == list{8, 9, 10, 11});
  CHECK(all[1].memory_bytes == 2048U * 1024);

  const auto some = numa_nodes({1, 2, 9, 77}, root.path());
  REQUIRE(some.size() == 2);
  CHECK(some[0].cpus == list{1, 2});
  CHECK(some[1].cpus == list{9});

  const auto one = numa_nodes({10}, root.path());
  REQUIRE(one.size() == 1);
  CHECK(one[0].id == 10);
}

TEST_CASE("a kernel without NUMA has no nodes", "[numa]") {
  const duomap::test::temporary_folder root;
  CHECK(numa_nodes({}, root.path()).empty());
}

TEST_CASE("this machine's nodes share no CPU", "[numa]") {
  list seen;
  for (const auto& node : numa_nodes()) {
    CHECK_FALSE(node.cpus.empty());
    seen.insert(seen.end(), node.cpus.begin(), node.cpus.end());
  }
  std::sort(seen.begin(), seen.end());
  CHECK(std::adjacent_find(seen.begin(), seen.end()) == seen.end());
}

}  // namespace duomap::test::cpu_numa_node_test
