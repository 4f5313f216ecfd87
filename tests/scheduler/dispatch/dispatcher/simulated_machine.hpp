// Describes the machine of simulated runs: 16 cores beside a GPU like an H200.
#pragma once

#include "tests/catch.hpp"
#include "tests/scheduler/dispatch/dispatcher/simulation.hpp"

#include <cstdint>

namespace duomap::test {

// Real runs cut texts into grains of 64 KiB.
inline constexpr double grain_bytes = 65536;
inline constexpr std::uint32_t grains_of_4_gib = 65536;

// Word count on 16 cores, which together do 9 GB/s.
[[nodiscard]] inline simulated_executor cores(double bytes_per_second = 9e9) {
  simulated_executor one;
  one.name = "cpu";
  one.workers = 16;
  one.grain_seconds = grain_bytes / bytes_per_second * one.workers;
  one.claim_seconds = 0.3e-6;
  return one;
}

// A GPU like an H200. Its link limits it, because its kernels are a third faster.
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

// The machine is known, but not the speed of the task on this executor.
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
