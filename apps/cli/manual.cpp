// Writes manual pages in roff from the help of the commands.
#include "apps/cli/manual.hpp"

#include "apps/cli/command_tree.hpp"
#include "core/output/result_file.hpp"
#include "core/version.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::apps {

namespace {

// Escapes a text so that roff prints it unchanged: a minus as a minus that can be copied, a backslash as a
// backslash, and no line as a request.
std::string roff(std::string_view text) {
  std::string escaped;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) escaped += "\\&";
    if (c == '\\') {
      escaped += "\\e";
    } else if (c == '-') {
      escaped += "\\-";
    } else {
      escaped += c;
    }
    line_start = c == '\n';
  }
  return escaped;
}

std::string capitals(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

std::string section(std::string_view title) { return ".SH " + roff(title) + "\n"; }

// Writes lines that roff must neither join nor break.
std::string as_cut(std::string_view text) {
  std::string lines = ".nf\n" + roff(text);
  if (!lines.ends_with('\n')) lines += '\n';
  return lines + ".fi\n";
}

// Writes lines that roff must not join. It may break them if the page is too narrow.
std::string as_lines(std::string_view text) {
  std::string lines;
  for (const char c : roff(text)) {
    lines += c;
    if (c == '\n') lines += ".br\n";
  }
  return lines + '\n';
}

std::string synopsis(const CLI::App& command) { return section("SYNOPSIS") + as_cut(usage_line(command)); }

std::string description(const CLI::App& command, applications known) {
  return section("DESCRIPTION") + as_cut(description_of(command, known));
}

std::string arguments(const CLI::App& command) {
  std::string text;
  for (const std::string& group : command.get_groups()) {
    const auto options = command.get_options(
        [&group](const CLI::Option* option) { return option->get_group() == group && !group.empty(); });
    if (!options.empty()) text += section(capitals(group));
    for (const CLI::Option* option : options) {
      const option_text words = text_of(command, *option);
      text += ".TP\n\\fB" + roff(words.name) + "\\fR" + roff(words.value) + "\n" +
              as_lines(option->get_description());
    }
  }
  return text;
}

std::string subcommands(const CLI::App& command) {
  std::string text;
  std::string last_group;
  for (const CLI::App* child : command.get_subcommands({})) {
    if (child->get_group() != last_group) text += section(capitals(last_group = child->get_group()));
    text += ".TP\n\\fB" + roff(child->get_name()) + "\\fR\n" + as_lines(child->get_description());
  }
  return text;
}

// The footer's paragraphs. A paragraph that begins with "Examples:" or "Exit status:" becomes a section of
// that name.
std::string notes(std::string_view footer) {
  std::string text;
  for (bool first = true; !footer.empty(); first = false) {
    const std::size_t end = std::min(footer.find("\n\n"), footer.size());
    std::string_view paragraph = footer.substr(0, end);
    footer.remove_prefix(std::min(end + 2, footer.size()));
    bool titled = false;
    for (const std::string title : {"Examples", "Exit status"}) {
      if (!paragraph.starts_with(title + ":")) continue;
      // Removes the title, the colon, and the blank or line end behind the colon.
      paragraph.remove_prefix(std::min(title.size() + 2, paragraph.size()));
      text += section(capitals(title));
      titled = true;
    }
    if (!titled) text += first ? section("NOTES") : ".PP\n";
    text += as_cut(paragraph);
  }
  return text;
}

bool is_above(const CLI::App& one, const CLI::App& other) {
  const CLI::App* const parent = other.get_parent();
  return parent != nullptr && (parent == &one || is_above(one, *parent));
}

// The SEE ALSO section. The root's page names all other pages. Every other page names the pages above and
// below it, and the pages of the same application.
std::string see_also(const CLI::App& root, const CLI::App& command) {
  std::string pages;
  visit_commands(root, [&](const CLI::App& other) {
    const bool related = is_above(other, command) || is_above(command, other) ||
                         (&other != &command && other.get_name() == command.get_name());
    if (related) {
      pages += (pages.empty() ? "" : ",\n") + (".BR " + roff(full_name(other, '-'))) + " (1)";
    }
  });
  // roff must not divide names at the end of a line.
  return section("SEE ALSO") + ".nh\n.ad l\n" + pages + "\n";
}

std::string page(const CLI::App& root, const CLI::App& command, applications known) {
  const std::string name = full_name(command, '-');
  std::string summary = command.get_description();
  if (summary.starts_with(name + ' ')) summary.erase(0, name.size() + 1);
  std::replace(summary.begin(), summary.end(), '\n', ' ');
  return ".TH " + roff(capitals(name)) + " 1 \"\" \"duomap " + std::string(version) +
         "\" \"User Commands\"\n" + section("NAME") + roff(name) + " \\- " + roff(summary) + "\n" +
         synopsis(command) + description(command, known) + arguments(command) + subcommands(command) +
         notes(command.get_footer()) + see_also(root, command);
}

}  // namespace

void write_manual(const CLI::App& root, applications known, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  visit_commands(root, [&](const CLI::App& command) {
    if (command.get_options({}).empty()) return;
    result_file file((folder / (full_name(command, '-') + ".1")).string());
    file.sink().write(page(root, command, known));
    file.commit();
  });
}

}  // namespace duomap::apps
