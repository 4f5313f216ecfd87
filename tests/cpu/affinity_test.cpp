// Tests listing the CPUs of a thread, and limiting the thread to some.
#include "cpu/affinity.hpp"

#include "tests/catch.hpp"

#include <algorithm>
#include <thread>
#include <vector>

namespace duomap::test::cpu_affinity_test {

using duomap::cpu::allowed_cpus;
using duomap::cpu::scoped_affinity;

TEST_CASE("allowed_cpus gives ascending CPUs", "[affinity]") {
  const auto cpus = allowed_cpus();
  REQUIRE_FALSE(cpus.empty());
  CHECK(std::is_sorted(cpus.begin(), cpus.end()));
  CHECK(std::adjacent_find(cpus.begin(), cpus.end()) == cpus.end());
}

TEST_CASE("scoped_affinity binds the thread and gives its CPUs back", "[affinity]") {
  const auto before = allowed_cpus();
  for (const unsigned cpu : {before.front(), before.back()}) {
    {
      const scoped_affinity bound({cpu});
      CHECK(allowed_cpus() == std::vector<unsigned>{cpu});
      {
        const scoped_affinity inner({before.front()});
        CHECK(allowed_cpus() == std::vector<unsigned>{before.front()});
      }
      CHECK(allowed_cpus() == std::vector<unsigned>{cpu});
    }
    CHECK(allowed_cpus() == before);
  }
}

TEST_CASE("scoped_affinity leaves other threads alone", "[affinity]") {
  const auto before = allowed_cpus();
  std::vector<unsigned> of_other;
  std::thread([&] {
    const scoped_affinity bound({before.front()});
    of_other = allowed_cpus();
  }).join();
  CHECK(of_other == std::vector<unsigned>{before.front()});
  CHECK(allowed_cpus() == before);
}

TEST_CASE("scoped_affinity without usable CPUs changes nothing", "[affinity]") {
  const auto before = allowed_cpus();
  {
    const scoped_affinity none({});
    CHECK(allowed_cpus() == before);
  }
  {
    // No machine of these tests has a CPU 100,000. The number also exceeds a fixed-size cpu_set_t.
    const scoped_affinity absent({100'000});
    CHECK(allowed_cpus() == before);
  }
  CHECK(allowed_cpus() == before);
}

}  // namespace duomap::test::cpu_affinity_test
