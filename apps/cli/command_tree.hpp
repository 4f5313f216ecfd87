// Writes the texts about commands that the manual pages and the reference share.
// host only
#pragma once

#include "apps/cli/app.hpp"

#include <functional>
#include <string>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace duomap::apps {

/// "duomap run wordcount", with a blank or a minus between the words.
[[nodiscard]] std::string full_name(const CLI::App& command, char between);

/// "duomap run wordcount [OPTIONS] [PATH...]".
[[nodiscard]] std::string usage_line(const CLI::App& command);

/// The description of a command; for `duomap run NAME` the application's, without its examples.
[[nodiscard]] std::string description_of(const CLI::App& command, applications known);

/// The two parts of an option's heading: its names, "-o,--output", and its value, " FILE".
struct option_text {
  std::string name;
  std::string value;
};
[[nodiscard]] option_text text_of(const CLI::App& command, const CLI::Option& option);

/// Calls see() for a command and all commands below it; a parent comes before its children.
void visit_commands(const CLI::App& command, const std::function<void(const CLI::App&)>& see);

}  // namespace duomap::apps
