// What decompression leaves for devices to gain.
#pragma once

#include "scheduler/planner/planner_thresholds.hpp"
#include "scheduler/planner/run_outlook.hpp"

#include <cmath>
#include <cstdint>
#include <string>

namespace duomap::scheduler {

/// Whether devices gain more than times differ by chance, and more than using or starting them costs.
/// `bytes`: at least so many there are, such as the stored ones.
[[nodiscard]] constexpr bool devices_gain(const stream_forecast& of, std::uint64_t bytes, bool started,
                                          const planner_thresholds& by) {
  const double gain = of.pools() - of.devices();
  return gain > by.least_difference * of.pools() &&
         gain * static_cast<double>(bytes) >= (started ? by.machine.warm_run_seconds : by.cold_seconds());
}

/// "reading and decompressing takes 45 % of the time of the CPU alone, and a GPU would take 50 %"
[[nodiscard]] inline std::string text_of(const stream_forecast& of) {
  const auto percent = [&](double part) {
    return std::to_string(std::lround(100 * part / of.pools())) + " %";
  };
  return "reading and decompressing takes " + percent(of.read) +
         " of the time that the CPU alone takes, and a GPU that is fed so would take " +
         percent(of.devices());
}

}  // namespace duomap::scheduler
