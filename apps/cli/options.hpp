// The options that applications have of their own. Only apps/cli includes CLI11's header, because a file that
// includes it compiles 6 s longer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace duomap::apps {

/// What a number may be: from `least` to `most`, both included.
template <class Number>
struct number_range {
  Number least;
  Number most;
};

// Each adds an option NAME ("--rounds") with one line or more of help. Parsing the command line fills `into`,
// which must outlive that; the value it has before is the default, and help shows it. Of an option that is
// given twice the last one counts. A value that is not allowed is a usage error that names the option.

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

/// Texts of which any bytes may be part, a comma too: the option is given once for each.
void add_repeated_text(CLI::App& command, const std::string& name, std::vector<std::string>& into,
                       const std::string& help);

/// Several texts, with commas between them.
void add_texts(CLI::App& command, const std::string& name, std::vector<std::string>& into,
               const std::string& help);

/// One of `words`.
void add_choice(CLI::App& command, const std::string& name, std::string& into, const std::string& help,
                const std::vector<std::string>& words);

/// Some of `words`, with commas between them; all of them are the default.
void add_choices(CLI::App& command, const std::string& name, std::vector<std::string>& into,
                 const std::string& help, const std::vector<std::string>& words);

/// Says what an option of every run means to this application; nothing where the command has no such option.
void describe_option(CLI::App& command, const std::string& name, const std::string& help);

/// Leaves options of rows out of the help, and refuses them with `why`, where rows have an order of their
/// own; nothing where the command has no such option. "none" is no order, and may be given.
void refuse_order(CLI::App& command, const std::vector<std::string>& names, const std::string& why);

/// The arguments that belong to no option: files and directories.
void add_paths(CLI::App& command, std::vector<std::string>& into, const std::string& help);
/// The same, and none is a usage error.
void add_required_paths(CLI::App& command, std::vector<std::string>& into, const std::string& help);

}  // namespace duomap::apps
