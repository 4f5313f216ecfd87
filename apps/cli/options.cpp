// Adds an application's own options to CLI11, with checks that CLI11 lacks.
#include "apps/cli/options.hpp"

#include "core/error.hpp"

#include <CLI/CLI.hpp>

#include <charconv>
#include <limits>
#include <sstream>
#include <string>
#include <system_error>
#include <type_traits>

namespace duomap::apps {

namespace {

// Replaces CLI11's own range check, which accepts NaN and shows 1e-300 as 0.000000.
CLI::Validator in_range(const number_range<double>& allowed) {
  std::ostringstream range;
  range << allowed.least << " - " << allowed.most;
  const auto check = [allowed, range = range.str()](const std::string& text) -> std::string {
    double number = 0;
    if (CLI::detail::lexical_cast(text, number) && number >= allowed.least && number <= allowed.most)
      return {};
    return "Value " + text + " not in range " + range;
  };
  return CLI::Validator(check, "FLOAT in [" + range.str() + "]");
}

// Parses a number strictly. CLI11 would turn -1, and numbers that are too large, into other numbers.
template <class Number>
CLI::Validator whole_number() {
  const auto check = [](const std::string& text) {
    Number number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem == std::errc() && end == text.data() + text.size()) return std::string();
    return "'" + text + "' is no whole number from 0 to " +
           std::to_string(std::numeric_limits<Number>::max());
  };
  return CLI::Validator(check, "");
}

template <class Number>
void add_any_number(CLI::App& command, const std::string& name, Number& into, const std::string& help,
                    const std::optional<number_range<Number>>& allowed) {
  CLI::Option* const option = command.add_option(name, into, help)->capture_default_str()->take_last();
  if constexpr (std::is_same_v<Number, double>) {
    if (allowed) option->check(in_range(*allowed));
  } else if (allowed) {
    option->check(CLI::Range(allowed->least, allowed->most));
  } else {
    option->check(whole_number<Number>());
  }
}

// An option takes one argument only, because the next argument may be a path.
template <class Value>
CLI::Option* add_list(CLI::App& command, const std::string& name, std::vector<Value>& into,
                      const std::string& help) {
  return command.add_option(name, into, help)->delimiter(',')->allow_extra_args(false);
}

}  // namespace

void add_flag(CLI::App& command, const std::string& name, bool& into, const std::string& help) {
  command.add_flag(name, into, help);
}

void add_number(CLI::App& command, const std::string& name, std::uint32_t& into, const std::string& help,
                const std::optional<number_range<std::uint32_t>>& allowed) {
  add_any_number(command, name, into, help, allowed);
}

void add_number(CLI::App& command, const std::string& name, std::uint64_t& into, const std::string& help,
                const std::optional<number_range<std::uint64_t>>& allowed) {
  add_any_number(command, name, into, help, allowed);
}

void add_number(CLI::App& command, const std::string& name, double& into, const std::string& help,
                const std::optional<number_range<double>>& allowed) {
  add_any_number(command, name, into, help, allowed);
}

void add_numbers(CLI::App& command, const std::string& name, std::vector<std::uint32_t>& into,
                 const std::string& help, const number_range<std::uint32_t>& allowed) {
  add_list(command, name, into, help)->check(CLI::Range(allowed.least, allowed.most))->capture_default_str();
}

void add_text(CLI::App& command, const std::string& name, std::string& into, const std::string& help) {
  command.add_option(name, into, help)->capture_default_str()->take_last();
}

void add_repeated_text(CLI::App& command, const std::string& name, std::vector<std::string>& into,
                       const std::string& help) {
  // CLI11 drops an empty argument among several. So this option takes one argument at a time.
  const auto take = [&into](const std::vector<std::string>& given) {
    into = given;
  };
  command.add_option_function<std::vector<std::string>>(name, take, help)
      ->type_name("TEXT")
      ->type_size(1)
      ->allow_extra_args(false);
}

void add_texts(CLI::App& command, const std::string& name, std::vector<std::string>& into,
               const std::string& help) {
  add_list(command, name, into, help);
}

void add_texts_in_order(CLI::App& command, const std::string& name, std::vector<given_text>& into,
                        const std::string& help) {
  const auto take = [name, &into](const std::vector<std::string>& given) {
    for (const std::string& text : given) into.push_back({name, text});
  };
  // trigger_on_parse() keeps the user's order. CLI11's own order is that of the options' definitions.
  command.add_option_function<std::vector<std::string>>(name, take, help)
      ->delimiter(',')
      ->allow_extra_args(false)
      ->trigger_on_parse();
}

void add_flag_in_order(CLI::App& command, const std::string& name, std::vector<given_text>& into,
                       const std::string& help) {
  command
      .add_flag_callback(
          name,
          [name, &into] {
            into.push_back({name, {}});
          },
          help)
      ->trigger_on_parse();
}

void add_choice(CLI::App& command, const std::string& name, std::string& into, const std::string& help,
                const std::vector<std::string>& words) {
  command.add_option(name, into, help)->capture_default_str()->check(CLI::IsMember(words))->take_last();
}

void add_choices(CLI::App& command, const std::string& name, std::vector<std::string>& into,
                 const std::string& help, const std::vector<std::string>& words) {
  into = words;
  add_list(command, name, into, help)->check(CLI::IsMember(words))->default_str("all");
}

void add_paths(CLI::App& command, std::vector<std::string>& into, const std::string& help) {
  command.add_option("PATH", into, help)->type_name("");
}

void add_required_paths(CLI::App& command, std::vector<std::string>& into, const std::string& help) {
  command.add_option("PATH", into, help)->type_name("")->required();
}

void describe_option(CLI::App& command, const std::string& name, const std::string& help) {
  if (CLI::Option* const option = command.get_option_no_throw(name); option != nullptr)
    option->description(help);
}

void refuse_order(CLI::App& command, const std::vector<std::string>& names, const std::string& why) {
  for (const std::string& name : names) {
    CLI::Option* const option = command.get_option_no_throw(name);
    if (option == nullptr) continue;
    // This runs before all other checks, so it sees the text as the user gave it.
    option->group("")->transform([name, why](const std::string& given) {
      return given == "none" ? given : throw usage_error(name + ": " + why);
    });
  }
}

}  // namespace duomap::apps
