// Does `duomap calibrate`, which measures this machine, or the speed of an application on its devices.
// host only
#pragma once

#include "apps/cli/app.hpp"
#include "apps/cli/run_arguments.hpp"
#include "core/run_control.hpp"

#include <string>

namespace duomap::apps {

/// Measures memory, links and launches, stores them as the machine's profile, and returns the text to print.
/// Options used: threads, profile, json_summary. Takes about 1 s for each GPU, and less for the CPU.
[[nodiscard]] std::string calibrate_machine(const run_arguments& options, const run_control& control);

/// Runs the application on growing parts of its input: on the CPU alone, on the GPUs alone, and on all
/// together. Throws the results away, stores the task's profile, and returns the text to print. Options used:
/// paths, engine, threads, profile, json_summary. The largest part takes about two seconds, or is the whole
/// input; every other part is half of the next larger one. Only memory-mapped files count as input. Takes
/// some 7 s, or longer if a single run takes longer.
/// @throws usage_error when the input has fewer than least_calibration_bytes; errors of a run
[[nodiscard]] std::string calibrate_application(const app& application, const run_arguments& options,
                                                run_control& control);

/// The fewest bytes of an input for calibration. Even its smallest part is more than one core does alone.
inline constexpr std::uint64_t least_calibration_bytes = std::uint64_t{32} << 20;

}  // namespace duomap::apps
