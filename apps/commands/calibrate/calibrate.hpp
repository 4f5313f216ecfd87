// `duomap calibrate`: measures this machine, or how fast an application is on each of its devices.
// host only
#pragma once

#include "apps/cli/app.hpp"
#include "apps/cli/run_options.hpp"
#include "core/run_control.hpp"

#include <string>

namespace duomap::apps {

/// Measures memory, links and launches, stores them as the machine's profile, and returns what is to be
/// printed. Options used: threads, profile, json_summary. Takes up to half a second, and about a second more
/// for each GPU.
[[nodiscard]] std::string calibrate_machine(const run_options& options, const run_control& control);

/// Runs the application on growing parts of its input, on each device alone and on all together, throws the
/// results away, stores the task's profile, and returns what is to be printed. Options used: paths, engine,
/// threads, profile, json_summary. The largest part is all of the input, or what a run of two seconds does of
/// it, the others are half of the next; they are the first bytes of the files that are memory-mapped. Takes
/// some 7 s at most, longer where a run takes longer.
/// @throws usage_error when that is less than least_calibration_bytes; what a run throws
[[nodiscard]] std::string calibrate_application(const app& application, const run_options& options,
                                                run_control& control);

/// So that the smallest of the parts is larger than what one core does alone.
inline constexpr std::uint64_t least_calibration_bytes = std::uint64_t{32} << 20;

}  // namespace duomap::apps
