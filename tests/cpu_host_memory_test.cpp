// The machine's memory.
#include "cpu/host_memory.hpp"
#include "tests/catch.hpp"
#include "tests/core_input_support.hpp"

using duomap::cpu::host_memory;
using duomap::cpu::read_host_memory;

TEST_CASE("memory and huge pages as the kernel writes them", "[memory]") {
  const duomap::test::temporary_folder root;
  root.write("proc/meminfo",
             "MemTotal:       1000 kB\nMemFree:        10 kB\nMemAvailable:    600 kB\n"
             "HugePages_Total:       0\nHugepagesize:       2048 kB\n");
  root.write("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  const host_memory memory = read_host_memory(root.path());
  CHECK(memory.total == 1024'000U);
  CHECK(memory.available == 600U * 1024);
  CHECK(memory.huge_page == 2U << 20);
  CHECK(memory.transparent_huge_pages == "madvise");
}

TEST_CASE("missing files leave the sizes unknown", "[memory]") {
  const duomap::test::temporary_folder root;
  const host_memory memory = read_host_memory(root.path());
  CHECK(memory.total == 0);
  CHECK(memory.available == 0);
  CHECK(memory.huge_page == 0);
  CHECK(memory.transparent_huge_pages.empty());
}

TEST_CASE("this machine has memory", "[memory]") {
  const host_memory memory = read_host_memory();
  CHECK(memory.total > 0);
  CHECK(memory.available > 0);
}
