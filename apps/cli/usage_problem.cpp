// Turns CLI11's exceptions into messages that name the argument and the choices.
#include "apps/cli/usage_problem.hpp"

#include "core/path_problem.hpp"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace duomap::apps {

namespace {

std::string names_of_subcommands(const CLI::App& command) {
  std::string names;
  for (const CLI::App* child : command.get_subcommands({})) {
    names += (names.empty() ? "" : ", ") + child->get_name();
  }
  return names;
}

bool is_application(const std::string& name, const CLI::App& root) {
  for (const CLI::App* command : root.get_subcommands({})) {
    if (command->get_name() != "run") continue;
    for (const CLI::App* one : command->get_subcommands({})) {
      if (one->get_name() == name) return true;
    }
  }
  return false;
}

}  // namespace

usage_error usage_problem(const CLI::ParseError& problem, const CLI::App& root) {
  std::string path = root.get_name();
  const CLI::App* command = &root;
  for (;;) {
    const std::vector<std::string> unexpected = command->remaining();
    const auto subcommands = command->get_subcommands();
    const std::string choices = names_of_subcommands(*command);
    if (!choices.empty() && !unexpected.empty()) {
      const std::string& first = unexpected.front();
      if (is_application(first, root)) {
        if (command == &root)
          return usage_error("'" + first + "' is an application: say '" + path + " run " + first + "'");
        return usage_error(first + " cannot be mapped in parts; these can: " + choices + "; '" +
                           root.get_name() + " run " + first + "' does all of it");
      }
      return usage_error(first.starts_with('-')
                             ? "unexpected option " + first + " right after '" + path +
                                   "'; first name one of: " + choices
                             : "unknown " + std::string(command == &root ? "command" : "application") + " '" +
                                   first + "'; there are: " + choices);
    }
    if (subcommands.empty()) {
      break;
    }
    command = subcommands.front();
    path += " " + command->get_name();
  }

  const std::string help = "; see " + path + " --help";
  if (const std::string choices = names_of_subcommands(*command); !choices.empty()) {
    return usage_error((command == &root ? "say what to do: " : "name an application: ") + choices + help);
  }
  if (const std::vector<std::string> unexpected = command->remaining(); !unexpected.empty()) {
    return usage_error("unexpected argument " + quoted(unexpected.front()) + help);
  }
  std::string message = problem.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&problem) != nullptr) {
    // CLI11 says "--top: 1 required N missing" or "quiet was given a disallowed flag override".
    const std::size_t flag = message.find(" was given ");
    const std::string name = message.substr(0, message.find(':'));
    // CLI11 does not name a hidden option. It is the last word, because its value is missing.
    message = flag == std::string::npos ? (name.empty() ? "the last option" : name) + " needs a value"
                                        : "--" + message.substr(0, flag) + " takes no value";
  }
  return usage_error(message + help);
}

}  // namespace duomap::apps
