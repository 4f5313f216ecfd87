// An application of the program, and the functions that it supplies.
// host only
#pragma once

#include "apps/cli/run_arguments.hpp"
#include "apps/report/explanation.hpp"
#include "core/output/byte_sink.hpp"
#include "core/report.hpp"
#include "core/run_control.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace duomap::apps {

/// The inputs and outputs of an application's run. The caller opens the target before the run and commits it
/// after, so an application only writes rows:
///   table_writer(context.sink, context.options.format, {"word", "count"})
struct run_context {
  const run_arguments& options;
  run_control& control;  ///< pass it to the run: it carries the interrupt in and the progress out
  byte_sink& sink;       ///< where the rows go; flushed and committed by the caller
  /// Numbers for scripts that are not rows, such as inertia; the JSON summary has them.
  run_figures figures = {};
  /// Only for an application that reads a table: the bytes of all numbers of the table. The run uses only the
  /// first options.first_bytes of these bytes.
  std::uint64_t table_bytes = 0;
  run_explanation explanation = {};
};

/// One application. A function that the application does not need is null.
struct app {
  std::string_view name;     ///< one lower-case word, as the user types it
  std::string_view summary;  ///< one line for `duomap list`
  /// The text of `duomap describe`: record, key, value and reduce, the definitions they rest on, and at the
  /// end a line "Examples" with examples, which the help of `duomap run` shows, too (apps/cli/examples.hpp).
  std::string_view description;

  /// Turns the words behind the application's name from another program's arguments into duomap's.
  std::vector<std::string> (*translate)(const std::vector<std::string>& arguments) = nullptr;
  /// Adds the options only this application has. The application owns the variables they fill.
  void (*add_options)(CLI::App& command) = nullptr;
  /// The option that names the input in place of PATH ("--train"). If a user leaves the option out, run()
  /// decides whether the input is missing. With indices_option the input is a number of indices.
  std::string_view input_option = {};
  /// The application's other options that name files. They live as long as the program.
  file_options files = {};
  /// Whether run() can also do a part of a run (run_selected_stage() of apps/cli/part_of_run.hpp).
  bool has_parts = false;
  /// Does the work and writes the rows. Throws the errors of core/error.hpp.
  run_report (*run)(run_context& context) = nullptr;
};

/// The applications of a program.
using applications = std::span<const app* const>;

}  // namespace duomap::apps
