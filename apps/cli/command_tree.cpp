// Reads names, usage and options of commands from CLI11.
#include "apps/cli/command_tree.hpp"

#include "apps/cli/examples.hpp"

#include <CLI/CLI.hpp>

#include <cstddef>
#include <memory>

namespace duomap::apps {

namespace {

std::shared_ptr<CLI::Formatter> formatter_of(const CLI::App& command) {
  return std::dynamic_pointer_cast<CLI::Formatter>(command.get_formatter());
}

}  // namespace

std::string full_name(const CLI::App& command, char between) {
  const CLI::App* const parent = command.get_parent();
  return (parent == nullptr ? "" : full_name(*parent, between) + between) + command.get_name();
}

std::string usage_line(const CLI::App& command) {
  const std::string usage = formatter_of(command)->make_usage(&command, full_name(command, ' '));
  const std::size_t begin = usage.find("duomap");
  return usage.substr(begin, usage.find('\n', begin) - begin);
}

std::string description_of(const CLI::App& command, applications known) {
  if (const CLI::App* const parent = command.get_parent(); parent != nullptr && parent->get_name() == "run") {
    for (const app* one : known) {
      if (one->name == command.get_name()) return std::string(divide_description(*one).text);
    }
  }
  return command.get_description();
}

option_text text_of(const CLI::App& command, const CLI::Option& option) {
  const auto formatter = formatter_of(command);
  return {formatter->make_option_name(&option, option.get_positional()),
          formatter->make_option_opts(&option)};
}

void visit_commands(const CLI::App& command, const std::function<void(const CLI::App&)>& see) {
  see(command);
  for (const CLI::App* child : command.get_subcommands({})) visit_commands(*child, see);
}

}  // namespace duomap::apps
