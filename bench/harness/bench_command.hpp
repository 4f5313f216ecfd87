// Does `duomap bench`: measures benchmarks and suites, shows and saves their tables, and compares them.
// host only
#pragma once

#include "bench/harness/suite.hpp"
#include "core/run_control.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace duomap::apps {

/// The options that every `duomap bench` takes, whatever it measures.
struct bench_request {
  bool quick = false;
  std::string json;               ///< the file to save the run in; empty: none
  std::string markdown;           ///< the file to save the run in as Markdown
  std::string report;             ///< the file to save the run in as a page with pictures
  std::string before;             ///< the saved run to compare with
  std::vector<std::string> from;  ///< the saved runs to show instead of measuring
  std::string documents;          ///< the folder for the documents of `from`

  friend bool operator==(const bench_request&, const bench_request&) = default;
};

/// Adds the options for measuring, to `duomap bench` and to the subcommand of each benchmark and suite.
void add_bench_request(CLI::App& command, bench_request& into);

/// Adds the options for saved runs, to `duomap bench` alone.
void add_saved_run_options(CLI::App& command, bench_request& into);

/// The list of suites and benchmarks that `duomap bench` shows without arguments.
[[nodiscard]] std::string bench_list_text();

/// Measures `chosen`, or shows the saved runs that `request` names, and writes tables to standard output.
/// Among several measurements, one whose device is missing becomes a row with the reason. After any other
/// exception the command shows and saves the tables measured before, and ends. An interrupt ends the command
/// at once.
/// @param command as the user typed it, for the record
/// @throws usage_error when there is nothing to do, or two options contradict each other; any exception of
/// measurements, files and saved runs
void bench_command(const std::vector<suite_measurement>& chosen, const bench_request& request,
                   const std::string& command, run_control& control);

}  // namespace duomap::apps
