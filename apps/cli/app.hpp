// An application of the program: what one has to supply.
// host only
#pragma once

#include "apps/cli/run_options.hpp"
#include "core/iterative_report.hpp"
#include "core/output/byte_sink.hpp"
#include "core/report.hpp"
#include "core/run_control.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace CLI {
class App;
}

namespace duomap::apps {

/// Numbers of a run by their names.
using run_figures = std::vector<std::pair<std::string, std::variant<std::uint64_t, double>>>;

/// What a job in steps explains itself with, in place of what is made of its report.
struct run_explanation {
  std::vector<std::string> lines = {};  ///< none: those of scheduler::explain(run_report)
  std::optional<step_account> account = std::nullopt;
};

[[nodiscard]] run_explanation explanation_of(const iterative_report& steps);

/// What an application's run is given. The caller opens the target before the run and commits it after, so
/// an application only writes rows: table_writer(context.sink, context.options.format, {"word", "count"}).
struct run_context {
  const run_options& options;
  run_control& control;  ///< pass it to the run: it carries the interrupt in and the progress out
  byte_sink& sink;       ///< where the rows go; flushed and committed by the caller
  /// Numbers beside the rows that scripts want, as inertia; the JSON summary has them.
  run_figures figures = {};
  /// Of an application that reads a table: the bytes of all its numbers, of which options.first_bytes are
  /// used.
  std::uint64_t table_bytes = 0;
  run_explanation explanation = {};
};

/// One application. A function that is null means that there is nothing of the kind.
struct app {
  std::string_view name;     ///< one lower-case word, as the user types it
  std::string_view summary;  ///< one line for `duomap list`
  /// Shown by `duomap describe`: record, key, value and reduce, the definitions they rest on, and at the end
  /// a line "Examples" and examples, which the help of `duomap run` shows, too (apps/cli/examples.hpp).
  std::string_view description;

  /// Turns arguments of another program, behind the application's name, into this one's.
  std::vector<std::string> (*translate)(const std::vector<std::string>& arguments) = nullptr;
  /// Adds the options only this application has. The application owns the variables they fill.
  void (*add_options)(CLI::App& command) = nullptr;
  /// The option that names the input in place of PATH ("--train"). It may be left out: run() decides whether
  /// it can do without. indices_option of apps/cli/run_options.hpp: the input is a number of indices.
  std::string_view input_option = {};
  /// Of its other options those that name files, which live as long as the program.
  file_options files = {};
  /// Whether run() does parts of a run, too (run_as_asked() of apps/cli/part_of_run.hpp).
  bool has_parts = false;
  /// Does the work and writes the rows. Throws the errors of core/error.hpp.
  run_report (*run)(run_context& context) = nullptr;
};

/// Those of a program.
using applications = std::span<const app* const>;

}  // namespace duomap::apps
