// Pairs the rows of two runs and judges their differences.
#include "bench/harness/compare.hpp"

#include "apps/report/quantity.hpp"
#include "bench/harness/bench_markdown.hpp"
#include "bench/harness/percentile.hpp"
#include "bench/harness/printed.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <utility>

namespace duomap::apps {
namespace {

auto identity_of(const bench_table& table, const bench_row& row) {
  return std::tie(table.name, row.workload, row.program, row.device, row.threads);
}

std::string text_of(const std::string& table, const bench_row& row) {
  return table + ": " + (row.workload.empty() ? "" : row.workload + ", ") + row.program + ", " + row.device +
         ", " + count_text(row.threads, "thread");
}

struct placed_row {
  const bench_table* table;
  const bench_row* row;
  bool taken = false;
};

std::vector<placed_row> rows_of(const bench_run& run) {
  std::vector<placed_row> all;
  for (const bench_table& table : run.tables) {
    for (const bench_row& row : table.rows) all.push_back({&table, &row});
  }
  return all;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : "; ") + name;
  return text;
}

std::vector<std::string> differences(const bench_machine& before, const bench_machine& now) {
  std::vector<std::string> all;
  const auto look = [&](const std::string& what, const std::string& old, const std::string& recent) {
    // A value that an old run did not record is no difference.
    if (old != recent && !old.empty() && !recent.empty())
      all.push_back(what + ": " + old + " before, " + recent + " now");
  };
  const auto or_none = [](const std::string& text) {
    return text.empty() ? std::string("none") : text;
  };
  look("processor", before.cpu, now.cpu);
  look("cores", std::to_string(before.cores), std::to_string(now.cores));
  look("vector path", before.vector_path, now.vector_path);
  if (before.memory_bytes > 0 && now.memory_bytes > 0)
    look("memory", bytes_text(before.memory_bytes), bytes_text(now.memory_bytes));
  look("GPUs", or_none(joined(before.gpus)), or_none(joined(now.gpus)));
  look("driver for CUDA", or_none(before.driver), or_none(now.driver));
  return all;
}

/// One text for each verdict, in the order of the enumeration.
constexpr std::array verdict_texts = {"faster",
                                      "slower",
                                      "within noise",
                                      "too few runs to say",
                                      "not compared: another amount of work",
                                      "not measured in both"};

std::string ratio_text(double ratio) { return ratio > 0 ? printed("%.3f", ratio) : ""; }

std::string median_cell(const bench_row& row) {
  return row.seconds.empty() ? "not measured" : time_text(median(row.seconds));
}

}  // namespace

verdict judge(const bench_row& before, const bench_row& now) {
  if (before.seconds.empty() || now.seconds.empty()) return verdict::not_measured;
  if (before.work.amount != now.work.amount || before.work.unit != now.work.unit) return verdict::other_work;
  if (std::min(before.seconds.size(), now.seconds.size()) < least_samples) return verdict::too_few_runs;
  const spread old = spread_of(before.seconds), recent = spread_of(now.seconds);
  if (recent.p90 < old.p10 && recent.middle < old.middle * (1 - least_difference)) return verdict::faster;
  if (recent.p10 > old.p90 && recent.middle > old.middle * (1 + least_difference)) return verdict::slower;
  return verdict::noise;
}

saved_comparison compare(const bench_run& before, const bench_run& now) {
  saved_comparison all;
  all.other_machine = differences(before.machine, now.machine);
  std::vector<placed_row> old = rows_of(before);
  for (const placed_row& recent : rows_of(now)) {
    const auto found = std::ranges::find_if(old, [&](const placed_row& one) {
      return !one.taken && identity_of(*one.table, *one.row) == identity_of(*recent.table, *recent.row);
    });
    if (found == old.end()) {
      all.only_now.push_back(text_of(recent.table->name, *recent.row));
      continue;
    }
    found->taken = true;
    row_pair pair{recent.table->name, *found->row, *recent.row, 0, judge(*found->row, *recent.row)};
    if (pair.found != verdict::not_measured && pair.found != verdict::other_work)
      pair.ratio = median(pair.now.seconds) / median(pair.before.seconds);
    all.pairs.push_back(std::move(pair));
  }
  for (const placed_row& one : old) {
    if (!one.taken) all.only_before.push_back(text_of(one.table->name, *one.row));
  }
  return all;
}

bool is_difference(verdict found) { return found == verdict::faster || found == verdict::slower; }

std::string rule_of_comparison() {
  return "A difference is called one when the intervals from p10 to p90 of the two do not overlap and the "
         "medians differ by more than " +
         printed("%g %%", 100 * least_difference) + "; it takes " + std::to_string(least_samples) +
         " runs each.";
}

printed_table print_table(const saved_comparison& all) {
  printed_table made;
  for (const row_pair& pair : all.pairs)
    made.rows.push_back({text_of(pair.table, pair.now), median_cell(pair.before), median_cell(pair.now),
                         ratio_text(pair.ratio), verdict_texts[static_cast<std::size_t>(pair.found)]});
  if (all.pairs.empty())
    made.below.emplace_back("The two runs have no row in common.");
  else
    made.heads = {{"row", false}, {"before"}, {"now"}, {"now over before"}, {"", false}};
  for (const std::string& row : all.only_before) made.below.push_back("Only before: " + row + ".");
  for (const std::string& row : all.only_now) made.below.push_back("Only now: " + row + ".");
  return made;
}

std::string markdown_of(const saved_comparison& all) {
  std::string text = "Compared with a saved run. " + rule_of_comparison() + "\n\n";
  for (const std::string& line : all.other_machine) text += "Another machine: " + line + ".\n";
  if (!all.other_machine.empty()) text += "\n";
  printed_table texts = print_table(all);
  for (std::size_t i = 0; i < all.pairs.size(); ++i) {
    if (is_difference(all.pairs[i].found)) texts.rows[i].back() = "**" + texts.rows[i].back() + "**";
  }
  return text + markdown_of(texts);
}

}  // namespace duomap::apps
