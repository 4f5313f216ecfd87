// Does `duomap run APP`: the work around the application's own.
// host only
#pragma once

#include "apps/cli/app.hpp"
#include "apps/cli/run_arguments.hpp"
#include "core/run_control.hpp"

namespace duomap::apps {

/// Opens the targets, runs the application under a progress bar, puts the result in place, and writes the
/// summary.
/// @throws errors of core/error.hpp
void run_command(const app& application, const run_arguments& options, run_control& control);

}  // namespace duomap::apps
