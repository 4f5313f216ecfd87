// Makes the system refuse further threads, for tests in a process of their own.
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

/// A sanitizer needs its own threads and memory, and ends the process if the system refuses them.
inline constexpr bool threads_can_be_refused = !address_sanitizer && !thread_sanitizer;

/// From now on, address space is left for small objects but not for a thread's stack. No thread may have
/// ended before, because a new thread would get its stack.
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
