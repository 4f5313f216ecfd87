// Hands the values of old options to the new ones.
#include "apps/cli/old_names.hpp"

#include "core/add_note.hpp"

#include <CLI/CLI.hpp>

namespace duomap::apps {

namespace {

// The program parses one command line, so the notes of one are enough.
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
  // CLI11 calls the other options' functions when it has read the whole command line. Called at once, this
  // one keeps the order in which the user gave both names.
  command.add_option(old, hand_on)->group("")->trigger_on_parse();
}

const std::vector<std::string>& notes_on_old_names() { return notes_of_this_run(); }

}  // namespace duomap::apps
