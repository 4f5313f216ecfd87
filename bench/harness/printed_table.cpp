// Makes texts of a table's columns and rows and leaves out empty columns.
#include "bench/harness/printed_table.hpp"

#include "apps/report/quantity.hpp"
#include "bench/harness/percentile.hpp"
#include "bench/harness/printed.hpp"
#include "bench/harness/rate_unit.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>

namespace duomap::apps {
namespace {

std::string three_digits(double value) {
  return printed(value < 9.995 ? "%.2f" : value < 99.95 ? "%.1f" : "%.0f", value);
}

std::string figure_text(const bench_figure& figure) {
  if (figure.unit == "s") return time_text(figure.value);
  if (figure.unit == "B") return bytes_text(static_cast<std::uint64_t>(figure.value));
  if (figure.unit == "x") return printed("%.2fx", figure.value);
  if (figure.unit.empty() && figure.value >= 0 && figure.value < 1e15 &&
      figure.value == static_cast<double>(static_cast<std::uint64_t>(figure.value)))
    return count_text(static_cast<std::uint64_t>(figure.value));
  return printed("%.4g", figure.value) + (figure.unit.empty() ? "" : " " + figure.unit);
}

struct column_of_table {
  std::string head;
  bool number = true;
  std::function<std::string(const bench_row&)> cell;
};

std::string spread_text(const bench_row& row) {
  if (row.seconds.size() < 2) return "";
  const spread all = spread_of(row.seconds);
  return time_text(all.p10) + " to " + time_text(all.p90);
}

std::string time_cell(const bench_row& row) {
  if (row.seconds.empty()) return "not measured: " + row.not_measured;
  return time_text(median(row.seconds));
}

std::string size_cell(const std::optional<std::uint64_t>& bytes) { return bytes ? bytes_text(*bytes) : ""; }

std::string threads_cell(const bench_row& row) { return std::to_string(row.threads); }
std::string rate_cell(const bench_row& row) {
  return row.seconds.empty() ? "" : work_rate_text(row.work, median(row.seconds));
}
std::string speed_up_cell(const bench_row& row) {
  return row.speed_up ? printed("%.2fx", *row.speed_up) : "";
}
std::string cold_cell(const bench_row& row) { return row.cold_seconds ? time_text(*row.cold_seconds) : ""; }
std::string memory_cell(const bench_row& row) { return size_cell(row.host_bytes); }
std::string device_memory_cell(const bench_row& row) { return size_cell(row.device_bytes); }

// The names of all figures, in the order in which rows have them.
std::vector<std::string> figure_names(const bench_table& table) {
  std::vector<std::string> names;
  for (const bench_row& row : table.rows) {
    for (const bench_figure& figure : row.figures) {
      if (std::ranges::find(names, figure.name) == names.end()) names.push_back(figure.name);
    }
  }
  return names;
}

bool differs(const bench_table& table, std::string bench_row::*member) {
  return std::ranges::any_of(table.rows,
                             [&](const bench_row& row) { return row.*member != table.rows.front().*member; });
}

std::vector<column_of_table> columns_of(const bench_table& table) {
  std::vector<column_of_table> all;
  if (differs(table, &bench_row::workload)) all.push_back({"workload", false, &bench_row::workload});
  all.push_back({"program", false, &bench_row::program});
  if (differs(table, &bench_row::device)) all.push_back({"device", false, &bench_row::device});
  all.push_back({"threads", true, threads_cell});
  all.push_back({"time", true, time_cell});
  all.push_back({"p10 to p90", true, spread_text});
  all.push_back({"rate", true, rate_cell});
  all.push_back({"over " + (table.baseline.empty() ? "the first" : table.baseline), true, speed_up_cell});
  all.push_back({"cold", true, cold_cell});
  all.push_back({"memory", true, memory_cell});
  all.push_back({"GPU memory", true, device_memory_cell});
  for (const std::string& name : figure_names(table)) {
    all.push_back({name, true, [name](const bench_row& row) {
                     const auto found = std::ranges::find(row.figures, name, &bench_figure::name);
                     return found == row.figures.end() ? "" : figure_text(*found);
                   }});
  }
  all.push_back({"note", false, &bench_row::note});
  std::erase_if(all, [&](const column_of_table& one) {
    return std::ranges::all_of(table.rows, [&](const bench_row& row) { return one.cell(row).empty(); });
  });
  return all;
}

std::string checked_text(const bench_table& table) {
  std::size_t measured = 0, checked = 0, fewest = 0, most = 0;
  for (const bench_row& row : table.rows) {
    if (row.seconds.empty()) continue;
    fewest = measured == 0 ? row.seconds.size() : std::min(fewest, row.seconds.size());
    most = std::max(most, row.seconds.size());
    ++measured;
    checked += row.checked ? 1 : 0;
  }
  if (measured == 0) return "Nothing was measured.";
  const std::string runs =
      fewest == most ? count_text(most, "run") : count_text(fewest) + " to " + count_text(most, "run");
  std::string text = most == 1 ? "One run each" : "Medians of " + runs;
  text += checked == measured ? "; all answers compared and equal."
          : checked == 0
              ? "; answers were not compared."
              : "; " + count_text(checked) + " of " + count_text(measured) + " answers compared, and equal.";
  if (checked > 0 && checked < measured) {
    std::set<std::string> others;
    for (const bench_row& row : table.rows) {
      if (!row.seconds.empty() && !row.checked) others.insert(row.program);
    }
    text += " Not compared:";
    for (const std::string& name : others) text += (name == *others.begin() ? " " : ", ") + name;
    text += ".";
  }
  return text;
}

/// If more than this many unmeasured rows have the same reason, a sentence below the table replaces them,
/// because they would hide the measured rows.
constexpr std::size_t few_rows = 2;

bool is_told_below(const bench_table& table, const bench_row& row) {
  if (!row.seconds.empty() || !row.figures.empty()) return false;
  const auto says_the_same = [&](const bench_row& one) {
    return one.seconds.empty() && one.figures.empty() && one.not_measured == row.not_measured;
  };
  const auto same = static_cast<std::size_t>(std::ranges::count_if(table.rows, says_the_same));
  return same > few_rows && same < table.rows.size();
}

/// Sentences such as "Not measured, in 8 rows: no GPU (duomap on the gpu; duomap on the cpu+gpu)."
std::vector<std::string> unmeasured_notes(const bench_table& table) {
  std::vector<std::string> all;
  std::set<std::string> told;
  for (const bench_row& row : table.rows) {
    if (!is_told_below(table, row) || !told.insert(row.not_measured).second) continue;
    std::size_t rows = 0;
    std::vector<std::string> programs;
    for (const bench_row& one : table.rows) {
      if (!is_told_below(table, one) || one.not_measured != row.not_measured) continue;
      ++rows;
      const std::string program = one.program + " on the " + one.device;
      if (std::ranges::find(programs, program) == programs.end()) programs.push_back(program);
    }
    std::string text = "Not measured, in " + count_text(rows) + " rows: " + row.not_measured + " (";
    for (std::size_t i = 0; i < programs.size(); ++i) text += (i > 0 ? "; " : "") + programs[i];
    all.push_back(text + ").");
  }
  return all;
}

}  // namespace

std::string with_period(const std::string& text) {
  return text.empty() || text.ends_with('.') ? text : text + ".";
}

std::string work_rate_text(const bench_work& work, double seconds) {
  if (!(work.amount > 0) || !(seconds > 0)) return "";
  double value = work.amount / seconds;
  std::size_t power = 0;
  for (; value >= 999.5 && power + 1 < named_thousands; ++power) value /= 1000;
  return three_digits(value) + " " + rate_unit(work.unit, power);
}

std::string machine_text(const bench_run& run) {
  const bench_machine& machine = run.machine;
  std::string text =
      (machine.cpu.empty() ? "Unknown processor" : machine.cpu) + ", " + count_text(machine.cores, "core");
  if (!machine.vector_path.empty()) text += ", vector path " + machine.vector_path;
  if (machine.memory_bytes > 0) text += ", " + bytes_text(machine.memory_bytes);
  for (const std::string& gpu : machine.gpus) text += "; " + gpu;
  if (!machine.driver.empty()) text += ", driver for CUDA " + machine.driver;
  text += "; duomap " + run.build.version;
  if (!run.build.commit.empty()) text += ", commit " + run.build.commit;
  if (!run.build.compiler.empty()) text += ", " + run.build.compiler;
  if (!run.date.empty()) text += "; " + run.date.substr(0, run.date.find('T'));
  if (run.quick) text += "; --quick";
  return text + ".";
}

printed_table print_table(const bench_table& table) {
  printed_table made{.title = with_period(table.title)};
  // A workload that all rows share has no column, so the subject names it.
  if (!table.rows.empty() && !table.rows.front().workload.empty() && !differs(table, &bench_row::workload))
    made.subject += with_period(table.rows.front().workload) + " ";
  if (!table.subject.empty()) made.subject += with_period(table.subject) + " ";
  made.subject += checked_text(table);
  if (!table.rows.empty()) {
    const std::vector<column_of_table> columns = columns_of(table);
    for (const column_of_table& one : columns) made.heads.push_back({one.head, one.number});
    for (const bench_row& row : table.rows) {
      if (is_told_below(table, row)) continue;
      made.rows.emplace_back();
      for (const column_of_table& one : columns) made.rows.back().push_back(one.cell(row));
    }
  }
  made.below = unmeasured_notes(table);
  for (const std::string& note : table.notes) made.below.push_back(with_period(note));
  return made;
}

}  // namespace duomap::apps
