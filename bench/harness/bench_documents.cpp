// Writes the tables of saved runs as Markdown and SVG, one file for each.
#include "bench/harness/bench_documents.hpp"

#include "bench/harness/bench_markdown.hpp"
#include "bench/harness/svg_plot.hpp"

#include <utility>

namespace duomap::apps {
namespace {

// Keeps letters and digits for a file name and makes hyphens of all other characters.
std::string file_name_of(const std::string& text) {
  std::string name;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    name += plain ? c : '-';
  }
  return name;
}

}  // namespace

std::vector<document_file> documents_of(const std::vector<saved_run>& runs) {
  std::vector<document_file> files;
  for (const saved_run& saved : runs) {
    for (std::size_t i = 0; i < saved.run.tables.size(); ++i) {
      const bench_table& table = saved.run.tables[i];
      std::string text = markdown_of(table) + "\n" + machine_text(saved.run) + "\n";
      if (!saved.run.command.empty()) text += "\n```sh\n" + saved.run.command + "\n```\n";
      if (!saved.run.ended_early.empty()) text += "\nThis run ended early: " + saved.run.ended_early + "\n";
      // The number keeps files apart if hyphens make two table names the same.
      const std::string path = file_name_of(saved.name + "-" + std::to_string(i + 1) + "-" + table.name);
      files.push_back({path + ".md", std::move(text)});
      if (std::string picture = svg_of(table); !picture.empty())
        files.push_back({path + ".svg", std::move(picture)});
    }
  }
  return files;
}

}  // namespace duomap::apps
