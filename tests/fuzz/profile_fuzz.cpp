// Fuzzes stored profiles, which another user may have written: a profile that was read is written unchanged,
// and the planner works with any numbers in it. A text without a checksum gets the right checksum.
#include "scheduler/history/machine_profile.hpp"
#include "scheduler/history/profile_text.hpp"
#include "scheduler/history/profile_words.hpp"
#include "scheduler/history/task_profile.hpp"
#include "tests/fuzz/fuzz_check.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using namespace duomap;
using namespace duomap::scheduler;

constexpr std::int64_t now = 1'800'000'000;

void try_task(const std::string& text) {
  const auto profile = parse_profile(text);
  if (!profile) return;
  test::require(to_text(*profile) == text, "a profile is written as it was read");
  std::vector<identity> executors;
  std::vector<executor_report> measured;
  for (const executor_profile& one : profile->executors) {
    executors.push_back(one.is);
    measured.push_back(
        {.name = one.is.name, .workers = 1, .chunks = 1, .units = 1000, .seconds_per_unit = 1e-9});
  }
  static_cast<void>(models_for(*profile, executors, now));
  static_cast<void>(device_seconds_per_unit(*profile));
  const std::string later = to_text(updated(*profile, measured, executors, now));
  test::require(parse_profile(later).has_value(), "what a run adds can be read again");
}

void try_machine(const std::string& text) {
  auto profile = parse_machine_profile(text);
  if (!profile) return;
  test::require(to_text(*profile) == text, "a profile is written as it was read");
  static_cast<void>(start_seconds_of(*profile));
  for (const machine_part& part : profile->parts) {
    const identity is{part.name, part.facts};
    static_cast<void>(model_of_machine(*profile, is, now, true));
    static_cast<void>(trusted(part, part.facts, now));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (const std::string& one : {text, text + check_line(text)}) {
    try_task(one);
    try_machine(one);
  }
  return 0;
}
