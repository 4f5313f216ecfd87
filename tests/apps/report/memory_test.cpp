// Tests the memory figures that are read from the kernel's texts.
#include "apps/report/memory.hpp"

#include "tests/catch.hpp"

#include <sys/mman.h>

#include <cstring>

namespace duomap::apps::apps_report_memory_test {

TEST_CASE("the fields of a status text", "[apps]") {
  const memory_use use = parse_memory_use(
      "Name:\tVmHWM:\nVmPeak:\t  999 kB\nVmHWM:\t  123 kB\nVmRSS:\t 50 kB\nRssAnon:\t     40 kB\nRssFile: 10 "
      "kB\n");
  CHECK(use.peak_resident == 123 * 1024);
  CHECK(use.resident == 50 * 1024);
  CHECK(use.anonymous == 40 * 1024);
}

TEST_CASE("status texts that do not say", "[apps]") {
  for (const char* text : {"", "Name:\tx\n", "Name:\tx\nVmHWM:", "Name:\tx\nVmHWM:\t kB\nRssAnon:\n"}) {
    CAPTURE(text);
    CHECK(parse_memory_use(text).peak_resident == 0);
    CHECK(parse_memory_use(text).anonymous == 0);
  }
}

TEST_CASE("this process uses memory, and its peak outlives it", "[apps]") {
  constexpr std::size_t size = std::size_t{32} << 20;
  memory_watch watch;
  const std::uint64_t before = current_memory_use().anonymous;
  REQUIRE(before > 0);
  // New pages: an allocator might return pages that are already resident.
  void* const block = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(block != MAP_FAILED);
  std::memset(block, 1, size);
  watch.sample();
  ::munmap(block, size);
  const memory_use peak = watch.peak();
  CHECK(peak.anonymous >= before + size * 9 / 10);
  CHECK(peak.peak_resident >= peak.anonymous);
}

}  // namespace duomap::apps::apps_report_memory_test
