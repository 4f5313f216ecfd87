// Makes the system start no further thread, for tests in a process of their own.
#pragma once

#include "core/sanitizer.hpp"
#include "tests/catch.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <system_error>
#include <thread>

namespace duomap::test {

/// Sanitizers keep threads and memory of their own, and end the process when they get none.
inline constexpr bool threads_can_be_refused = !address_sanitizer && !thread_sanitizer;

/// From now on there is address space for small objects and not for a thread's stack. The process must have
/// ended no thread yet, whose stack the next one would get.
inline void refuse_threads() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  rlimit limit{};
  REQUIRE(::getrlimit(RLIMIT_AS, &limit) == 0);
  limit.rlim_cur = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) + (std::uint64_t{1} << 20);
  REQUIRE(::setrlimit(RLIMIT_AS, &limit) == 0);
  REQUIRE_THROWS_AS(std::thread([] {}), std::system_error);
}

}  // namespace duomap::test
