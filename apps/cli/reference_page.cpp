// Writes the reference of all commands in Markdown.
#include "apps/cli/reference_page.hpp"

#include "apps/cli/command_tree.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <string_view>
#include <vector>

namespace duomap::apps {

namespace {

// Escapes the text of a table's cell: a cell has one line, and a bar would end it.
std::string markdown_cell(std::string_view text) {
  std::string cell;
  for (const char c : text) {
    if (c == '|' || c == '<' || c == '\\') cell += '\\';
    cell += c == '\n' ? ' ' : c;
  }
  return cell;
}

std::string option_row(const CLI::App& command, const CLI::Option& option) {
  const option_text text = text_of(command, option);
  return "| `" + markdown_cell(text.name) + "`" + markdown_cell(text.value) + " | " +
         markdown_cell(option.get_description()) + " |\n";
}

std::vector<std::string> option_rows(const CLI::App& command) {
  std::vector<std::string> rows;
  for (const CLI::Option* option : command.get_options({})) {
    if (!option->get_group().empty()) rows.push_back(option_row(command, *option));
  }
  return rows;
}

// Rows that all commands below `command` share.
std::vector<std::string> common_rows(const CLI::App& command) {
  std::vector<std::string> common;
  bool first = true;
  for (const CLI::App* child : command.get_subcommands({})) {
    const std::vector<std::string> rows = option_rows(*child);
    if (first) common = rows;
    first = false;
    std::erase_if(common,
                  [&rows](const std::string& row) { return std::ranges::find(rows, row) == rows.end(); });
  }
  return common;
}

std::string option_table(const std::vector<std::string>& rows) {
  std::string table = "\n| option | what it does |\n|---|---|\n";
  for (const std::string& row : rows) table += row;
  return table;
}

// Descriptions of several lines are broken by hand, so the page shows them as a block that keeps the lines.
std::string described(const std::string& text) {
  if (text.find('\n') == std::string::npos) return text + "\n";
  return "<details><summary>What it computes</summary>\n\n```text\n" + text +
         (text.ends_with('\n') ? "" : "\n") + "```\n</details>\n";
}

std::string command_section(const CLI::App& command, applications known) {
  const CLI::App& parent = *command.get_parent();
  const bool nested = parent.get_parent() != nullptr;
  std::string text = (nested ? "\n### " : "\n## ") + full_name(command, ' ') + "\n\n";
  if (option_rows(command).empty()) return text + command.get_description() + ": a program of its own.\n";
  text += "`" + usage_line(command) + "`\n\n" + command.get_description() + "\n";
  if (const std::string more = description_of(command, known); more != command.get_description())
    text += "\n" + described(more);
  std::vector<std::string> rows = option_rows(command);
  if (nested) {
    const std::vector<std::string> common = common_rows(parent);
    std::erase_if(
        rows, [&common](const std::string& row) { return std::ranges::find(common, row) != common.end(); });
  }
  if (!rows.empty()) text += option_table(rows);
  if (!command.get_subcommands({}).empty())
    text += "\nOptions of all commands below:\n" + option_table(common_rows(command));
  return text;
}

}  // namespace

std::string reference_page(const CLI::App& root, applications known) {
  std::string page =
      "Written by `./dev docs` from the program's own help; not to be edited. `man` and `--help` say the "
      "same. [The command line](command-line.md) has examples.\n";
  visit_commands(root, [&](const CLI::App& command) {
    if (command.get_parent() != nullptr) page += command_section(command, known);
  });
  return page;
}

}  // namespace duomap::apps
