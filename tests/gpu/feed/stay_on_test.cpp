// Tests keeping a thread on some CPUs: it is no error if the system refuses.
#include "gpu/feed/stay_on.hpp"

#include "tests/catch.hpp"

#include <sched.h>

#include <thread>
#include <vector>

namespace duomap::test::gpu_feed_stay_on_test {
namespace {

std::vector<unsigned> allowed() {
  cpu_set_t set;
  CPU_ZERO(&set);
  REQUIRE(::sched_getaffinity(0, sizeof set, &set) == 0);
  std::vector<unsigned> cpus;
  for (unsigned cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  }
  return cpus;
}

std::vector<unsigned> allowed_after(const std::vector<unsigned>& wish) {
  std::vector<unsigned> cpus;
  std::thread([&] {
    gpu::stay_on(wish);
    cpus = allowed();
  }).join();
  return cpus;
}

}  // namespace

TEST_CASE("stay on: a thread stays where it is told, and others where they were", "[device]") {
  const std::vector<unsigned> before = allowed();
  CHECK(allowed_after({before.back()}) == std::vector<unsigned>{before.back()});
  CHECK(allowed() == before);
}

TEST_CASE("stay on: no CPUs, and CPUs that there are not, change nothing", "[device]") {
  const std::vector<unsigned> before = allowed();
  CHECK(allowed_after({}) == before);
  CHECK(allowed_after({1'000'000}) == before);
}

}  // namespace duomap::test::gpu_feed_stay_on_test
