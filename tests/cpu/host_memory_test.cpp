// Tests how much of the machine's memory is available.
#include "cpu/host_memory.hpp"

#include "tests/catch.hpp"
#include "tests/core/input/support.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>

namespace duomap::test::cpu_host_memory_test {

using duomap::cpu::host_memory;
using duomap::cpu::memory_for_results;
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

TEST_CASE("a result may take three quarters of what is free", "[memory]") {
  const duomap::test::temporary_folder root;
  CHECK(memory_for_results(root.path()) == ~std::uint64_t{0});
  root.write("proc/meminfo", "MemTotal:       1000 kB\nMemAvailable:    600 kB\n");
  CHECK(memory_for_results(root.path()) == 450U * 1024);
  root.write("proc/self/mountinfo",
             "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n");
  root.write("proc/self/cgroup", "0::/\n");
  root.write("sys/fs/cgroup/memory.max", "102400\n");
  CHECK(memory_for_results(root.path()) == 75U * 1024);
  // Memory of other processes in the group is not available, but the page cache of files is.
  root.write("sys/fs/cgroup/memory.current", "62400\n");
  CHECK(memory_for_results(root.path()) == 30'000U);
  root.write("sys/fs/cgroup/memory.stat", "anon 5\nfile 99999\nactive_file 5000\ninactive_file 17000\n");
  CHECK(memory_for_results(root.path()) == 46'500U);
  root.write("sys/fs/cgroup/memory.current", "999999\n");
  CHECK(memory_for_results(root.path()) == 4800U);
  root.write("sys/fs/cgroup/memory.max", "max\n");
  CHECK(memory_for_results(root.path()) == 450U * 1024);
}

TEST_CASE("a result takes no more than is left of the address space", "[memory]") {
  constexpr std::uint64_t more = std::uint64_t{8} << 30;
  const duomap::test::temporary_folder root;
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_AS, &before) == 0);
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  rlimit limit = before;
  limit.rlim_cur = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) + more;
  REQUIRE(::setrlimit(RLIMIT_AS, &limit) == 0);
  const std::uint64_t found = memory_for_results(root.path());
  ::setrlimit(RLIMIT_AS, &before);
  CHECK(found <= more / 4 * 3);
  CHECK(found > more / 2);
}

TEST_CASE("this machine has memory", "[memory]") {
  const host_memory memory = read_host_memory();
  CHECK(memory.total > 0);
  CHECK(memory.available > 0);
}

}  // namespace duomap::test::cpu_host_memory_test
