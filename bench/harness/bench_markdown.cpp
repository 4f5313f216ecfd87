// Writes tables and runs as Markdown.
#include "bench/harness/bench_markdown.hpp"

namespace duomap::apps {
namespace {

// Replaces newlines and escapes bars, because a cell has one line and a bar would end it.
std::string cell_text(const std::string& text) {
  std::string cell;
  for (const char c : text) {
    if (c == '|') cell += '\\';
    cell += c == '\n' || c == '\r' ? ' ' : c;
  }
  return cell;
}

}  // namespace

std::string markdown_of(const printed_table& table) {
  std::string text, rule;
  for (const printed_head& head : table.heads) {
    text += "| " + cell_text(head.text) + " ";
    rule += head.number ? "|---:" : "|---";
  }
  if (!table.heads.empty()) text += "|\n" + rule + "|\n";
  for (const auto& row : table.rows) {
    for (const std::string& cell : row) text += "| " + cell_text(cell) + " ";
    text += "|\n";
  }
  for (const std::string& line : table.below) text += "\n" + line + "\n";
  return text;
}

std::string markdown_of(const bench_table& table) {
  const printed_table texts = print_table(table);
  return texts.title + " " + texts.subject + "\n\n" + markdown_of(texts);
}

std::string markdown_of(const bench_run& run) {
  std::string text;
  for (const bench_table& table : run.tables) text += markdown_of(table) + "\n";
  text += machine_text(run) + "\n";
  if (!run.ended_early.empty()) text += "\nThis run ended early: " + with_period(run.ended_early) + "\n";
  return text;
}

}  // namespace duomap::apps
