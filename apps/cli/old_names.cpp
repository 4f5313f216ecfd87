// Hands the values of old options to the new ones.
#include "apps/cli/old_names.hpp"

#include "core/add_note.hpp"

#include <CLI/CLI.hpp>

namespace duomap::apps {

namespace {

// Static, because the program parses only one command line.
std::vector<std::string>& notes_of_this_run() {
  static std::vector<std::string> notes;
  return notes;
}

}  // namespace

void old_option_name(CLI::App& command, const std::string& old, const std::string& now) {
  CLI::Option* const option = command.get_option(now);
  const auto hand_on = [old, now, option](const CLI::results_t& given) {
    for (const std::string& value : given) option->add_result(value);
    add_note(notes_of_this_run(), old + " is called " + now + " now");
    return true;
  };
  // CLI11 calls an option's function only after it has read the whole command line. trigger_on_parse() calls
  // this function at once, which keeps the order in which the user gave the old and the new name.
  command.add_option(old, hand_on)->group("")->trigger_on_parse();
}

const std::vector<std::string>& notes_on_old_names() { return notes_of_this_run(); }

}  // namespace duomap::apps
