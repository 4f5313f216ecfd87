#include "apps/bench/harness/bench_documents.hpp"

#include "apps/bench/harness/bench_markdown.hpp"
#include "apps/bench/harness/svg_plot.hpp"
#include "apps/cli/quantity.hpp"

#include <algorithm>
#include <utility>

namespace duomap::apps {
namespace {

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// For files and links: letters, digits and hyphens.
std::string file_name_of(const std::string& text) {
  std::string name = text;
  std::ranges::replace_if(
      name, [](char c) { return !is_letter_or_digit(c); }, '-');
  return name;
}

// What stands between square brackets must not end them.
std::string link_text(const std::string& text) {
  std::string all;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == '\\') all += '\\';
    all += c == '\n' ? ' ' : c;
  }
  return all;
}

/// As GitHub makes it of a heading: small letters, hyphens for blanks, and of the rest only letters, digits,
/// hyphens and underscores.
std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const char c : heading) {
    if (c == ' ') anchor += '-';
    if (is_letter_or_digit(c) || c == '-' || c == '_')
      anchor += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  }
  return anchor;
}

/// "AMD EPYC, 2 cores: Word count, CPU"
std::string outline_of(const bench_run& run) {
  std::string text = run.machine.cpu.empty() ? "unknown processor" : run.machine.cpu;
  text += ", " + count_text(run.machine.cores, "core");
  for (const std::string& gpu : run.machine.gpus) text += ", " + gpu;
  constexpr std::size_t most_titles = 3;
  if (run.tables.size() > most_titles) return link_text(text + ": " + count_text(run.tables.size(), "table"));
  for (std::size_t i = 0; i < run.tables.size(); ++i) text += (i == 0 ? ": " : "; ") + run.tables[i].title;
  return link_text(text);
}

}  // namespace

std::vector<document_file> documents_of(const std::vector<saved_run>& runs) {
  std::vector<document_file> files;
  std::string page =
      "# Benchmarks\n\n"
      "Written by `./dev docs` from the runs saved in [results/runs](../results/runs); not to be edited. "
      "Each section is one run of one machine:\n\n";
  for (const saved_run& saved : runs)
    page +=
        "- [" + link_text(saved.name) + "](#" + anchor_of(saved.name) + "): " + outline_of(saved.run) + "\n";
  page +=
      "\nTimes are medians of runs that took turns with the other programs of their table; p10 and p90 say "
      "how far they lay apart. \"over\" is how many times as fast a program was, round by round, as the one "
      "that it names. \"cold\" is the first run, before caches, threads and GPUs were warm. \"memory\" is "
      "what a run needed at its peak beside the files that it mapped, where that is enough to be seen; of "
      "the papers' experiments with what comparing its answer took. \"in the paper\" is a claim, on hardware "
      "of its time. What a machine could not measure says so.\n";
  for (const saved_run& saved : runs) {
    page += "\n## " + saved.name + "\n\n" + machine_text(saved.run) + "\n";
    if (!saved.run.command.empty()) page += "\n```sh\n" + saved.run.command + "\n```\n";
    if (!saved.run.ended_early.empty()) page += "\nThis run ended early: " + saved.run.ended_early + "\n";
    for (std::size_t i = 0; i < saved.run.tables.size(); ++i) {
      const bench_table& table = saved.run.tables[i];
      page += "\n### " + table.title + "\n\n" + markdown_of(table, false);
      std::string picture = svg_of(table);
      if (picture.empty()) continue;
      // The number keeps apart what differs in other letters only.
      std::string path = "plots/" + file_name_of(saved.name) + "-" + std::to_string(i + 1) + "-" +
                         file_name_of(table.name) + ".svg";
      page += "\n![" + link_text(table.title) + "](" + path + ")\n";
      files.push_back({std::move(path), std::move(picture)});
    }
  }
  files.insert(files.begin(), {"benchmarks.md", std::move(page)});
  return files;
}

}  // namespace duomap::apps
