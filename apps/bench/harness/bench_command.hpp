// `duomap bench`: measures what was named, shows it, saves it, compares it.
// host only
#pragma once

#include "apps/bench/harness/suite.hpp"
#include "core/run_control.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace duomap::apps {

/// What every `duomap bench` can be asked for, whatever it measures.
struct bench_request {
  bool quick = false;
  std::string json;               ///< file to save the run in; empty: none
  std::string markdown;           ///< the same as Markdown
  std::string report;             ///< the same as a page with pictures
  std::string before;             ///< saved run to compare with
  std::vector<std::string> from;  ///< saved runs to show instead of measuring
  std::string documents;          ///< folder for documents of `from`

  friend bool operator==(const bench_request&, const bench_request&) = default;
};

/// Adds those options of it that belong to measuring, for `duomap bench` and each name behind it.
void add_bench_request(CLI::App& command, bench_request& into);

/// Adds those for saved runs, for `duomap bench` alone.
void add_saved_run_options(CLI::App& command, bench_request& into);

/// What can be measured, as `duomap bench` alone shows it.
[[nodiscard]] std::string bench_list_text();

/// Does what was asked for; tables go to standard output. Of several measurements one that finds its device
/// missing is a row that says so; whatever else one throws is thrown on, after what was measured before is
/// shown and saved.
/// @param command as it was typed, for the record
/// @throws usage_error when there is nothing to do, or two requests contradict each other; and what
/// measurements, files and saved runs throw
void bench_command(const std::vector<suite_measurement>& chosen, const bench_request& request,
                   const std::string& command, run_control& control);

}  // namespace duomap::apps
