// Tests the report of `duomap doctor`.
#include "apps/commands/doctor.hpp"

#include "core/version.hpp"
#include "tests/catch.hpp"

#include <cstdint>
#include <sstream>
#include <string>

namespace duomap::test::apps_commands_doctor_test {

using duomap::apps::memory_text;
using duomap::apps::report_entry;
using duomap::test::contains;

TEST_CASE("sizes in binary units", "[doctor]") {
  CHECK(memory_text(0) == "0 B");
  CHECK(memory_text(1023) == "1023 B");
  CHECK(memory_text(1024) == "1 KiB");
  CHECK(memory_text(49152) == "48 KiB");
  CHECK(memory_text(1536 * 1024) == "1.5 MiB");
  CHECK(memory_text((std::uint64_t{1} << 30) - 1) == "1 GiB");
  CHECK(memory_text(std::uint64_t{150754820096}) == "140.4 GiB");
  CHECK(memory_text(std::uint64_t{1} << 40) == "1 TiB");
  CHECK(memory_text(std::uint64_t{5000} << 40) == "5000 TiB");
}

TEST_CASE("an entry has its text in a column of its own", "[doctor]") {
  CHECK(report_entry("cpu", "a model") == "cpu           a model\n");
  CHECK(report_entry("", "more") == "              more\n");
  CHECK(report_entry("a label too wide", "text") == "a label too wide text\n");
}

TEST_CASE("a long text is broken between words", "[doctor]") {
  std::string text;
  for (int word = 0; word < 60; ++word)
    text += (word == 0 ? "" : " ") + std::string(1 + static_cast<std::size_t>(word) % 9, 'x');
  std::istringstream lines(report_entry("label", text));
  std::string joined;
  for (std::string line; std::getline(lines, line);) {
    CHECK(line.size() <= 100);
    CHECK(line.substr(0, 14) == (joined.empty() ? "label         " : std::string(14, ' ')));
    joined += (joined.empty() ? "" : " ") + line.substr(14);
  }
  CHECK(joined == text);

  // A line that is exactly full, one that is a byte too long, and a word that cannot be broken.
  CHECK(report_entry("l", std::string(82, 'a') + " bcd").size() == 101);
  CHECK_THAT(report_entry("l", std::string(82, 'a') + " bcde"), contains("a\n              bcde\n"));
  CHECK(report_entry("l", std::string(200, 'a')) == "l             " + std::string(200, 'a') + "\n");
}

TEST_CASE("the report names what matters and fits 100 columns", "[doctor]") {
  std::ostringstream out;
  CHECK(duomap::apps::doctor(out) == 0);
  const std::string report = out.str();
  CHECK_THAT(report, contains("duomap        " + std::string(duomap::version) + "\n"));
  for (const char* const part : {"build ", "oneTBB ", "hwloc ", "kernel ", "cpu ", "usable cores ",
                                 "NUMA node ", "vector path ", "memory ", "GPU"}) {
    CHECK_THAT(report, contains(part));
  }
  std::istringstream lines(report);
  for (std::string line; std::getline(lines, line);) {
    CHECK(line.size() <= 100);
    if (!line.empty()) CHECK(line.back() != ' ');
  }
}

TEST_CASE("doctor: what to do when CUDA takes long to find the GPUs", "[doctor]") {
  using apps::slow_discovery_text;
  CHECK(slow_discovery_text(0.16).empty());
  const std::string slow = slow_discovery_text(0.94);
  CHECK(slow.starts_with("finding the GPUs took 940 ms; "));
  CHECK(slow.find("nvidia-persistenced") != std::string::npos);
}

}  // namespace duomap::test::apps_commands_doctor_test
