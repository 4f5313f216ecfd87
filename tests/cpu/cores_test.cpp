// Tests the number of usable cores, and the reason given for it.
#include "cpu/cores.hpp"

#include "cpu/affinity.hpp"
#include "tests/catch.hpp"
#include "tests/core/input/support.hpp"

#include <string>
#include <thread>

namespace duomap::test::cpu_cores_test {

using duomap::cpu::bound_cores;
using duomap::cpu::core_count;
using duomap::cpu::core_limits;
using duomap::cpu::usable_cores;

TEST_CASE("the smallest limit binds and is named", "[cores]") {
  struct example {
    core_limits limits;
    unsigned cores;
    const char* reason;
  };
  const example examples[] = {
      {{16, 16, {}, 0}, 16, "all 16 cores"},
      {{1, 1, {}, 0}, 1, "the only core"},
      {{16, 4, {}, 0}, 4, "affinity mask: 4 of 16 cores"},
      {{16, 16, 2.5, 0}, 2, "cgroup quota: 2.5 of 16 cores"},
      {{16, 16, 2.0, 0}, 2, "cgroup quota: 2 of 16 cores"},
      {{16, 16, 0.25, 0}, 1, "cgroup quota: 0.25 of 16 cores"},
      {{16, 16, 1.999, 0}, 1, "cgroup quota: 2 of 16 cores"},
      {{16, 16, 16.0, 0}, 16, "all 16 cores"},
      {{16, 16, 64.0, 0}, 16, "all 16 cores"},
      {{16, 16, {}, 3}, 3, "asked for: 3 of 16 cores"},
      {{16, 16, {}, 16}, 16, "all 16 cores"},
      {{16, 16, {}, 99}, 16, "all 16 cores"},
      {{16, 8, 4.0, 2}, 2, "asked for: 2 of 4 cores"},
      {{16, 8, 4.0, 6}, 4, "cgroup quota: 4 of 8 cores"},
      {{16, 2, 4.0, 6}, 2, "affinity mask: 2 of 16 cores"},
      {{1, 1, 0.5, 0}, 1, "cgroup quota: 0.5 of 1 core"},
      {{2048, 1536, {}, 0}, 1536, "affinity mask: 1536 of 2048 cores"},
  };
  for (const auto& [limits, cores, reason] : examples) {
    const core_count bound = bound_cores(limits);
    CHECK(bound.cores == cores);
    CHECK(bound.reason == reason);
  }
}

TEST_CASE("there is always one core", "[cores]") {
  CHECK(bound_cores({0, 0, {}, 0}).cores == 1);
  CHECK(bound_cores({0, 0, 0.0, 0}).cores == 1);
}

TEST_CASE("usable cores of this process", "[cores]") {
  const core_count all = usable_cores();
  CHECK(all.cores >= 1);
  CHECK(all.cores <= duomap::cpu::allowed_cpus().size());
  CHECK_FALSE(all.reason.empty());
  CHECK(usable_cores(1).cores == 1);
}

TEST_CASE("usable cores follow the affinity mask and the quota", "[cores]") {
  const duomap::test::temporary_folder no_cgroups;
  const auto cpus = duomap::cpu::allowed_cpus();
  CHECK(usable_cores(0, no_cgroups.path()).cores == cpus.size());
  {
    const duomap::cpu::scoped_affinity bound({cpus.front()});
    CHECK(usable_cores(0, no_cgroups.path()).cores == 1);
  }
  const duomap::test::temporary_folder root;
  root.write("proc/self/mountinfo", "30 23 0:26 / /cg rw - cgroup2 cgroup2 rw\n");
  root.write("proc/self/cgroup", "0::/\n");
  root.write("cg/cpu.max", "60000 100000\n");
  CHECK(usable_cores(0, root.path()).cores == 1);
  if (cpus.size() > 1) CHECK(usable_cores(0, root.path()).reason.find("cgroup quota: 0.6 of") == 0);
}

}  // namespace duomap::test::cpu_cores_test
