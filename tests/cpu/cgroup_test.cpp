// Tests cgroup limits, read from folders that look like the kernel's.
#include "cpu/cgroup.hpp"

#include "tests/catch.hpp"
#include "tests/core/input/support.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace duomap::test::cpu_cgroup_test {

using duomap::cpu::cgroup_limits;
using duomap::cpu::read_cgroup_limits;
using duomap::test::temporary_folder;

namespace {

/// A machine with one cgroup2 mount, and this process in `group`.
struct unified_machine {
  explicit unified_machine(const std::string& group, const std::string& mounted_group = "/") {
    root.write("proc/self/mountinfo",
               "22 1 0:20 / /proc rw,nosuid - proc proc rw\n"
               "30 23 0:26 " +
                   mounted_group + " /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n");
    root.write("proc/self/cgroup", "0::" + group + "\n");
  }

  void write(const std::string& file, const std::string& text) const {
    root.write("sys/fs/cgroup" + file, text);
  }
  [[nodiscard]] cgroup_limits limits() const { return read_cgroup_limits(root.path()); }

  temporary_folder root;
};

}  // namespace

TEST_CASE("a machine without cgroups has no limits", "[cgroup]") {
  const temporary_folder empty;
  CHECK_FALSE(read_cgroup_limits(empty.path()).cores);
  CHECK_FALSE(read_cgroup_limits(empty.path()).memory);
}

TEST_CASE("this machine's limits can be read", "[cgroup]") {
  const cgroup_limits limits = read_cgroup_limits();
  if (limits.cores) CHECK(*limits.cores > 0);
  if (limits.memory) CHECK(*limits.memory > 0);
}

TEST_CASE("version 2: the process's own group", "[cgroup]") {
  const unified_machine machine("/batch");
  machine.write("/batch/cpu.max", "250000 100000\n");
  machine.write("/batch/memory.max", "1073741824\n");
  CHECK(machine.limits().cores == 2.5);
  CHECK(machine.limits().memory == std::uint64_t{1} << 30);
}

TEST_CASE("version 2: max means no limit", "[cgroup]") {
  const unified_machine machine("/batch");
  machine.write("/batch/cpu.max", "max 100000\n");
  machine.write("/batch/memory.max", "max\n");
  CHECK_FALSE(machine.limits().cores);
  CHECK_FALSE(machine.limits().memory);
}

TEST_CASE("version 2: the smallest limit on the way to the root binds", "[cgroup]") {
  const unified_machine machine("/a/b/c");
  machine.write("/a/cpu.max", "150000 100000\n");
  machine.write("/a/memory.max", "3000000\n");
  machine.write("/a/b/cpu.max", "400000 100000\n");
  machine.write("/a/b/memory.max", "2000000\n");
  machine.write("/a/b/c/cpu.max", "max 100000\n");
  machine.write("/a/b/c/memory.max", "4000000\n");
  machine.write("/a/other/cpu.max", "1000 100000\n");
  CHECK(machine.limits().cores == 1.5);
  CHECK(machine.limits().memory == 2000000U);
}

TEST_CASE("version 2: in a container, whose group is the root it sees", "[cgroup]") {
  const unified_machine machine("/");
  machine.write("/cpu.max", "50000 100000\n");
  machine.write("/memory.max", "4096\n");
  CHECK(machine.limits().cores == 0.5);
  CHECK(machine.limits().memory == 4096U);
}

TEST_CASE("version 2: in a container that sees its group under the host's name", "[cgroup]") {
  const unified_machine machine("/system/box/part", "/system/box");
  machine.write("/cpu.max", "800000 100000\n");
  machine.write("/part/cpu.max", "700000 100000\n");
  CHECK(machine.limits().cores == 7.0);
}

TEST_CASE("version 2: a group outside of what is mounted leaves the mount point", "[cgroup]") {
  for (const std::string group : {"/elsewhere", "/../beside", "/system/boxes", "/.."}) {
    INFO(group);
    const unified_machine machine(group, "/system/box");
    machine.write("/cpu.max", "300000 100000\n");
    machine.write("/elsewhere/cpu.max", "100000 100000\n");
    CHECK(machine.limits().cores == 3.0);
  }
}

TEST_CASE("version 2: files that make no sense mean no limit", "[cgroup]") {
  for (const std::string text : {"", "\n", "max", "100000", "100000 0\n", "0 100000\n", "-5 100000\n",
                                 "x y\n", "100000 100000 100000\n", "99999999999999999999999 100000\n"}) {
    INFO("'" << text << "'");
    const unified_machine machine("/batch");
    machine.write("/batch/cpu.max", text);
    machine.write("/batch/memory.max", text);
    CHECK_FALSE(machine.limits().cores);
  }
}

TEST_CASE("version 1: the cpu and memory hierarchies", "[cgroup]") {
  const temporary_folder root;
  root.write("proc/self/mountinfo",
             "31 30 0:27 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
             "32 30 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
             "33 30 0:29 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n");
  root.write("proc/self/cgroup",
             "12:cpuset:/\n"
             "11:cpu,cpuacct:/box\n"
             "10:memory:/mem/box\n"
             "1:name=systemd:/x:y\n");
  root.write("sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_quota_us", "350000\n");
  root.write("sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_period_us", "100000\n");
  root.write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  root.write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  root.write("sys/fs/cgroup/cpuset/cpu.cfs_quota_us", "100000\n");
  root.write("sys/fs/cgroup/cpuset/cpu.cfs_period_us", "100000\n");
  root.write("sys/fs/cgroup/memory/mem/box/memory.limit_in_bytes", "123456789\n");
  root.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  CHECK(read_cgroup_limits(root.path()).cores == 3.5);
  CHECK(read_cgroup_limits(root.path()).memory == 123456789U);
  CHECK(read_cgroup_limits(root.path()).memory_left == 123456789U);
  root.write("sys/fs/cgroup/memory/mem/box/memory.usage_in_bytes", "100000000\n");
  root.write("sys/fs/cgroup/memory/mem/box/memory.stat",
             "inactive_file 7\ntotal_inactive_file 30000000\ntotal_active_file 10000000\n");
  CHECK(read_cgroup_limits(root.path()).memory_left == 63456789U);
}

TEST_CASE("version 1: what the kernel writes for no limit", "[cgroup]") {
  const temporary_folder root;
  root.write("proc/self/mountinfo",
             "31 30 0:27 / /cg/cpu rw - cgroup cgroup rw,cpu\n"
             "32 30 0:28 / /cg/memory rw - cgroup cgroup rw,memory\n");
  root.write("proc/self/cgroup", "11:cpu:/\n10:memory:/\n");
  root.write("cg/cpu/cpu.cfs_quota_us", "-1\n");
  root.write("cg/cpu/cpu.cfs_period_us", "100000\n");
  root.write("cg/memory/memory.limit_in_bytes", "9223372036854771712\n");
  CHECK_FALSE(read_cgroup_limits(root.path()).cores);
  CHECK_FALSE(read_cgroup_limits(root.path()).memory);
}

TEST_CASE("both versions at once: the smaller limit of each kind", "[cgroup]") {
  const temporary_folder root;
  root.write("proc/self/mountinfo",
             "31 30 0:27 / /cg/cpu rw - cgroup cgroup rw,cpu\n"
             "32 30 0:28 / /cg/unified rw - cgroup2 cgroup2 rw\n");
  root.write("proc/self/cgroup", "11:cpu:/v1\n0::/v2\n");
  root.write("cg/cpu/v1/cpu.cfs_quota_us", "600000\n");
  root.write("cg/cpu/v1/cpu.cfs_period_us", "100000\n");
  root.write("cg/unified/v2/cpu.max", "500000 100000\n");
  root.write("cg/unified/v2/memory.max", "777\n");
  CHECK(read_cgroup_limits(root.path()).cores == 5.0);
  CHECK(read_cgroup_limits(root.path()).memory == 777U);
}

TEST_CASE("a mount point with spaces is found", "[cgroup]") {
  const temporary_folder root;
  root.write("proc/self/mountinfo", "30 23 0:26 / /my\\040groups\\134x rw - cgroup2 cgroup2 rw\n");
  root.write("proc/self/cgroup", "0::/a\n");
  root.write("my groups\\x/a/cpu.max", "200000 100000\n");
  CHECK(read_cgroup_limits(root.path()).cores == 2.0);
}

TEST_CASE("garbled /proc files mean no limit", "[cgroup]") {
  for (const std::string text :
       {"\n", "0", ":", "0:", "0::", "- cgroup2", " - cgroup2 \n", "1 2 3 4 5 - cgroup2 c\n"}) {
    INFO("'" << text << "'");
    const temporary_folder root;
    root.write("proc/self/mountinfo", text + "30 23 0:26 / /cg rw - cgroup2\n");
    root.write("proc/self/cgroup", text);
    CHECK_FALSE(read_cgroup_limits(root.path()).cores);
  }
}

}  // namespace duomap::test::cpu_cgroup_test
