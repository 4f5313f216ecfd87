// The code that the programs `duomap` and `duomap-bench` share around their commands.
// host only
#pragma once

#include "apps/cli/app.hpp"
#include "apps/cli/signals.hpp"
#include "core/run_control.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace duomap::apps {

/// The work of a command; returns the exit status.
using action = std::function<int()>;

/// Opens missing standard descriptors, lets signals cancel runs through `control`, and does `work`. Turns its
/// exceptions into a message and an exit status. A signal that ends the process at once calls `at_end` first.
/// Call it once, first thing in main.
[[nodiscard]] int run_guarded(run_control& control, const action& work, end_action at_end = nullptr) noexcept;

/// Makes `root` the command `duomap`, with the options of both programs.
void set_up_root(CLI::App& root);

/// Parses the arguments. Prints help or the version if they ask for it; else calls `chosen`, which does the
/// chosen command. `known`: the applications that the commands name.
/// @throws usage_error for a wrong command line; errors of the command
[[nodiscard]] int parse_and_do(CLI::App& root, applications known, int argc, const char* const* argv,
                               const action& chosen);

/// Makes --quiet=maybe a usage error, as for every flag. Call it when the command has all its options.
void refuse_flag_values(CLI::App& command);

/// Writes `text` to standard output.
void print(std::string_view text);

/// The command line as a user would type it into a shell, from the name of the program on.
[[nodiscard]] std::string typed(int argc, const char* const* argv, std::string_view program = "duomap");

}  // namespace duomap::apps
