// Writes the summary of a run as lines of text and as JSON.
#include "apps/report/summary.hpp"

#include "apps/report/quantity.hpp"
#include "core/version.hpp"
#include "scheduler/report/explain.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>
#include <variant>

namespace duomap::apps {

namespace {

std::string percent(double part, double whole) {
  return std::to_string(whole > 0 ? std::llround(100 * part / whole) : 0) + " %";
}

double rate(const run_summary& summary) {
  return summary.wall_seconds > 0 ? static_cast<double>(summary.report.units) / summary.wall_seconds : 0;
}

std::string executor_text(const executor_report& executor, const run_report& report) {
  const double available = report.map_seconds * executor.workers;
  return executor.name + ": " +
         percent(static_cast<double>(executor.units), static_cast<double>(report.units)) + " of the input, " +
         count_text(executor.workers, "worker") + " " + percent(executor.busy_seconds, available) + " busy";
}

}  // namespace

std::vector<std::string> summary_lines(const run_summary& summary) {
  const run_report& report = summary.report;
  std::vector<std::string> lines;
  lines.push_back(report.task + ": " +
                  count_text(report.results, summary.stores_partial ? "stored value" : "result") + " from " +
                  amount_text(report.units, summary.unit) +
                  (summary.unit == input_unit::bytes ? " in " + count_text(report.sources, "source") : "") +
                  ", " + duration_text(summary.wall_seconds) + ", " +
                  rate_text(report.units, summary.wall_seconds, summary.unit));
  for (const executor_report& executor : report.executors) {
    lines.push_back(executor_text(executor, report));
  }
  lines.push_back("map " + duration_text(report.map_seconds) + ", merge " +
                  duration_text(report.merge_seconds) + "; peak memory " +
                  bytes_text(summary.memory.peak_resident) + ", " + bytes_text(summary.memory.anonymous) +
                  " without mapped files");
  lines.insert(lines.end(), report.notes.begin(), report.notes.end());
  return lines;
}

std::vector<std::string> explained_lines(const run_summary& summary) {
  std::vector<std::string> lines = summary.explanation.input;
  const std::vector<std::string> run =
      summary.explanation.lines.empty() ? scheduler::explain(summary.report) : summary.explanation.lines;
  lines.insert(lines.end(), run.begin(), run.end());
  return lines;
}

std::string summary_json(const run_summary& summary) {
  const run_report& report = summary.report;
  nlohmann::ordered_json object = {
      {"duomap", version},
      {"task", report.task},
      {"sources", report.sources},
      {"units", report.units},
      {"results", report.results},
      {"wall_seconds", summary.wall_seconds},
      {"map_seconds", report.map_seconds},
      {"merge_seconds", report.merge_seconds},
      {"units_per_second", rate(summary)},
      {"degraded", report.degraded},
      {"peak_resident_bytes", summary.memory.peak_resident},
      {"peak_anonymous_bytes", summary.memory.anonymous},
      {"executors", nlohmann::ordered_json::array()},
      {"notes", report.notes},
      {"figures", nlohmann::ordered_json::object()},
  };
  for (const auto& [name, figure] : summary.figures)
    std::visit([&, &name = name](const auto& value) { object["figures"][name] = value; }, figure);
  for (const executor_report& executor : report.executors) {
    object["executors"].push_back({{"name", executor.name},
                                   {"workers", executor.workers},
                                   {"chunks", executor.chunks},
                                   {"units", executor.units},
                                   {"busy_seconds", executor.busy_seconds},
                                   {"wait_seconds", executor.wait_seconds},
                                   {"reason", executor.reason},
                                   {"seconds_per_unit", executor.seconds_per_unit},
                                   {"claim_seconds", executor.claim_seconds},
                                   {"deviation", executor.deviation},
                                   {"start_seconds", executor.start_seconds},
                                   {"commit_seconds", executor.commit_seconds},
                                   {"copy_seconds", executor.copy_seconds},
                                   {"compute_seconds", executor.compute_seconds},
                                   {"past_block_tables", executor.engine.past_block_tables},
                                   {"write_seconds", executor.engine.write_seconds},
                                   {"group_seconds", executor.engine.group_seconds},
                                   {"reduce_seconds", executor.engine.reduce_seconds},
                                   {"refused_chunks", executor.refused},
                                   {"trouble", executor.trouble}});
  }
  const device_account account = report.account.value_or(device_account{});
  object["gpu_account"] = {{"spent_seconds", account.spent},       {"missed_seconds", account.missed},
                           {"saved_seconds", account.saved},       {"coming_seconds", account.coming},
                           {"expected_seconds", account.expected}, {"start_seconds", account.start},
                           {"started", account.started},           {"ready", account.ready}};
  constexpr int one_line = -1;
  // Notes may quote names of files that are not UTF-8, so invalid bytes are replaced.
  return object.dump(one_line, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace duomap::apps
