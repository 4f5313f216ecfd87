// Writes a run as an HTML page with embedded SVG pictures.
#include "bench/harness/bench_html.hpp"

#include "apps/report/html_report.hpp"
#include "apps/report/report_page.hpp"
#include "bench/harness/svg_plot.hpp"

#include <array>
#include <cstdio>
#include <string_view>
#include <utility>
#include <vector>

namespace duomap::apps {
namespace {

std::string element(const std::string& name, const std::string& text, const std::string& attributes = "") {
  return "<" + name + attributes + ">" + xml_text(text) + "</" + name + ">\n";
}

std::string paragraphs(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += element("p", text);
  return all;
}

// An SVG inside an <img> keeps its styles to itself and cannot run scripts.
std::string image(const std::string& picture, const std::string& title) {
  std::string address;
  for (const char byte : picture) {
    if (std::string_view("#%<>&\"'\n").find(byte) == std::string_view::npos) {
      address += byte;
      continue;
    }
    std::array<char, 4> code{};
    std::snprintf(code.data(), code.size(), "%%%02X",
                  static_cast<unsigned>(static_cast<unsigned char>(byte)));
    address += code.data();
  }
  return "<figure><img alt=\"Picture: " + xml_text(title) + "\" src=\"data:image/svg+xml;charset=utf-8," +
         address + "\"></figure>\n";
}

std::string html_of(const printed_table& table, const std::string& label) {
  if (table.heads.empty()) return paragraphs(table.below);
  const auto kind = [&](std::size_t column) {
    return std::string(table.heads[column].number ? " class=\"n\"" : "");
  };
  std::string text =
      "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Table: " + xml_text(label) +
      "\"><table><thead><tr>\n";
  for (std::size_t i = 0; i < table.heads.size(); ++i)
    text += table.heads[i].text.empty() ? "<td></td>\n"
                                        : element("th", table.heads[i].text, " scope=\"col\"" + kind(i));
  text += "</tr></thead><tbody>\n";
  for (const auto& row : table.rows) {
    text += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i)
      text += i == 0 ? element("th", row[i], " scope=\"row\"") : element("td", row[i], kind(i));
    text += "</tr>\n";
  }
  return text + "</tbody></table></div>\n" + paragraphs(table.below);
}

std::string section(const std::string& title, const std::string& inside) {
  return "<section>\n" + element("h2", title) + inside + "</section>\n";
}

// Draws the picture that the table asks for. If this picture shows no times, a second one shows the times and
// their spreads.
std::string pictures_of(bench_table table) {
  std::string text;
  if (const std::string picture = svg_of(table); !picture.empty()) text += image(picture, table.title);
  if (table.plotted != bench_axis::seconds) {
    table.plotted = bench_axis::seconds;
    table.title += ": times, the lines from p10 to p90";
    if (const std::string picture = svg_of(table); !picture.empty()) text += image(picture, table.title);
  }
  return text;
}

// For each table a picture with two bars, before and now, for each row that can be compared.
std::string pictures_of(const saved_comparison& compared) {
  std::vector<bench_table> tables;
  for (const row_pair& pair : compared.pairs) {
    if (pair.ratio == 0) continue;
    if (tables.empty() || tables.back().name != pair.table)
      tables.push_back({.name = pair.table,
                        .title = pair.table + ": before and now, the lines from p10 to p90",
                        .plotted = bench_axis::seconds});
    const std::string workload = pair.now.workload.empty() ? "" : pair.now.workload + ", ";
    for (const auto& [name, row] : {std::pair("before", &pair.before), std::pair("now", &pair.now)})
      tables.back().rows.push_back({.workload = workload + pair.now.program + ", " + pair.now.device + ", " +
                                                std::to_string(pair.now.threads),
                                    .program = name,
                                    .seconds = row->seconds});
  }
  std::string text;
  for (const bench_table& table : tables) text += image(svg_of(table), table.title);
  return text;
}

std::string section_of(const saved_comparison& compared) {
  std::string inside = element("p", rule_of_comparison(), " class=\"hint\"");
  for (const std::string& line : compared.other_machine)
    inside += element("p", "Another machine: " + line + ".");
  return section("Compared with a saved run",
                 inside + html_of(print_table(compared), "comparison") + pictures_of(compared));
}

}  // namespace

std::string html_of(const bench_run& run, const saved_comparison* compared) {
  const std::string nonce = new_nonce();
  std::string text =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src "
      "'nonce-" +
      nonce +
      "'; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>duomap bench</title>\n<style nonce=\"" +
      nonce + "\">\n";
  text += report_style;
  text += "</style>\n</head>\n<body>\n<header>\n<h1>duomap bench</h1>\n";
  if (!run.command.empty()) text += "<p>" + element("code", run.command) + "</p>\n";
  text += element("p", machine_text(run), " class=\"hint\"") + "</header>\n<main>\n";
  if (!run.ended_early.empty()) text += element("p", "This run ended early: " + with_period(run.ended_early));
  if (compared != nullptr) text += section_of(*compared);
  for (const bench_table& table : run.tables) {
    const printed_table texts = print_table(table);
    text += section(table.title, element("p", texts.subject, " class=\"hint\"") + html_of(texts, table.name) +
                                     pictures_of(table));
  }
  return text + "</main>\n</body>\n</html>\n";
}

}  // namespace duomap::apps
