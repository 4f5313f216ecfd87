// Makes rows, notes and the list of weak cells from cells.
#include "bench/scheduling/tables.hpp"

#include "apps/report/quantity.hpp"
#include "bench/harness/percentile.hpp"
#include "bench/harness/printed.hpp"
#include "scheduler/report/explain.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace duomap::apps {
namespace {

// The bars of the scheduler: docs/decisions/0002-bars-of-the-scheduler.md.
constexpr double least_gain = 0.98;
constexpr double least_efficiency = 0.90;
constexpr double judged_seconds = 50e-3;  // the least time of a run whose efficiency is judged
constexpr double min_rate_ratio = 0.05;   // the least ratio of the slower device's rate to the faster one's

std::string fixed(double value, int decimals) {
  return printed(("%." + std::to_string(decimals) + "f").c_str(), value);
}

// Milliseconds with three or four digits.
std::string ms(double seconds) {
  const double value = seconds * 1000;
  return fixed(value, value < 10 ? 3 : value < 100 ? 2 : value < 1000 ? 1 : 0);
}

std::string percent(double part) { return fixed(100 * part, 1) + " %"; }

bool judged(const cell& one) {
  return one.get(way::both).middle() >= judged_seconds && one.slower_to_faster() >= min_rate_ratio;
}

std::string standing_of(std::span<const cell> cells, std::string_view name) {
  double logs = 0;
  unsigned count = 0;
  const cell* worst = nullptr;
  const cell* least_efficient = nullptr;
  for (const cell& one : cells) {
    if (worst == nullptr || one.gain(name).value < worst->gain(name).value) worst = &one;
    if (!judged(one)) continue;
    if (least_efficient == nullptr || one.efficiency(name) < least_efficient->efficiency(name))
      least_efficient = &one;
    logs += std::log(one.efficiency(name));
    ++count;
  }
  const auto place = [](const cell& one) {
    return one.task + ", " + size_text(one.bytes);
  };
  std::string text = "`" + std::string(name) + "`: least gain " + fixed(worst->gain(name).value, 3) + " (" +
                     place(*worst) + "; bar " + fixed(least_gain, 2) + ")";
  if (least_efficient != nullptr)
    text += "; efficiency " + fixed(std::exp(logs / count), 3) + " in the geometric mean of " +
            count_text(count, "cell") + " (bar " + fixed(least_efficiency, 2) + "), least " +
            fixed(least_efficient->efficiency(name), 3) + " (" + place(*least_efficient) + ")";
  return text;
}

}  // namespace

std::string size_text(std::uint64_t bytes) {
  if (bytes % (1u << 20) == 0 && bytes < (1u << 30)) return std::to_string(bytes >> 20) + " MiB";
  if (bytes % (1u << 10) == 0 && bytes < (1u << 20)) return std::to_string(bytes >> 10) + " KiB";
  return bytes_text(bytes);
}

std::string summary_of(const cell& one) {
  std::string text;
  for (const series& way : one.all) text += way.name + " " + ms(way.middle()) + " ms, ";
  return text + "gain of both " + fixed(one.gain(way::both).value, 3) + ", efficiency " +
         fixed(one.efficiency(way::both), 3);
}

bench_table cell_table(std::span<const cell> cells, unsigned threads) {
  bench_table table{.name = "scheduling",
                    .title = "CPU and GPU together against each device alone",
                    .subject = "Rounds taken in turn. Efficiency is judged in runs of at least " +
                               ms(judged_seconds) + " ms to which the slower side can add at least " +
                               percent(min_rate_ratio),
                    .baseline = "the better device alone"};
  std::vector<std::string> names;
  std::vector<std::vector<double>> regrets;
  for (const cell& one : cells) {
    for (const series& way : one.all) {
      const bool alone = way.name == way::cpu || way.name == way::gpu;
      const bool device = alone || way.name == way::automatic || way.name == way::both;
      bench_row row{.workload = one.task + ", " + size_text(one.bytes),
                    .program = device ? "duomap" : "duomap, " + way.name,
                    .device = device ? way.name : std::string(way::both),
                    .threads = threads,
                    .seconds = way.seconds(),
                    .work = {static_cast<double>(one.bytes), "B"},
                    .speed_up = one.gain(way.name).value,
                    .checked = true};
      if (!alone) row.figures.push_back({"gain's error", 100 * one.gain(way.name).error, "%"});
      if (!alone) row.figures.push_back({"efficiency", one.efficiency(way.name)});
      if (way.name == way::both) {
        row.figures.push_back({"GPU's part", 100 * one.gpu_part(), "%"});
        row.figures.push_back({"skew", 100 * one.skew, "%"});
        if (judged(one)) row.note = "efficiency is judged";
      }
      if (one.best_share && way.name == one.best_name) {
        row.program = "duomap, best split by hand";
        row.figures.push_back({"GPU's part", 100 * *one.best_share, "%"});
      } else if (one.best_share && !alone) {
        row.figures.push_back({"regret", 100 * one.regret(way.name), "%"});
        auto found = std::ranges::find(names, way.name);
        if (found == names.end()) {
          names.push_back(way.name);
          regrets.emplace_back();
          found = names.end() - 1;
        }
        regrets[static_cast<std::size_t>(found - names.begin())].push_back(one.regret(way.name));
      }
      table.rows.push_back(std::move(row));
    }
  }
  if (!cells.empty()) table.notes = {standing_of(cells, way::automatic), standing_of(cells, way::both)};
  for (std::size_t i = 0; i < names.size(); ++i)
    table.notes.push_back("Regret of `" + names[i] + "`: median " + percent(median(regrets[i])) + ", worst " +
                          percent(*std::ranges::max_element(regrets[i])));
  return table;
}

std::vector<bench_row> rows_of(std::span<const compared> rows, const std::string& device, unsigned threads) {
  std::vector<bench_row> all;
  for (const compared& one : rows) {
    const auto row = [&](const series& of) {
      return bench_row{.workload = one.task + ", " + size_text(one.bytes),
                       .program = of.name,
                       .device = device,
                       .threads = threads,
                       .seconds = of.seconds(),
                       .work = {static_cast<double>(one.bytes), "B"},
                       .checked = true};
    };
    bench_row first = row(one.first), second = row(one.second);
    const paired_ratio ratio = ratio_of(one.second, one.first);
    const paired_ratio processor = processor_ratio_of(one.second, one.first);
    first.speed_up = ratio.value;
    first.figures = {{"its error", 100 * ratio.error, "%"},
                     {"in processor time", processor.value, "x"},
                     {"error of that", 100 * processor.error, "%"}};
    second.speed_up = 1;
    all.insert(all.end(), {std::move(first), std::move(second)});
  }
  return all;
}

std::string weak_cells(std::span<const cell> cells) {
  std::string text;
  for (const cell& one : cells) {
    for (const std::string_view name : {way::automatic, way::both}) {
      const double gain = one.gain(name).value;
      const bool slow = gain < least_gain;
      const bool wasteful = judged(one) && one.efficiency(name) < least_efficiency;
      if (!slow && !wasteful) continue;
      text += "## " + one.task + ", " + size_text(one.bytes) + ", " + std::string(name) + ": gain " +
              fixed(gain, 3) + ", efficiency " + fixed(one.efficiency(name), 3) + "\n\n";
      text += "cpu " + ms(one.get(way::cpu).middle()) + " ms, gpu " + ms(one.get(way::gpu).middle()) +
              " ms, this " + ms(one.get(name).middle()) + " ms; the last run:\n\n";
      const run_report& report = one.get(name).runs.back().report;
      text += "- map " + ms(report.map_seconds) + " ms, merge " + ms(report.merge_seconds) + " ms\n";
      for (const std::string& line : scheduler::explain(report)) text += "- " + line + "\n";
      for (const std::string& note : report.notes) text += "- " + note + "\n";
      text += "\n";
    }
  }
  return text;
}

}  // namespace duomap::apps
