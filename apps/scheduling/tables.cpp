#include "apps/scheduling/tables.hpp"

#include "apps/bench/contest.hpp"
#include "apps/cli/quantity.hpp"
#include "scheduler/explain.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

namespace duomap::apps {
namespace {

// The bars of the scheduler: see CONTRIBUTING.md.
constexpr double least_gain = 0.98;
constexpr double least_efficiency = 0.90;
constexpr double judged_seconds = 50e-3;  // efficiency counts in runs that long ...
constexpr double judged_part = 0.05;      // ... to which the slower side can add at least so much

std::string fixed(double value, int decimals) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
  return text.data();
}

// Milliseconds, 4 digits.
std::string ms(double seconds) {
  const double value = seconds * 1000;
  return fixed(value, value < 10 ? 3 : value < 100 ? 2 : value < 1000 ? 1 : 0);
}

std::string percent(double part) { return fixed(100 * part, 1) + " %"; }

std::string gain_text(const paired_ratio& gain) { return fixed(gain.value, 3); }

bool judged(const cell& one) {
  return one.get(way::both).middle() >= judged_seconds && one.slower_part() >= judged_part;
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
  std::string text = "- `" + std::string(name) + "`: least gain " + fixed(worst->gain(name).value, 3) + " (" +
                     place(*worst) + "; bar " + fixed(least_gain, 2) + ")";
  if (least_efficient != nullptr)
    text += "; efficiency " + fixed(std::exp(logs / count), 3) + " in the geometric mean of " +
            count_text(count, "cell") + " (bar " + fixed(least_efficiency, 2) + "), least " +
            fixed(least_efficient->efficiency(name), 3) + " (" + place(*least_efficient) + ")";
  return text + "\n";
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
  return text + "gain of both " + gain_text(one.gain(way::both)) + ", efficiency " +
         fixed(one.efficiency(way::both), 3);
}

std::string cell_table(std::span<const cell> cells) {
  std::string text =
      "| task | size | CPU ms | GPU ms | auto ms | CPU + GPU ms | gain of auto | gain of both | +- | "
      "efficiency of both | GPU's part | skew "
      "|\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n";
  for (const cell& one : cells) {
    const paired_ratio both = one.gain(way::both);
    const std::string efficiency = fixed(one.efficiency(way::both), 3);
    text += "| " + one.task + " | " + size_text(one.bytes) + " | " + ms(one.get(way::cpu).middle()) + " | " +
            ms(one.get(way::gpu).middle()) + " | " + ms(one.get(way::automatic).middle()) + " | " +
            ms(one.get(way::both).middle()) + " | " + gain_text(one.gain(way::automatic)) + " | " +
            gain_text(both) + " | " + percent(both.error) + " | " +
            (judged(one) ? "**" + efficiency + "**" : efficiency) + " | " + percent(one.gpu_part()) + " | " +
            percent(one.skew) + " |\n";
  }
  text += "\nBold: runs of at least " + ms(judged_seconds) +
          " ms to which the slower side can add at least " + percent(judged_part) +
          "; these make the mean.\n\n";
  return text + standing_of(cells, way::automatic) + standing_of(cells, way::both);
}

std::string policy_table(std::span<const cell> cells) {
  std::vector<std::string> names;
  for (const cell& one : cells) {
    for (const series& way : one.all) {
      const bool known = way.name == way::cpu || way.name == way::gpu || way.name == one.best_name ||
                         std::ranges::find(names, way.name) != names.end();
      if (!known) names.push_back(way.name);
    }
  }
  const bool tried = std::ranges::any_of(cells, [](const cell& one) { return one.best_share.has_value(); });
  if (names.size() <= 2 && !tried) return {};
  std::string text = "| task | size |";
  for (const std::string& name : names) text += " " + name + " |";
  text += " best split by hand ms | GPU's part of it |\n|---|---:|";
  for (std::size_t i = 0; i < names.size() + 2; ++i) text += "---:|";
  text += "\n";
  std::vector<std::vector<double>> regrets(names.size());
  for (const cell& one : cells) {
    if (!one.best_share) continue;
    text += "| " + one.task + " | " + size_text(one.bytes) + " |";
    for (std::size_t i = 0; i < names.size(); ++i) {
      regrets[i].push_back(one.regret(names[i]));
      text += " " + percent(regrets[i].back()) + " |";
    }
    text += " " + ms(one.get(one.best_name).middle()) + " | " + percent(*one.best_share) + " |\n";
  }
  if (regrets.front().empty()) return {};
  text += "| all | median |";
  for (const auto& one : regrets) text += " " + percent(median(one)) + " |";
  text += " | |\n| all | worst |";
  for (const auto& one : regrets) text += " " + percent(*std::ranges::max_element(one)) + " |";
  return text + " | |\n";
}

std::string comparison_table(std::span<const compared> rows, const std::string& first,
                             const std::string& second) {
  std::string text = "| task | size | " + first + " ms | " + second +
                     " ms | first over second | +- | in processor time | +- |\n"
                     "|---|---:|---:|---:|---:|---:|---:|---:|\n";
  for (const compared& one : rows) {
    const paired_ratio ratio = ratio_of(one.first, one.second);
    const paired_ratio processor = processor_ratio_of(one.first, one.second);
    text += "| " + one.task + " | " + size_text(one.bytes) + " | " + ms(one.first.middle()) + " | " +
            ms(one.second.middle()) + " | " + fixed(ratio.value, 3) + " | " + percent(ratio.error) + " | " +
            fixed(processor.value, 3) + " | " + percent(processor.error) + " |\n";
  }
  return text;
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
      const run_report& report = one.get(name).report;
      text += "- map " + ms(report.map_seconds) + " ms, merge " + ms(report.merge_seconds) + " ms\n";
      for (const std::string& line : scheduler::explain(report)) text += "- " + line + "\n";
      for (const std::string& note : report.notes) text += "- " + note + "\n";
      text += "\n";
    }
  }
  return text;
}

}  // namespace duomap::apps
