// Combines measured rows with published results.
#include "bench/papers/paper_tables.hpp"

#include "bench/harness/printed.hpp"
#include "core/add_note.hpp"

namespace duomap::apps {
namespace {

bench_table empty_table(const table_head& head, const std::string& baseline) {
  return {.name = head.name, .title = head.title, .subject = head.subject, .baseline = baseline};
}

std::string factor_text(double factor) { return printed("%.3g", factor); }

/// The measured factors beside a published one, such as "1.9 on the cpu (threads: 2); on the gpu not
/// measured".
std::string found_text(std::span<const bench_row> rows) {
  std::string text;
  for (const bench_row& row : rows) {
    if (!text.empty()) text += "; ";
    const std::string where = "on the " + row.device +
                              (row.device == "cpu" ? " (threads: " + std::to_string(row.threads) + ")"
                               : row.program == resident_program ? " with the data in its memory"
                                                                 : "");
    text += row.speed_up ? factor_text(*row.speed_up) + " " + where : where + " not measured";
  }
  return text;
}

/// The last experiment with a subject, which is the largest; null if there is none.
const measured_experiment* largest_of(std::span<const measured_experiment> all, std::string_view subject) {
  const measured_experiment* found = nullptr;
  for (const measured_experiment& one : all) {
    if (one.subject == subject) found = &one;
  }
  return found;
}

}  // namespace

bench_table table_of_all(const table_head& head, std::span<const measured_experiment> all) {
  bench_table table = empty_table(head, "the sequential program");
  for (const measured_experiment& one : all)
    table.rows.insert(table.rows.end(), one.rows.begin(), one.rows.end());
  return table;
}

bench_table table_beside_published(const table_head& head, std::span<const measured_experiment> all,
                                   std::span<const program_on> programs, const std::string& baseline,
                                   std::span<const published_result> published, published_over over,
                                   std::string_view machine) {
  bench_table table = empty_table(head, baseline);
  for (const measured_experiment& one : all) {
    const std::size_t first = table.rows.size();
    for (const program_on& which : programs) {
      if (!one.has(which)) continue;
      bench_row row = one.row(which);
      row.speed_up.reset();
      table.rows.push_back(std::move(row));
    }
    set_speed_ups(table, first);
    const std::span others = std::span(table.rows).subspan(first + 1);
    for (const published_result& each : published) {
      if (each.over != over || each.subject != one.subject) continue;
      for (bench_row& row : others) {
        if (each.factor) row.figures.push_back({"in the paper", *each.factor, "x"});
      }
      if (&one != largest_of(all, each.subject)) continue;
      table.notes.push_back(std::string(each.place) + ", " + one.subject + ": the paper says " +
                            std::string(each.printed) + " (" + std::string(each.size) + "; " +
                            std::string(machine) + "). Here, with " + one.size + ": " + found_text(others) +
                            ". " + std::string(each.because));
    }
  }
  return table;
}

bench_table table_of_other_systems(const table_head& head, std::span<const measured_experiment> all,
                                   std::span<const published_result> published) {
  bench_table table = empty_table(head, "what stands in for the other framework");
  table.plot = bench_plot::none;
  for (const published_result& each : published) {
    if (each.over != published_over::other_system) continue;
    const std::string printed = std::string(each.place) + ": " + std::string(each.printed);
    const measured_experiment* const largest = largest_of(all, each.subject);
    const program_on other{each.by == equivalent_mode::no_tables ? no_tables_program : sort_engine_program,
                           "gpu"};
    if (each.by == equivalent_mode::none || largest == nullptr || !largest->has(other)) {
      table.rows.push_back({.workload = std::string(each.subject) + ", " + std::string(each.size),
                            .program = printed,
                            .device = "gpu",
                            .not_measured = std::string(each.because)});
      if (each.factor) table.rows.back().figures = {{"in the paper", *each.factor, "x"}};
      continue;
    }
    const std::size_t first = table.rows.size();
    for (const program_on& which : {other, on::gpu}) {
      table.rows.push_back(largest->row(which));
      table.rows.back().workload += " (" + printed + ")";
      table.rows.back().speed_up.reset();
    }
    set_speed_ups(table, first);
    if (each.factor) table.rows.back().figures.push_back({"in the paper", *each.factor, "x"});
    add_note(table.notes, std::string(each.because));
  }
  return table;
}

void leave_out(bench_table& table, std::string_view program) {
  std::erase_if(table.rows, [&](const bench_row& row) { return row.program == program; });
}

}  // namespace duomap::apps
