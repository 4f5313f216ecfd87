// Makes a profile that has every part a profile can have.
#pragma once

#include "scheduler/history/task_profile.hpp"

#include <cstdint>

namespace duomap::test {

inline constexpr std::int64_t today = 1'800'000'000;  ///< seconds since 1970

[[nodiscard]] inline scheduler::task_profile a_profile() {
  scheduler::task_profile profile;
  profile.task = "word count, lower case";
  profile.worth = 0.125;
  profile.worth_units = 4'000'000'000;
  profile.executors.push_back(
      {.is = {"cpu", {{"cpu", "Some Processor (R) 100 % \n\t"}, {"cores", "16"}, {"", ""}}},
       .stored_at = today,
       .model = {.seconds_per_unit = 1.0 / 3, .claim_seconds = 1e-300, .co_run_share = 0.25},
       .deviation = 0.01,
       .runs = 3});
  profile.executors.push_back({.is = {"gpu 0 (\xFF)", {}}, .model = {.end_seconds = 0.19}, .surprises = 1});
  profile.executors.push_back(
      {.is = {"cpu", {}}, .model = {.seconds_per_unit = 1e-9}, .runs = 1, .short_run = 2e-3});
  return profile;
}

}  // namespace duomap::test
