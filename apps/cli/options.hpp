// Adds the options that an application has of its own. Only apps/cli includes CLI11's header, because a file
// that includes it compiles 6 s longer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace duomap::apps {

/// The allowed values of a number: from `least` to `most`, both included.
template <class Number>
struct number_range {
  Number least;
  Number most;
};

// Each function adds an option NAME ("--rounds") with one line or more of help. Parsing the command line
// fills `into`, which must outlive the parse. Help shows the value in `into` as the default. When an option
// is given twice, the last value counts. A value that is not allowed is a usage error that names the option.

void add_flag(CLI::App& command, const std::string& name, bool& into, const std::string& help);

void add_number(CLI::App& command, const std::string& name, std::uint32_t& into, const std::string& help,
                const std::optional<number_range<std::uint32_t>>& allowed = {});
void add_number(CLI::App& command, const std::string& name, std::uint64_t& into, const std::string& help,
                const std::optional<number_range<std::uint64_t>>& allowed = {});
void add_number(CLI::App& command, const std::string& name, double& into, const std::string& help,
                const std::optional<number_range<double>>& allowed = {});

/// Several numbers, with commas between them.
void add_numbers(CLI::App& command, const std::string& name, std::vector<std::uint32_t>& into,
                 const std::string& help, const number_range<std::uint32_t>& allowed);

void add_text(CLI::App& command, const std::string& name, std::string& into, const std::string& help);

/// Texts of any bytes, commas included: the user gives the option once for each text.
void add_repeated_text(CLI::App& command, const std::string& name, std::vector<std::string>& into,
                       const std::string& help);

/// Several texts, with commas between them.
void add_texts(CLI::App& command, const std::string& name, std::vector<std::string>& into,
               const std::string& help);

/// An option and one text that a user gave it.
struct given_text {
  std::string option;  ///< with its dashes
  std::string text;    ///< empty for a flag
};

/// Adds an option whose place among other options counts. All such options append to `into`, in the order in
/// which the user gives them.
void add_texts_in_order(CLI::App& command, const std::string& name, std::vector<given_text>& into,
                        const std::string& help);
void add_flag_in_order(CLI::App& command, const std::string& name, std::vector<given_text>& into,
                       const std::string& help);

/// One of `words`.
void add_choice(CLI::App& command, const std::string& name, std::string& into, const std::string& help,
                const std::vector<std::string>& words);

/// Some of `words`, with commas between them; all of them are the default.
void add_choices(CLI::App& command, const std::string& name, std::vector<std::string>& into,
                 const std::string& help, const std::vector<std::string>& words);

/// Sets the help of a standard option, such as --top, for one application, if the command has that option.
void describe_option(CLI::App& command, const std::string& name, const std::string& help);

/// For an application whose rows have an order of their own: hides options such as --sort from the help, and
/// refuses them with the message `why`. Still accepts "none", which asks for no order. Does nothing where the
/// command has no such option.
void refuse_order(CLI::App& command, const std::vector<std::string>& names, const std::string& why);

/// The words of the command line that belong to no option: files and directories.
void add_paths(CLI::App& command, std::vector<std::string>& into, const std::string& help);
/// add_paths() for a command that needs a path: a command line without a path is a usage error.
void add_required_paths(CLI::App& command, std::vector<std::string>& into, const std::string& help);

}  // namespace duomap::apps
