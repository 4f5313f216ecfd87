// `duomap run APP`: everything around an application's own work.
// host only
#pragma once

#include "apps/cli/app.hpp"
#include "apps/cli/run_options.hpp"
#include "core/run_control.hpp"

namespace duomap::apps {

/// Opens the targets, runs the application under a progress bar, puts the result in place and says what was
/// done. Throws the errors of core/error.hpp.
void run_command(const app& application, const run_options& options, run_control& control);

}  // namespace duomap::apps
