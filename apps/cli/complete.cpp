// Finds the words with which a shell may complete a command line.
#include "apps/cli/complete.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace duomap::apps {

namespace {

// The first statement of a description on one line, because a shell shows one line.
std::string one_line(std::string_view description) {
  std::string text(description.substr(0, description.find(';')));
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

void offer(std::string& candidates, std::string_view typed, const std::string& word,
           std::string_view description = {}) {
  if (!word.starts_with(typed)) return;
  candidates += word;
  if (!description.empty()) candidates += '\t' + one_line(description);
  candidates += '\n';
}

void offer_subcommands(std::string& candidates, std::string_view typed, const CLI::App& command) {
  for (const CLI::App* child : command.get_subcommands({})) {
    offer(candidates, typed, child->get_name(), child->get_description());
  }
}

void offer_options(std::string& candidates, std::string_view typed, const CLI::App& command) {
  for (const CLI::Option* option : command.get_options({})) {
    if (option->get_group().empty()) continue;
    for (const std::string& name : option->get_lnames()) {
      offer(candidates, typed, "--" + name, option->get_description());
    }
    for (const std::string& name : option->get_snames()) {
      offer(candidates, typed, "-" + name, option->get_description());
    }
  }
}

bool takes_value(const CLI::Option* option) {
  return option != nullptr && option->get_items_expected_max() > 0;
}

// The words that an option accepts, as its help names them: "auto|cpu|gpu" or "TEXT:{linear,rbf}". Empty
// where the option accepts any text.
std::vector<std::string> fixed_words(const CLI::Option& option) {
  std::string_view type;
  const std::string named = option.get_type_name();
  char separator = '|';
  if (const std::size_t open = named.find('{'); open != std::string::npos) {
    separator = ',';
    type = std::string_view(named).substr(open + 1, named.find('}') - open - 1);
  } else if (named.find(separator) != std::string::npos) {
    type = named;
  }
  std::vector<std::string> words;
  while (!type.empty()) {
    const std::size_t end = std::min(type.find(separator), type.size());
    words.emplace_back(type.substr(0, end));
    type.remove_prefix(std::min(end + 1, type.size()));
  }
  return words;
}

// Adds the candidates for an option's value. `before` is the text of the same word in front of the value:
// "--sort=".
void offer_values(std::string& candidates, std::string_view typed, const CLI::Option& option,
                  std::string before = {}) {
  // In a list only the last word is completed.
  if (const std::size_t comma = typed.rfind(','); option.get_delimiter() == ',' && comma != typed.npos) {
    before += typed.substr(0, comma + 1);
    typed.remove_prefix(comma + 1);
  }
  for (const std::string& word : fixed_words(option)) {
    if (word.starts_with(typed)) offer(candidates, before, before + word);
  }
}

// Whether the command takes the name of an application as an argument.
bool takes_application(const CLI::App& command) {
  const CLI::Option* const positional = command.get_option_no_throw("APP");
  return positional != nullptr && positional->get_positional();
}

/// The place in the tree of commands that a command line has reached.
struct place {
  const CLI::App* command;
  const CLI::Option* pending = nullptr;  ///< the option whose value is the next word
  bool options_over = false;             ///< after "--"
};

// Whether a second subcommand may follow the first, as in `duomap bench knn pca`.
bool takes_several(const CLI::App* command) {
  return command != nullptr && command->get_require_subcommand_max() != 1;
}

// The subcommand `word` of the command, or of its parent.
const CLI::App* named_subcommand(const CLI::App& command, const std::string& word) {
  for (const CLI::App* parent : {&command, command.get_parent()}) {
    if (parent == nullptr || (parent != &command && !takes_several(parent))) continue;
    for (const CLI::App* child : parent->get_subcommands({})) {
      if (child->check_name(word)) return child;
    }
  }
  return nullptr;
}

void advance(place& at, const std::string& word) {
  if (at.pending != nullptr) {
    at.pending = nullptr;
  } else if (at.options_over) {
    return;
  } else if (word == "--") {
    at.options_over = true;
  } else if (word.starts_with('-')) {
    // "--sort=key" and "-oFILE" have their value in the same word, so they match no option name here.
    const CLI::Option* const option = at.command->get_option_no_throw(word);
    at.pending = takes_value(option) ? option : nullptr;
  } else if (const CLI::App* const child = named_subcommand(*at.command, word)) {
    at.command = child;
  }
}

}  // namespace

std::string completions(const CLI::App& root, applications known, const std::vector<std::string>& words) {
  std::string candidates;
  if (words.empty()) return candidates;
  place at{&root};
  std::for_each(words.begin(), words.end() - 1, [&at](const std::string& word) { advance(at, word); });

  const std::string& typed = words.back();
  if (at.pending != nullptr) {
    offer_values(candidates, typed, *at.pending);
  } else if (at.options_over) {
    return candidates;
  } else if (const std::size_t equals = typed.find('=');
             typed.starts_with("--") && equals != std::string::npos) {
    const CLI::Option* const option = at.command->get_option_no_throw(typed.substr(0, equals));
    if (takes_value(option)) {
      offer_values(candidates, std::string_view(typed).substr(equals + 1), *option,
                   typed.substr(0, equals + 1));
    }
  } else if (typed.starts_with('-')) {
    offer_options(candidates, typed, *at.command);
  } else if (takes_application(*at.command)) {
    for (const app* application : known) {
      offer(candidates, typed, std::string(application->name), application->summary);
    }
  } else {
    offer_subcommands(candidates, typed, *at.command);
    // Behind the first name most users want a file, so other names are offered only after a first letter.
    if (!typed.empty() && takes_several(at.command->get_parent()))
      offer_subcommands(candidates, typed, *at.command->get_parent());
  }
  return candidates;
}

}  // namespace duomap::apps
