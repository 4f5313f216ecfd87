// Describes the machine of simulated runs: 16 cores beside a device of the class of an H200.
#pragma once

#include "tests/catch.hpp"
#include "tests/scheduler/dispatch/dispatcher/simulation.hpp"

#include <cstdint>

namespace duomap::test {

// 64 KiB, as text is cut.
inline constexpr double grain_bytes = 65536;
inline constexpr std::uint32_t grains_of_4_gib = 65536;

// Word count on 16 cores: 9 GB/s in all.
[[nodiscard]] inline simulated_executor cores(double bytes_per_second = 9e9) {
  simulated_executor one;
  one.name = "cpu";
  one.workers = 16;
  one.grain_seconds = grain_bytes / bytes_per_second * one.workers;
  one.claim_seconds = 0.3e-6;
  return one;
}

// A device of the class of an H200, fed over its link, its kernels a third faster than the link.
[[nodiscard]] inline simulated_executor device(double bytes_per_second = 46e9) {
  simulated_executor one;
  one.name = "gpu";
  one.device = true;
  one.depth = 3;
  one.most_grains = 1024;
  one.copy_seconds = grain_bytes / bytes_per_second;
  one.grain_seconds = one.copy_seconds / 1.3;
  one.claim_seconds = 12e-6;
  one.end_seconds = 60e-6;
  return one;
}

// The machine is known and the task is not.
[[nodiscard]] inline simulated_executor unknown(simulated_executor one) {
  one.believed = one.truth();
  one.believed->seconds_per_grain = 0;
  return one;
}

inline void check_right(const simulated_run& run) {
  CHECK(run.wrong_grains == 0);
  CHECK_FALSE(run.hung);
  CHECK_FALSE(run.failed);
}

}  // namespace duomap::test
