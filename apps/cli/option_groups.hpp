// Options that several commands have, in groups.
// host only
#pragma once

#include "apps/cli/run_options.hpp"

#include <string_view>

namespace CLI {
class App;
}

namespace duomap::apps {

// Each adds options; parsing the command line fills `into`, which must outlive that.

/// What is read. `input_option`: what names the input in place of PATH; empty: PATH does.
void add_paths(CLI::App& command, run_options& into, std::string_view input_option);
/// Where and how it runs: device, engine, split, limit, strict, deterministic, threads.
void add_execution(CLI::App& command, run_options& into);
void add_engine(CLI::App& command, run_options& into);
void add_threads(CLI::App& command, run_options& into);
/// What of a result is written, and how: top, sort, format.
void add_rows(CLI::App& command, run_options& into);
/// Where results and summaries go.
void add_output(CLI::App& command, run_options& into);
/// How a run is explained, and where speeds are remembered.
void add_explanation(CLI::App& command, run_options& into);
void add_profile(CLI::App& command, run_options& into);
void add_quiet(CLI::App& command, run_options& into);
void add_verify(CLI::App& command, run_options& into);

}  // namespace duomap::apps
