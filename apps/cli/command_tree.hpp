// What manual pages and the reference say of a command in the same way.
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

/// What a command does. `duomap run NAME` is described as the application is; its examples are elsewhere.
[[nodiscard]] std::string description_of(const CLI::App& command, applications known);

/// An option as it is typed, and what follows its name: "-o,--output" and " FILE".
struct option_text {
  std::string name;
  std::string value;
};
[[nodiscard]] option_text text_of(const CLI::App& command, const CLI::Option& option);

/// Calls see() for a command and all below it, each before those below it.
void visit_commands(const CLI::App& command, const std::function<void(const CLI::App&)>& see);

}  // namespace duomap::apps
