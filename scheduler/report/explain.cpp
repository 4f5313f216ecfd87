// Puts the figures of reports into sentences.
#include "scheduler/report/explain.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

namespace duomap::scheduler {
namespace {

// Writes a part as "16.4 %".
std::string percent(double part) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.1f %%", 100 * part);
  return text.data();
}

// Writes a number with four digits: "0.1574", "1.571e-06".
std::string number(double value) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.4g", value);
  return text.data();
}

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

std::string counted(std::uint64_t count, std::string_view what) {
  return std::to_string(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

std::string executor_line(const executor_report& one, const run_report& report) {
  if (one.units == 0 && !one.reason.empty()) return one.name + ": nothing: " + one.reason;
  std::string line = one.name + ": " +
                     percent(ratio(static_cast<double>(one.units), static_cast<double>(report.units))) +
                     " of the input, " + counted(one.units, "unit") + " in " + counted(one.chunks, "chunk");
  if (one.seconds_per_unit > 0) {
    line += ", " + number(1 / one.seconds_per_unit) + " units/s (+- " + percent(one.deviation) + ")";
    if (one.claim_seconds > 0) line += " and " + number(one.claim_seconds) + " s for a chunk";
  }
  line +=
      ", waited " + percent(ratio(one.wait_seconds, one.wait_seconds + one.busy_seconds)) + " of its time";
  if (one.start_seconds > 0) line += ", started in " + number(one.start_seconds) + " s";
  if (one.copy_seconds > 0 || one.compute_seconds > 0)
    line += ", copied for " + number(one.copy_seconds) + " s and computed for " +
            number(one.compute_seconds) + " s";
  if (one.engine.write_seconds > 0)
    line += "; its emits were written in " + number(one.engine.write_seconds) + " s, grouped in " +
            number(one.engine.group_seconds) + " s and reduced in " + number(one.engine.reduce_seconds) +
            " s";
  if (one.engine.past_block_tables > 0)
    line += ", " + counted(one.engine.past_block_tables, "emit") + " had no place in shared memory";
  if (one.refused > 0) line += ", " + counted(one.refused, "chunk") + " found no memory and were done again";
  if (!one.trouble.empty()) line += "; " + one.trouble;
  return line;
}

std::string account_line(const device_account& account) {
  std::string line = "the runs before this one have taken " + number(account.spent) +
                     " s; a GPU would have saved " + number(account.missed) + " s of that";
  if (account.ready) {
    return line + " before it was started, has saved " + number(account.saved) + " s since, and cost about " +
           number(account.start) + " s to start";
  }
  line += ", and is expected to save " + number(account.coming) +
          " s in this run; starting one costs about " + number(account.start) + " s";
  if (account.expected > 0) line += "; it saved an earlier process " + number(account.expected) + " s";
  return line + (account.started ? "; it is started during this run" : "; it is not started yet");
}

std::string account_line(const step_account& account) {
  return "starting a GPU and bringing the data there costs about " + number(account.start) +
         " s; the steps without one have taken " + number(account.pool) + " s" +
         (account.started ? "; it was started" : "; it was not started");
}

std::string part_line(const iterative_part& one, bool planned) {
  std::string line =
      one.name + ": " + (planned ? "planned " + percent(one.planned_share) + ", " : "") + "has ";
  line += one.share > 0 || one.reason.empty() ? percent(one.share) : "nothing: " + one.reason;
  line += ", took part in " + counted(one.steps, "step");
  if (one.seconds_per_unit > 0) {
    line += ", " + number(1 / one.seconds_per_unit) + " units/s and " + number(one.fixed_seconds) +
            " s for a step";
  }
  if (one.start_seconds > 0) line += ", started in " + number(one.start_seconds) + " s";
  if (one.moves > 0) {
    line += ", got " + counted(one.moved_bytes, "byte") + " in " + counted(one.moves, "move") + ", " +
            number(one.move_seconds) + " s";
  }
  if (!one.trouble.empty()) line += "; " + one.trouble;
  return line;
}

// Whether the steps of a job were planned. There is a plan if the speeds of several executors are known.
bool has_plan(const iterative_report& report) {
  return std::ranges::any_of(report.parts, [](const iterative_part& one) { return one.planned_share > 0; });
}

}  // namespace

std::vector<std::string> explain(const run_report& report) {
  std::vector<std::string> lines;
  for (const executor_report& one : report.executors) lines.push_back(executor_line(one, report));
  if (report.account) lines.push_back(account_line(*report.account));
  if (report.degraded) lines.push_back("degraded: a device stopped before the end; the result is complete");
  return lines;
}

std::vector<std::string> explain(const iterative_report& report) {
  std::vector<std::string> lines;
  std::string all = counted(report.steps, "step") + " over " + counted(report.units, "unit") + " in " +
                    number(report.seconds) + " s";
  if (report.step_seconds > 0) all += ", the last in " + number(report.step_seconds) + " s";
  if (report.planned_seconds > 0) all += ", planned " + number(report.planned_seconds) + " s";
  if (report.split_changes > 0) all += "; the shares changed " + counted(report.split_changes, "time");
  lines.push_back(all);
  for (const iterative_part& one : report.parts) lines.push_back(part_line(one, has_plan(report)));
  if (report.account) lines.push_back(account_line(*report.account));
  if (report.degraded) lines.push_back("degraded: a device stopped; the results are complete");
  return lines;
}

}  // namespace duomap::scheduler
