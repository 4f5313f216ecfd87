// Writes the machine's profile as tables and as JSON.
#include "apps/commands/calibrate/machine_table.hpp"

#include "apps/commands/doctor.hpp"
#include "apps/report/quantity.hpp"
#include "core/version.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <set>
#include <span>

namespace duomap::apps {
namespace {

std::string figure_text(double value) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.*f", value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value);
  return text.data();
}

std::string value_text(const machine_figure& one) {
  switch (info(one.term).unit) {
    case machine_unit::seconds:
      return time_text(one.value);
    case machine_unit::seconds_per_byte:
      return figure_text(one.value * 1e12) + " ms/GB";
    case machine_unit::bytes_per_second:
      return figure_text(one.value / 1e9) + " GB/s";
  }
  return {};
}

std::string at_text(machine_axis axis, std::uint64_t at) {
  switch (axis) {
    case machine_axis::bytes:
      return memory_text(at);
    case machine_axis::threads:
      return count_text(at, "thread");
    case machine_axis::node:
      return "node " + std::to_string(at);
    case machine_axis::none:
      break;
  }
  return "";
}

std::string_view unit_name(machine_unit unit) {
  switch (unit) {
    case machine_unit::seconds:
      return "seconds";
    case machine_unit::seconds_per_byte:
      return "seconds_per_byte";
    case machine_unit::bytes_per_second:
      return "bytes_per_second";
  }
  return "";
}

std::string_view axis_name(machine_axis axis) {
  switch (axis) {
    case machine_axis::bytes:
      return "bytes";
    case machine_axis::threads:
      return "threads";
    case machine_axis::node:
      return "node";
    case machine_axis::none:
      break;
  }
  return "at";
}

// The values of the axis that were measured, such as numbers of threads, ascending.
std::set<std::uint64_t> places(std::span<const machine_figure> figures, machine_axis axis) {
  std::set<std::uint64_t> all;
  for (const machine_figure& one : figures) {
    if (info(one.term).axis == axis) all.insert(one.at);
  }
  return all;
}

// A table with a row for each measured quantity and a column for each value of the axis.
std::string axis_table(std::span<const machine_figure> figures, machine_axis axis,
                       const std::string& corner) {
  const std::set<std::uint64_t> columns = places(figures, axis);
  if (columns.empty()) return {};
  std::string text = "\n| " + corner + " |";
  std::string rule = "|---|";
  for (const std::uint64_t at : columns) {
    text += " " + at_text(axis, at) + " |";
    rule += "---:|";
  }
  text += "\n" + rule + "\n";
  for (const machine_property_info& term : machine_terms()) {
    if (term.axis != axis || most(figures, term.term) == 0) continue;
    text += "| " + std::string(term.title) + " |";
    for (const std::uint64_t at : columns) {
      const machine_figure* const one = find(figures, term.term, at);
      text += one == nullptr ? " |" : " " + value_text(*one) + " |";
    }
    text += "\n";
  }
  return text;
}

std::string list_table(std::span<const machine_figure> figures) {
  std::string rows;
  for (const machine_property_info& term : machine_terms()) {
    if (term.axis != machine_axis::none) continue;
    if (const machine_figure* const one = find(figures, term.term))
      rows += "| " + std::string(term.title) + " | " + value_text(*one) + " | " +
              std::to_string(one->samples) + " |\n";
  }
  return rows.empty() ? rows : "\n| cost | median | samples |\n|---|---:|---:|\n" + rows;
}

std::string heading(const scheduler::machine_part& part) {
  std::string text = part.name;
  for (const auto& [name, value] : part.facts) {
    if (!value.empty()) text += ", " + name + " " + value;
  }
  return text;
}

}  // namespace

std::string machine_text(const machine_summary& summary) {
  std::string text;
  for (const scheduler::machine_part& part : summary.profile.parts) {
    text += (text.empty() ? "" : "\n") + heading(part) + "\n";
    text += axis_table(part.figures, machine_axis::threads, "memory");
    text += axis_table(part.figures, machine_axis::bytes, "copies of");
    text += axis_table(part.figures, machine_axis::node, "memory of");
    text += list_table(part.figures);
  }
  text += "\n";
  for (const std::string& note : summary.notes) text += note + "\n";
  if (!summary.stored_in.empty()) text += "stored in " + summary.stored_in + "\n";
  return text;
}

std::string machine_json(const machine_summary& summary) {
  nlohmann::ordered_json object = {{"duomap", version},
                                   {"stored_in", summary.stored_in},
                                   {"notes", summary.notes},
                                   {"parts", nlohmann::ordered_json::array()}};
  for (const scheduler::machine_part& part : summary.profile.parts) {
    nlohmann::ordered_json facts = nlohmann::ordered_json::object();
    for (const auto& [name, value] : part.facts) facts[name] = value;
    nlohmann::ordered_json figures = nlohmann::ordered_json::array();
    for (const machine_figure& one : part.figures) {
      const machine_property_info& term = info(one.term);
      nlohmann::ordered_json figure = {{"term", term.id}};
      if (term.axis != machine_axis::none) figure[std::string(axis_name(term.axis))] = one.at;
      figure[std::string(unit_name(term.unit))] = one.value;
      figure["deviation"] = one.deviation;
      figure["samples"] = one.samples;
      figures.push_back(std::move(figure));
    }
    object["parts"].push_back({{"name", part.name},
                               {"stored_at", part.stored_at},
                               {"facts", std::move(facts)},
                               {"figures", std::move(figures)}});
  }
  constexpr int one_line = -1;
  return object.dump(one_line, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace duomap::apps
