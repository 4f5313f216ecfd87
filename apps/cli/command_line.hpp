// What the programs `duomap` and `duomap-bench` have in common around their commands.
// host only
#pragma once

#include "apps/cli/app.hpp"
#include "core/run_control.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace duomap::apps {

/// What a command line asks for; returns the exit status.
using action = std::function<int()>;

/// Makes the process safe to work in (standard descriptors are open, signals end runs through `control`),
/// does `work` and turns what it throws into a message and an exit status. Call it once, first thing in main.
[[nodiscard]] int run_guarded(run_control& control, const action& work) noexcept;

/// Makes `root` the command `duomap`, with the options that both programs have.
void set_up_root(CLI::App& root);

/// Lets `root` take the arguments apart, shows help or the version if that is what they ask for, and else
/// does what the chosen command has put into `chosen`. `known`: the applications that its commands name.
/// @throws usage_error for a command line that is wrong, and what the command throws
[[nodiscard]] int parse_and_do(CLI::App& root, applications known, int argc, const char* const* argv,
                               const action& chosen);

/// Refuses values of flags: --quiet=maybe is a mistake. For a command that has all its options.
void refuse_flag_values(CLI::App& command);

/// Writes `text` to standard output.
void print(std::string_view text);

/// A command line as one would type it into a shell, from the name of the program on.
[[nodiscard]] std::string typed(int argc, const char* const* argv, std::string_view program = "duomap");

}  // namespace duomap::apps
