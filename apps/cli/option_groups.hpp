// Adds the options that several commands share, in groups.
// host only
#pragma once

#include "apps/cli/run_arguments.hpp"

#include <string_view>

namespace CLI {
class App;
}

namespace duomap::apps {

// Each function adds options. Parsing the command line fills `into`, which must outlive the parse.

/// The input. `input_option` is the option that names the input in place of PATH; if it is empty, PATH names
/// the input.
void add_paths(CLI::App& command, run_arguments& into, std::string_view input_option);
/// The options that say where and how a run works: devices, engines, shares, limits, threads and others.
void add_execution(CLI::App& command, run_arguments& into);
void add_engine(CLI::App& command, run_arguments& into);
void add_limit(CLI::App& command, run_arguments& into);
void add_threads(CLI::App& command, run_arguments& into);
/// The rows of a result: top, sort, format.
void add_rows(CLI::App& command, run_arguments& into);
/// The targets of results and summaries: output, json, summary.
void add_output(CLI::App& command, run_arguments& into);
/// The options that explain a run, and the folder of profiles: explain, trace, report, profile.
void add_explanation(CLI::App& command, run_arguments& into);
void add_profile(CLI::App& command, run_arguments& into);
void add_quiet(CLI::App& command, run_arguments& into);
void add_verify(CLI::App& command, run_arguments& into);

}  // namespace duomap::apps
